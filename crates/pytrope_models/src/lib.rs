//! What libraries do: model files in Python, and the primitives they stand on.
