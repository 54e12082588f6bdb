//! Owns: tables of perfect play on disk: the file format, writing and reading.
//!
//! A table is a directory: `manifest.toml` ([`Manifest`]) and one file a layer, written once and never
//! changed. [`Table`] opens one without knowing its game beforehand; [`Reader`] is the same for code
//! that is generic over games.
//!
//! # A layer's file
//!
//! All numbers are little-endian.
//!
//! | Bytes | What |
//! |---|---|
//! | 8 | `SOWTABLE` |
//! | 4 | format version, [`format::VERSION`] |
//! | 4, then so many | fingerprint: game, columns, closed pits, rules that are not at their default, order of ranks, coder, predictor |
//! | 3 | layer: 0, seeds, 0; or 1, the mover's seeds, the opponent's |
//! | 1 | planes: 1 values, 2 values and distances |
//! | 8, 8 | positions, blocks in each plane |
//! | 8 | checksum (XXH3, 64 bits) of all before |
//! | for each plane: | |
//! | 16 a block | where it ends in the file, its checksum |
//! | 8 | checksum of these |
//! | … | the blocks |
//! | at the end: 16 | hash (XXH3, 128 bits) of all before |
//!
//! Checksums of indexes and blocks are seeded with layer, plane and number ([`format::place`]), so
//! that parts cannot change places.
//!
//! # A block
//!
//! At most [`geometry::BLOCK`] positions: a run of ranks, or, where a layer is a matrix of both sides,
//! a tile of it. The plane of values codes `lower` and `upper` of every position, the plane of distances
//! those of finite bounds ([`block`]): binary arithmetic coding, the probability of each bit mixed from
//! contexts. Blocks are independent, so a probe decodes one block a plane at most. What was tried and
//! how large tables are is in `docs/table-size.md`.

pub mod block;
mod cache;
mod coder;
mod error;
pub mod files;
pub mod format;
pub mod geometry;
mod hint;
mod manifest;
mod mixing;
mod packing;
mod probe;
mod read;
mod verify;
mod write;

pub use cache::Block;
pub use error::{TableError, Trouble};
pub use hint::{Hint, Predictor, TwoPlies};
pub use manifest::{
    LayerEntry, MANIFEST, Manifest, Seeds, closed_words, file_name, fingerprint, words,
};
pub use packing::{PACKED, forget_packed};
pub use probe::{ProbeError, Row, Table, position_of, seat_of};
pub use read::{CACHE, LayerFile, Reader, levels, stake};
pub use verify::{Fault, Verdict, verify};
pub use write::{BATCH, InMemory, Solved, Values};
