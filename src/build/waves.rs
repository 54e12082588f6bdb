//! Owns: the wave solver as the builder uses it: snapshots on the disk, and lower layers in memory or,
//! where they do not fit, mapped from files.

use super::checkpoint::Checkpoint;
use super::driver::{Engine, Site, halted};
use super::estimate::Means;
use super::{BuildError, maps};
use crate::board::Layering;
use crate::game::Game;
use crate::games::Visitor;
use crate::index::{Index, Layer};
use crate::progress::Progress;
use crate::retro::{LayerValues, Level, Refusal, Store, solve_level};
use crate::table::{InMemory, Manifest, TableError, Values, fingerprint};
use crate::value::{Code, Distance, Distances};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// Builds a table by waves.
pub struct Build<'a> {
    pub site: Site<'a>,
    pub means: Means,
}

impl Visitor for Build<'_> {
    type Output = Result<Manifest, BuildError>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let site = self.site;
        let top = site.job.top;
        let index = Index::<G::Board>::new(game.shape(), top).map_err(Refusal::TooLarge)?;
        let engine = Waves {
            game,
            store: Store::new(index.clone(), top),
            means: self.means,
            directory: site.directory,
            rules: fingerprint(&site.job.setup),
            snapshots: site.options.snapshots,
            checkpoint: None,
        };
        site.build(game, &index, engine)
    }
}

struct Waves<'a, G: Game> {
    game: &'a G,
    store: Store<G::Board>,
    means: Means,
    directory: &'a Path,
    rules: String,
    snapshots: Duration,
    /// That of the level at hand.
    checkpoint: Option<Checkpoint>,
}

impl<G: Game> Waves<'_, G> {
    fn keep_codes(&mut self, layer: Layer, codes: Vec<[Code; 2]>) -> Result<(), TableError> {
        if self.game.shape().layering == Layering::Constant {
            // No layer needs another.
            return Ok(());
        }
        if self.means.maps {
            self.store
                .lend(layer, maps::keep(self.directory, layer, &codes)?);
        } else {
            let distances = Distances::default();
            self.store.insert(layer, LayerValues { codes, distances });
        }
        Ok(())
    }
}

impl<G: Game> Engine for Waves<'_, G> {
    type Solved = LayerValues;

    fn recall(
        &mut self,
        layer: Layer,
        read: &dyn Fn() -> Result<Vec<[Code; 2]>, TableError>,
    ) -> Result<(), TableError> {
        if self.means.maps {
            let positions = self.store.index().positions(layer);
            if let Some(codes) = maps::recall(self.directory, layer, positions) {
                self.store.lend(layer, codes);
                return Ok(());
            }
        }
        self.keep_codes(layer, read()?)
    }

    fn solve(
        &mut self,
        layers: &[Layer],
        progress: &dyn Progress,
    ) -> Result<Vec<(Layer, LayerValues)>, BuildError> {
        let level = Level::new(self.store.index(), layers);
        let names: Vec<String> = layers.iter().map(Layer::to_string).collect();
        let checkpoint = self.checkpoint.insert(Checkpoint::new(
            self.directory,
            &format!("{} {}", self.rules, names.join(" and ")),
            level.positions(),
            self.snapshots,
        ));
        let room = self.means.room;
        let solved = solve_level(self.game, &self.store, &level, room, progress, checkpoint);
        solved.map_err(|halt| match checkpoint.trouble() {
            Some(error) => error.into(),
            None => halted(halt),
        })
    }

    fn keep(&mut self, layer: Layer, solved: LayerValues) -> Result<(), TableError> {
        self.keep_codes(layer, solved.codes)
    }

    fn finished(&mut self) {
        if let Some(checkpoint) = self.checkpoint.take() {
            checkpoint.remove();
        }
    }
}

impl Values for LayerValues {
    fn positions(&self) -> u64 {
        self.codes.len() as u64
    }

    fn read(
        &self,
        ranks: Range<u64>,
        codes: &mut Vec<[Code; 2]>,
        distances: &mut Vec<[Distance; 2]>,
    ) {
        let values = InMemory {
            codes: &self.codes,
            distances: &self.distances,
        };
        values.read(ranks, codes, distances);
    }
}
