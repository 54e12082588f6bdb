//! Owns: the tables that `--tables` names: opened once, checked, and asked as one source of values.
//!
//! Opening is in two steps, because the boards that code is compiled for depend on the seeds: the
//! manifests ([`Shelf`]) say how many seeds the tables go up to, and whoever has picked a board that
//! holds them opens the files ([`Tables`]). Values are asked for deep inside searches that have no
//! way to fail, so trouble with a file is kept and told by [`Tables::sound`] in the end.

use super::Notes;
use super::build::failure;
use super::failure::Failure;
use crate::game::Game;
use crate::games::Setup;
use crate::index::{Layer, layer_of};
use crate::table::{CACHE, Manifest, Reader, TableError, fingerprint, words};
use crate::value::Value;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Tables of the rules at hand, their files not yet opened.
pub struct Shelf {
    found: Vec<(PathBuf, Manifest, Setup)>,
}

impl Shelf {
    /// Reads the manifests in `directories`. Tables of other rules than `setup` are left out, which
    /// `notes` tells.
    ///
    /// # Errors
    /// When a directory holds no table, or a damaged one.
    pub fn read(
        directories: &[PathBuf],
        setup: &Setup,
        notes: &Notes<'_>,
    ) -> Result<Self, Failure> {
        let mut found = Vec::new();
        for directory in directories {
            let manifest = Manifest::read(directory).map_err(|error| failure(&error))?;
            let of = manifest.setup(directory).map_err(|error| failure(&error))?;
            let (expected, holds) = (fingerprint(setup), fingerprint(&of));
            if expected == holds {
                found.push((directory.clone(), manifest, of));
            } else {
                notes(&format!(
                    "note: {} is a table of other rules and left out: expected {}, found {}",
                    directory.display(),
                    words(&expected),
                    words(&holds),
                ));
            }
        }
        Ok(Self { found })
    }

    /// Seeds that a board must hold to open all tables, and at least `seeds`.
    pub fn seeds(&self, seeds: u32) -> u32 {
        let tops = self
            .found
            .iter()
            .map(|(_, manifest, _)| Layer::from(manifest.seeds).seeds());
        tops.fold(seeds, u32::max)
    }

    /// Opens the files; decoded blocks of all tables together take at most `memory` bytes.
    ///
    /// # Errors
    /// When a file is damaged.
    pub fn open<G: Game>(&self, game: &G, memory: u64) -> Result<Tables<G>, Failure> {
        let each = CACHE.min(memory / self.found.len().max(1) as u64);
        let open = |(directory, manifest, setup): &(PathBuf, Manifest, Setup)| {
            Reader::open(directory, manifest, setup, game, each).map_err(|error| failure(&error))
        };
        Ok(Tables {
            game: game.clone(),
            readers: self.found.iter().map(open).collect::<Result<_, _>>()?,
            trouble: Mutex::new(None),
        })
    }
}

/// Open tables of one game.
pub struct Tables<G: Game> {
    game: G,
    readers: Vec<Reader<G>>,
    trouble: Mutex<Option<TableError>>,
}

impl<G: Game> Tables<G> {
    /// The same without distances, for those who ask for many values and need bounds alone.
    pub fn bounds_only(mut self) -> Self {
        let readers = self.readers.into_iter();
        self.readers = readers.map(Reader::bounds_only).collect();
        self
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.readers.is_empty()
    }

    /// Whether all of them hold distances.
    pub fn has_distances(&self) -> bool {
        self.readers.iter().all(Reader::has_distances)
    }

    /// The first table whose finished layers hold a board.
    pub fn covering(&self, board: G::Board) -> Option<&Reader<G>> {
        let layer = layer_of(self.game.shape(), board);
        let covers = |reader: &&Reader<G>| reader.file(layer).is_some();
        self.readers.iter().find(covers)
    }

    /// The value of a board in the first table that covers it.
    pub fn value(&self, board: G::Board) -> Option<Value> {
        self.readers.iter().find_map(|reader| {
            reader.value(board).unwrap_or_else(|error| {
                let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
                trouble.get_or_insert(error);
                None
            })
        })
    }

    /// Whether all values so far could be read.
    ///
    /// # Errors
    /// When one could not: what was made of the values is not to be trusted to be complete.
    pub fn sound(&self) -> Result<(), Failure> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.as_ref().map_or(Ok(()), |error| Err(failure(error)))
    }
}
