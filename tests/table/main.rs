//! Tables: built, probed, proven, damaged, interrupted.

mod damage;
mod interrupt;
mod planted;
mod stats;
mod support;
