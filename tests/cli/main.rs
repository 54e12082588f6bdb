//! The command line, tested by running it. One crate, because linking each test crate anew costs more
//! than running them.

mod hostile;
mod moves;
mod support;
mod usage;
