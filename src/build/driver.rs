//! Owns: levels in order, from a solver to the files of a table.

use super::{BuildError, Job, Options};
use crate::board::Board;
use crate::game::Game;
use crate::index::{Index, Layer};
use crate::progress::Progress;
use crate::retro::{Halt, Refusal};
use crate::table::{
    Manifest, Reader, Solved, TableError, TwoPlies, Values, file_name, fingerprint, forget_packed,
    levels, stake,
};
use crate::value::Code;
use std::path::Path;

/// A solver as the driver uses it: levels come upwards, each once.
pub trait Engine {
    /// A solved layer.
    type Solved: Values;

    /// Takes back a layer that was finished by an earlier build; `read` decodes its codes, if need be.
    fn recall(
        &mut self,
        layer: Layer,
        read: &dyn Fn() -> Result<Vec<[Code; 2]>, TableError>,
    ) -> Result<(), TableError>;

    /// Solves the layers of a level from those that it has been given before.
    fn solve(
        &mut self,
        layers: &[Layer],
        progress: &dyn Progress,
    ) -> Result<Vec<(Layer, Self::Solved)>, BuildError>;

    /// Takes a layer that has been written.
    fn keep(&mut self, layer: Layer, solved: Self::Solved) -> Result<(), TableError>;

    /// The level is in the manifest: what helps to go on with it can go.
    fn finished(&mut self) {}
}

/// A table under construction.
pub struct Site<'a> {
    pub job: &'a Job,
    pub options: &'a Options,
    pub directory: &'a Path,
    pub manifest: Manifest,
    pub progress: &'a dyn Progress,
}

/// What a halted solver means for the build.
pub fn halted(halt: Halt) -> BuildError {
    match halt {
        Halt::Stopped => BuildError::Stopped,
        halt => BuildError::Refused(Refusal::Halted(halt)),
    }
}

impl Site<'_> {
    /// Builds all levels that are not in the manifest.
    pub fn build<G: Game>(
        mut self,
        game: &G,
        index: &Index<G::Board>,
        mut engine: impl Engine,
    ) -> Result<Manifest, BuildError> {
        let levels = levels(game.shape().layering, self.job.top);
        let done = self.recall(game, index, &levels, &mut engine)?;
        let total = levels.len();
        for (number, layers) in levels.iter().enumerate().skip(done) {
            let names: Vec<String> = layers.iter().map(Layer::to_string).collect();
            let names = format!("{} ({} of {total})", names.join(" and "), number + 1);
            let positions = layers.iter().map(|&layer| index.positions(layer)).sum();
            self.progress.begin(&format!("solving {names}"), positions);
            let solved = engine.solve(layers, self.progress)?;
            self.progress.end();
            self.progress.begin(&format!("writing {names}"), positions);
            for (layer, values) in solved {
                self.write(game, index, layer, &values)?;
                engine.keep(layer, values)?;
            }
            self.manifest.write(self.directory)?;
            self.progress.end();
            engine.finished();
            for &layer in layers {
                forget_packed(self.directory, layer);
            }
        }
        Ok(self.manifest)
    }

    /// Tells how much there is to do, and that the first `done` levels are done.
    fn plan<B: Board>(&self, index: &Index<B>, levels: &[Vec<Layer>], done: usize) {
        let positions = |levels: &[Vec<Layer>]| {
            let layers = levels.iter().flatten();
            layers.map(|&layer| index.positions(layer)).sum::<u64>()
        };
        let (total, before) = (positions(levels), positions(&levels[..done]));
        if before < total {
            self.progress.plan("reading", before, 0);
        }
        self.progress.plan("solving", total, before);
        self.progress.plan("writing", total, before);
    }

    /// Gives finished layers back to the engine, if there is a level left that needs them, and says
    /// how many levels are finished.
    fn recall<G: Game>(
        &mut self,
        game: &G,
        index: &Index<G::Board>,
        levels: &[Vec<Layer>],
        engine: &mut impl Engine,
    ) -> Result<usize, BuildError> {
        // A file that is gone, by damage or because somebody was told to delete it, is built again, and
        // what is above it too.
        let there = |layer: &Layer| self.directory.join(file_name(*layer)).exists();
        let listed = |layer: &Layer| self.manifest.entry(*layer).is_some() && there(layer);
        // A level of two layers counts only with both: their entries come together.
        let done = levels.iter().take_while(|layers| layers.iter().all(listed));
        let done = done.count();
        let whole: usize = levels[..done].iter().map(Vec::len).sum();
        self.manifest.layers.truncate(whole);
        self.plan(index, levels, done);
        if done == levels.len() || done == 0 {
            return Ok(done);
        }
        let reader = Reader::open(self.directory, &self.manifest, &self.job.setup, game, 0)?;
        let entries = &self.manifest.layers;
        let positions = entries.iter().map(|entry| entry.positions).sum();
        self.progress.begin("reading finished layers", positions);
        for (file, entry) in entries.iter().enumerate() {
            if self.progress.stopped() {
                return Err(BuildError::Stopped);
            }
            let layer = reader.files()[file].layer;
            engine.recall(layer, &|| reader.codes(file))?;
            self.progress.advance(entry.positions);
        }
        self.progress.end();
        Ok(done)
    }

    fn write<G: Game>(
        &mut self,
        game: &G,
        index: &Index<G::Board>,
        layer: Layer,
        values: &dyn Values,
    ) -> Result<(), BuildError> {
        let solved = Solved {
            index,
            layer,
            stake: stake::<G>(layer),
            scored: G::SCORED,
            values,
            keep_distances: self.job.distances,
            batch: self.options.batch,
        };
        let fingerprint = fingerprint(&self.job.setup);
        let predictor = TwoPlies::new(game);
        let entry = solved.write(self.directory, &fingerprint, &predictor, self.progress)?;
        self.manifest.layers.push(entry.ok_or(BuildError::Stopped)?);
        Ok(())
    }
}
