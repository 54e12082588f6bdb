//! Owns: proving a table: checksums, then every value of every position by the plain rules.
//!
//! # Why it is a proof
//!
//! Layers are taken upwards, so lower ones count as right. Call the player whom a finite bound serves
//! its owner. For every position three things are checked ([`proof`]):
//!
//! - (a) each bound equals the best that its moves give;
//! - (b) where the owner moves, the distance is one more than the least among moves that keep the
//!   bound, a move that leaves the layer counting 0;
//! - (c) where the other moves, the distance is one more than the greatest time in which any reply
//!   has given the owner at least the bound.
//!
//! *Finite bounds can be forced:* by (b) and (c) the owner always has play that keeps the bound or
//! betters it while the distance falls, until the layer is left or the game over; induct on the
//! bound from the owner's best down, then on the distance. *No more can be forced in a game that ends:*
//! by (a) no move of the owner gives more, and the other always has a reply that gives no more.
//! *Infinite bounds:* if `lower` is −∞ then by (a) all moves lead to positions whose `upper` is +∞,
//! and there the opponent has a move that leads back to such positions: no end can be forced. *Distances are
//! right to the ply:* take a wrong one for which the lesser of the claimed and the true distance is
//! least of all; (b) or (c) derives it from distances that are less than that and so right, hence it is
//! right itself.
//!
//! A cycle whose values were all shifted alike satisfies (a), but its distances cannot all be one more
//! than another's. In a win-loss game the outcome is proven this way; of the other bound, which has no
//! distance, (a) is checked.
//!
//! The plain rules share no code with the fast ones. Positions are numbered by the index, as the
//! table's are.

mod proof;

use super::error::TableError;
use super::manifest::Manifest;
use super::read::{Reader, levels};
use crate::game::Game;
use crate::games::Visitor;
use crate::index::Layer;
use crate::notation::Position;
use crate::progress::Progress;
use crate::value::{Code, Distance};
use proof::Prover;
use rayon::prelude::*;
use std::path::Path;

/// Most faulty positions that are named.
pub const NAMED: usize = 10;

/// Positions that a thread proves at a time.
const CHUNK: u64 = 1 << 12;

/// A position whose stored value is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its layer.
    pub layer: Layer,
    /// Its place there.
    pub rank: u64,
    /// The position.
    pub position: Position,
    /// What is stored and what is right.
    pub what: String,
}

/// What verifying found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Layers looked at: those that are built, which may not be all
    /// ([`Table::missing`](crate::table::Table::missing)).
    pub layers: usize,
    /// Positions looked at.
    pub positions: u64,
    /// Positions with a wrong value.
    pub faulty: u64,
    /// The first of them.
    pub faults: Vec<Fault>,
    /// Whether every value is proven; without distances they are only seen to agree with each other.
    pub proven: bool,
}

/// The values of a layer by rank; no distances where they are not needed or not kept.
#[derive(Debug, Default)]
struct Values {
    codes: Vec<[Code; 2]>,
    distances: Vec<[Distance; 2]>,
}

/// Verifies the table in a directory; `None` when stopped.
///
/// # Errors
/// When a file is damaged or belongs elsewhere: then nothing can be proven.
pub fn verify(directory: &Path, progress: &dyn Progress) -> Result<Option<Verdict>, TableError> {
    let manifest = Manifest::read(directory)?;
    let setup = manifest.setup(directory)?;
    let verifying = Verifying {
        directory,
        manifest: &manifest,
        setup: &setup,
        progress,
    };
    let seeds = Layer::from(manifest.seeds).seeds();
    setup.visit(seeds, verifying).map_err(|error| {
        let list = directory.join(super::manifest::MANIFEST);
        TableError::damaged(&list, "seeds that a board holds", error.to_string())
    })?
}

struct Verifying<'a> {
    directory: &'a Path,
    manifest: &'a Manifest,
    setup: &'a crate::games::Setup,
    progress: &'a dyn Progress,
}

