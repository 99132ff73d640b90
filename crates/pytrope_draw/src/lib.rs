//! Pictures of shape flows: what a model does to shapes, as a table, as SVG and as HTML.
//!
//! A [`ShapeFlow`] is a tree of calls: a call of a container holds the calls that it makes. The crate knows no Python and
//! no files; it turns a flow into text. Every picture is self-contained: no script, no font and no address is loaded, and
//! colours follow the reader's preference for light or dark. Start reading at [`ShapeFlow`]; [`Markup`] keeps text from being
//! read as markup.

#![forbid(unsafe_code)]

mod flow;
mod html;
mod markup;
mod svg;
mod table;

pub use flow::{Call, FlowFailure, ShapeFlow, Work};
pub use html::{STYLE, to_html};
pub use markup::Markup;
pub use svg::to_svg;
pub use table::to_table;
