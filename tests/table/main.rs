//! Tables: built, probed, proven, damaged, interrupted.

mod commands;
mod damage;
mod exports;
mod interrupt;
mod planted;
mod stats;
mod support;
