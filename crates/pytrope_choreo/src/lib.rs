//! Choreographies projected to one program per role.
