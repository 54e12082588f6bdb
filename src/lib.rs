//! Exact solver for sowing games (mancala): Giuthi, Bosh, Hawalis and Hus.
//!
//! # The way of the data
//!
//! ```text
//! solver-configs/*.toml ─┐
//! position text ─ notation ─┴─► games (rules) ─► index (rank) ─► retro | search ─► value
//!                                                                  │
//!                                     table (format) ◄── build ◄───┘    table ─► analysis, export, cli
//! ```
//!
//! One direction, no way back; `scripts/check-imports` keeps it so.
//!
//! # The map
//!
//! | Module | Owns |
//! |---|---|
//! | [`board`] | packed words, sowing in O(1) a lap, endless relays |
//! | [`game`] | the trait that every game fills, moves and what they do |
//! | [`batch`] | the moves of many positions played together |
//! | [`games`] | the rules, one file a game; options; the way from a name to rules |
//! | [`notation`] | text of positions and moves, both ways |
//! | [`index`] | layers, rank and unrank, walking a layer in order |
//! | [`value`] | bounds, distances, and their one-byte code |
//! | [`retro`] | values of all positions of a layer: the wave solver, bit rows for Hawalis, the naive one |
//! | [`search`] | values without tables: proof search right about repetition, analysis search, time for both |
//! | [`analysis`] | what values say: the worth of each move, a line of best play |
//! | [`plain`] | the rules once more, seed by seed: oracle of tests and of verification |
//! | [`perft`] | paths of so many plies |
//! | [`tally`] | counts of a layer |
//! | [`table`] | tables on disk: the file format, writing, reading, verifying |
//! | [`export`] | tables for other programs: text, Parquet, arrays |
//! | [`build`] | building a table: solving, writing, going on after an interruption |
//! | [`puzzle`] | what puzzles ask, whether they are sound, their solutions, finding them |
//! | [`rounds`] | Bosh as a match: its states between rounds, what they are worth, its course |
//! | [`config`] | solver-configs, as typed and then resolved |
//! | [`progress`] | how long work tells of itself and is told to stop |
//! | [`cli`] | the command line: one file a command |

pub mod analysis;
pub mod batch;
pub mod board;
pub mod build;
pub mod cli;
pub mod config;
pub mod export;
pub mod game;
pub mod games;
pub mod index;
pub mod notation;
pub mod perft;
pub mod plain;
pub mod progress;
pub mod puzzle;
pub mod retro;
pub mod rounds;
pub mod search;
pub mod table;
pub mod tally;
pub mod value;
