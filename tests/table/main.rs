//! Tables: built, probed, proven, damaged, interrupted.

mod closed;
mod commands;
mod damage;
mod exports;
mod forged;
mod full_disk;
mod golden;
mod growing;
mod interrupt;
mod outputs;
mod planted;
mod probing;
mod stats;
mod support;
mod unfinished;
