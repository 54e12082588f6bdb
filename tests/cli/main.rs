//! The command line, tested by running it. One crate, because linking each test crate anew costs more
//! than running them.

mod bench;
mod configs;
mod hostile;
mod interrupts;
mod matches;
mod moves;
mod play;
mod puzzle;
mod results;
mod search;
mod solve;
mod support;
mod usage;
