//! The `sowbase` command.

fn main() {}
