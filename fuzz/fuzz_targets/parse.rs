//! Any bytes, as a module or as a notebook: no panic, every range within the text, and no edit changes nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pytrope_source::{Edits, SourceFile, parse, suppressions};

fuzz_target!(|bytes: &[u8]| {
    for name in ["a.py", "a.pyi", "a.ipynb"] {
        let (file, errors) = SourceFile::from_bytes(name, bytes);
        let parsed = parse(&file);
        for node in parsed.tree.suite_nodes(parsed.tree.body()) {
            let range = node.range(&parsed.tree);
            assert!(range.start <= range.end && range.end as usize <= file.text().len());
            assert!(file.text().is_char_boundary(range.start as usize));
            assert!(file.text().is_char_boundary(range.end as usize));
        }
        for comment in suppressions(&parsed) {
            assert!(!file.slice(comment.range).is_empty());
        }
        let unchanged = Edits::new(&parsed).apply().expect("no edits cannot overlap");
        assert_eq!(unchanged, file.text());
        if errors.is_empty() {
            let written = file.encode(&unchanged).expect("what was decoded can be encoded");
            assert_eq!(written, bytes, "{name}");
        }
    }
});
