//! Exact solver for sowing games: Giuthi, Bosh, Hawalis and Hus.

pub mod analysis;
pub mod board;
pub mod build;
pub mod config;
pub mod game;
pub mod games;
pub mod index;
pub mod notation;
pub mod plain;
pub mod progress;
pub mod retro;
pub mod table;
pub mod tally;
pub mod value;