impl Visitor for Verifying<'_> {
    type Output = Result<Option<Verdict>, TableError>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let reader = Reader::open(self.directory, self.manifest, self.setup, game, 0)?;
        let files = reader.files();
        let all = files.iter().map(|file| file.geometry.positions()).sum();
        self.progress.begin("checksums", all);
        for file in files {
            if self.progress.stopped() {
                return Ok(None);
            }
            file.check_hash()?;
            self.progress.advance(file.geometry.positions());
        }
        self.progress.end();
        let mut verdict = Verdict {
            proven: reader.has_distances(),
            ..Verdict::default()
        };
        let mut layers: Vec<Values> = Vec::new();
        for level in levels(game.shape().layering, reader.top()) {
            let numbers: Vec<usize> = level
                .iter()
                .filter_map(|&layer| reader.file(layer))
                .collect();
            if numbers.len() < level.len() {
                break;
            }
            for &file in &numbers {
                layers.push(read_layer(&reader, file)?);
            }
            let prover = Prover::new(&reader, self.setup, &layers);
            for &file in &numbers {
                let positions = layers[file].codes.len() as u64;
                let layer = files[file].layer;
                self.progress.begin(&format!("proving {layer}"), positions);
                if !self.layer(&prover, file, &mut verdict) {
                    return Ok(None);
                }
                self.check_counts(file, &layers[file], &prover)?;
                self.progress.end();
            }
            for &file in &numbers {
                // Only the level itself needs its distances.
                layers[file].distances = Vec::new();
            }
        }
        Ok(Some(verdict))
    }
}

impl Verifying<'_> {
    /// Proves a layer; `false` when stopped.
    fn layer<G: Game>(&self, prover: &Prover<'_, G>, file: usize, verdict: &mut Verdict) -> bool {
        let positions = prover.positions(file);
        let found: Option<Vec<(u64, Vec<Fault>)>> = (0..positions.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                if self.progress.stopped() {
                    return None;
                }
                let ranks = chunk * CHUNK..((chunk + 1) * CHUNK).min(positions);
                let count = ranks.end - ranks.start;
                let found = prover.prove(file, ranks);
                self.progress.advance(count);
                Some(found)
            })
            .collect();
        let Some(found) = found else {
            return false;
        };
        verdict.layers += 1;
        verdict.positions += positions;
        for (faulty, faults) in found {
            verdict.faulty += faulty;
            let room = NAMED - verdict.faults.len();
            verdict.faults.extend(faults.into_iter().take(room));
        }
        true
    }

    /// Compares the manifest's counts with the layer's values.
    fn check_counts<G: Game>(
        &self,
        file: usize,
        values: &Values,
        prover: &Prover<'_, G>,
    ) -> Result<(), TableError> {
        let mut found = prover.tally(file, values);
        let listed = self.manifest.layers[file].tally();
        if values.distances.is_empty() {
            // Counted when it was built, and not kept.
            (found.max_distance, found.sum_distance) = (listed.max_distance, listed.sum_distance);
        }
        if found == listed {
            return Ok(());
        }
        let list = self.directory.join(super::manifest::MANIFEST);
        let layer = &self.manifest.layers[file].layer;
        Err(TableError::damaged(
            &list,
            format!("the counts of layer {layer}, {found:?}"),
            format!("{listed:?}"),
        ))
    }
}

/// Decodes a layer, its blocks in parallel.
fn read_layer<G: Game>(reader: &Reader<G>, file: usize) -> Result<Values, TableError> {
    let geometry = reader.files()[file].geometry;
    let blocks: Vec<_> = (0..geometry.blocks())
        .into_par_iter()
        .map(|block| reader.decode(file, block))
        .collect::<Result<_, _>>()?;
    let positions = geometry.positions() as usize;
    let mut values = Values {
        codes: vec![[0; 2]; positions],
        distances: Vec::new(),
    };
    if reader.has_distances() {
        values.distances = vec![[0; 2]; positions];
    }
    for (number, block) in blocks.iter().enumerate() {
        let number = number as u64;
        geometry.scatter(number, block.codes(), &mut values.codes);
        if reader.has_distances() {
            let all = 0..block.codes().len();
            let distances: Vec<[Distance; 2]> = all.map(|at| block.get(at).1).collect();
            geometry.scatter(number, &distances, &mut values.distances);
        }
    }
    Ok(values)
}
