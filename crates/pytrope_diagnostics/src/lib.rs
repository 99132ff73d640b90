//! Rules, findings, and the formats they are printed in.
