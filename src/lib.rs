//! Exact solver for sowing games: Giuthi, Bosh, Hawalis and Hus.

pub mod board;
pub mod game;
pub mod games;
pub mod notation;
pub mod plain;
pub mod progress;
pub mod retro;
pub mod value;
