//! Files, parsing, positions, comments, notebooks, module lookup and text edits.
