//! Names that a file of tests may replace while what it tests runs.
//!
//! ```python
//! @pytest.fixture
//! def frame(request):
//!     return property_mock(request, Shape, "text_frame")    # ends in `mock.patch.object(Shape, "text_frame", …)`
//! def test_text(frame):
//!     Shape(None).text                                      # reads the replaced `text_frame`
//! ```
//!
//! Which function patches in the end is not followed: in a file that speaks of mocks or patches, every text may name what is replaced.

use pytrope_source::tree::ExprKind;
use rustc_hash::FxHashSet;

use super::Code;
use crate::names::Name;

pub(super) fn find_replaced_names(code: &Code) -> FxHashSet<Name> {
    if !code.is_test || !speaks_of_mocks(code) {
        return FxHashSet::default();
    }
    let texts = code.tree.expr_ids().filter_map(|id| match code.tree[id].kind {
        ExprKind::Str(text) => Some(code.tree.text(text)),
        _ => None,
    });
    // `"package.module.Client.send"` replaces `send`; a constructor that is named with its class is that class's alone.
    let is_of_one_class = |text: &str| text.ends_with(".__init__") || text.ends_with(".__new__");
    let named = texts.filter(|text| !is_of_one_class(text)).filter_map(|text| text.rsplit('.').next());
    let mut replaced: FxHashSet<Name> = named.filter(|name| is_identifier(name)).map(Name::new).collect();
    // `initializer_mock(request, Client)`
    if code.tree.strings().any(|text| is_identifier(text) && is_mock(text) && text.contains("init")) {
        replaced.insert(Name::INIT);
    }
    replaced
}

fn speaks_of_mocks(code: &Code) -> bool {
    code.tree.strings().any(|text| is_identifier(text) && is_mock(text))
}

fn is_mock(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["mock", "patch", "stub"].iter().any(|word| name.contains(word))
}

fn is_identifier(text: &str) -> bool {
    text.len() < super::LONGEST_NAME
        && text.starts_with(|first: char| first == '_' || first.is_alphabetic())
        && text.chars().all(|char| char == '_' || char.is_alphanumeric())
}
