//! Owns: a table as a user has it: a directory, opened without knowing its game beforehand.
//!
//! Rules are compiled once a game and board width; [`Table`] picks the right ones from the manifest
//! and hides them behind [`Positions`], so that whoever probes by position text needs no type
//! parameter.

use super::error::TableError;
use super::manifest::{LayerEntry, Manifest, closed_words};
use super::read::{CACHE, LayerFile, Reader, levels};
use crate::board::{Board, Lanes};
use crate::game::Game;
use crate::games::{Seat, Setup, Visitor};
use crate::index::{Layer, layer_of};
use crate::notation::{NotationError, Position, parse_position};
use crate::value::Value;
use rayon::prelude::*;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a table gives no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProbeError {
    /// The text is no position.
    Notation(NotationError),
    /// A position on another board than the table's.
    Board {
        /// The table's board.
        expected: String,
        /// The position's.
        found: String,
    },
    /// The table does not go so far.
    NotCovered {
        /// The layer of the position.
        layer: Layer,
        /// The highest layer of the table.
        top: Layer,
        /// Whether the table is still to be built so far.
        unfinished: bool,
    },
    /// The table is damaged.
    Table(TableError),
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(error) => error.fmt(f),
            Self::Board { expected, found } => {
                write!(f, "expected a position of {expected}, found one of {found}")
            }
            Self::NotCovered {
                layer,
                unfinished: true,
                ..
            } => write!(f, "layer {layer} is not built yet; run the build again"),
            Self::NotCovered { layer, top, .. } => write!(
                f,
                "the position is in layer {layer}, the table goes up to {top}; build a larger one, or use solve"
            ),
            Self::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProbeError {}

/// A run of positions read from a block.
#[derive(Clone, Debug)]
pub struct Row {
    /// Place in the layer.
    pub rank: u64,
    /// The position, South to move unless the players' rows differ.
    pub position: Position,
    /// Its value; distances are 0 where the table has none.
    pub value: Value,
}

/// A table without its type parameter.
trait Positions: Send + Sync {
    fn layer(&self, position: &Position) -> Layer;
    fn value(&self, position: &Position) -> Result<Option<Value>, TableError>;
    fn place(&self, position: &Position) -> Option<(usize, u64, usize)>;
    fn values(&self, file: usize, block: u64, at: &[usize]) -> Result<Vec<Value>, TableError>;
    fn rows(&self, file: usize, block: u64) -> Result<Vec<Row>, TableError>;
    fn layers(&self) -> Vec<(Layer, u64)>;
    fn missing(&self) -> Vec<Layer>;
    fn check_hash(&self, file: usize) -> Result<(), TableError>;
}

impl<G: Game> Positions for Reader<G> {
    fn layer(&self, position: &Position) -> Layer {
        layer_of(self.game().shape(), position.board(self.game()))
    }

    fn value(&self, position: &Position) -> Result<Option<Value>, TableError> {
        Self::value(self, position.board(self.game()))
    }

    fn place(&self, position: &Position) -> Option<(usize, u64, usize)> {
        Self::place(self, position.board(self.game()))
    }

    fn values(&self, file: usize, block: u64, at: &[usize]) -> Result<Vec<Value>, TableError> {
        self.with_block(file, block, |block| {
            at.iter()
                .map(|&at| self.value_of(file, block.get(at)))
                .collect()
        })
    }

    fn rows(&self, file: usize, block: u64) -> Result<Vec<Row>, TableError> {
        let LayerFile {
            layer, geometry, ..
        } = &self.files()[file];
        let decoded = self.decode(file, block)?;
        let mut rows = Vec::with_capacity(decoded.codes().len());
        let seats = self.game().shape().seats;
        for run in geometry.runs(block) {
            let ranks = run.clone();
            for (rank, board) in ranks.zip(self.index().walk(*layer, run)) {
                let seat = seat_of(self.game(), board, seats);
                let value = self.value_of(file, decoded.get(rows.len()));
                rows.push(Row {
                    rank,
                    position: position_of(self.game(), board, seat, self.pits()),
                    value,
                });
            }
        }
        Ok(rows)
    }

    fn layers(&self) -> Vec<(Layer, u64)> {
        let files = self.files().iter();
        files
            .map(|file| (file.layer, file.geometry.blocks()))
            .collect()
    }

    fn missing(&self) -> Vec<Layer> {
        let all = levels(self.game().shape().layering, self.top());
        let all = all.into_iter().flatten();
        all.filter(|&layer| self.file(layer).is_none()).collect()
    }

    fn check_hash(&self, file: usize) -> Result<(), TableError> {
        self.files()[file].check_hash()
    }
}

/// Who is to move on a board, as far as it matters.
pub fn seat_of<G: Game>(game: &G, board: G::Board, seats: usize) -> Seat {
    match seats {
        2 if board.ring(0).get(game.shape().pits) == 1 => Seat::North,
        _ => Seat::South,
    }
}

/// The position that a board stands for, with nothing captured yet.
pub fn position_of<G: Game>(game: &G, board: G::Board, seat: Seat, pits: usize) -> Position {
    let blank = Position {
        pits: vec![0; pits],
        seat,
        captured: None,
    };
    blank.after(game, board, 0, true)
}

/// An opened table.
pub struct Table {
    directory: PathBuf,
    setup: Setup,
    manifest: Manifest,
    positions: Box<dyn Positions>,
}

struct Open<'a> {
    directory: &'a Path,
    manifest: &'a Manifest,
    setup: &'a Setup,
    cache: u64,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn Positions>, TableError>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let reader = Reader::open(self.directory, self.manifest, self.setup, game, self.cache)?;
        Ok(Box::new(reader))
    }
}

impl Table {
    /// Opens the table in a directory.
    ///
    /// ```
    /// use sowbase::table::Table;
    /// use sowbase::value::{Bound, Outcome};
    ///
    /// let table = Table::open("tables/giuthi-2x3".as_ref())?;
    /// let position = table.parse("2,0,1/0,3,1 N 2-3")?;
    /// let value = table.probe(&position)?;
    /// assert_eq!(value.outcome(position.lead()), Outcome::Win);
    /// assert_eq!(value.lower, Bound::Finite(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is none, or a file is damaged or belongs elsewhere.
    pub fn open(directory: &Path) -> Result<Self, TableError> {
        Self::open_with(directory, CACHE)
    }

    /// Opens a table that keeps `cache` bytes of decoded blocks in memory.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_with(directory: &Path, cache: u64) -> Result<Self, TableError> {
        let manifest = Manifest::read(directory)?;
        let setup = manifest.setup(directory)?;
        let open = Open {
            directory,
            manifest: &manifest,
            setup: &setup,
            cache,
        };
        let seeds = Layer::from(manifest.seeds).seeds();
        let positions = setup.visit(seeds, open).map_err(|error| {
            let list = directory.join(super::manifest::MANIFEST);
            TableError::foreign(
                &list,
                "seeds that a board holds",
                error.to_string(),
                "build it again",
            )
        })??;
        Ok(Self {
            directory: directory.to_owned(),
            setup,
            manifest,
            positions,
        })
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The game, its board and options.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// What the table holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The highest layer, finished or not.
    pub fn top(&self) -> Layer {
        self.manifest.seeds.into()
    }

    /// Finished layers with their number of blocks, in the order in which they were built.
    pub fn layers(&self) -> Vec<(Layer, u64)> {
        self.positions.layers()
    }

    /// Layers that are still to be built, in the order in which they will be; none in a finished table.
    pub fn missing(&self) -> Vec<Layer> {
        self.positions.missing()
    }

    /// The entry of the manifest for the layer at place `file` of [`Table::layers`].
    pub fn entry(&self, file: usize) -> &LayerEntry {
        &self.manifest.layers[file]
    }

    /// Reads the text of a position on the table's board.
    ///
    /// # Errors
    /// When it is none, or one of another board.
    pub fn parse(&self, text: &str) -> Result<Position, ProbeError> {
        let (setup, position) =
            parse_position(text, self.setup.rules()).map_err(ProbeError::Notation)?;
        if setup.columns() != self.setup.columns() || setup.closed() != self.setup.closed() {
            let board = |setup: &Setup| {
                let columns = match setup.columns() {
                    1 => "1 column".to_owned(),
                    columns => format!("{columns} columns"),
                };
                match closed_words(setup.closed()) {
                    None => columns,
                    Some(closed) => format!("{columns}, {closed}"),
                }
            };
            return Err(ProbeError::Board {
                expected: board(&self.setup),
                found: board(&setup),
            });
        }
        Ok(position)
    }

    fn check_board(&self, position: &Position) -> Result<(), ProbeError> {
        let (expected, found) = (self.setup.pits(), position.pits.len());
        if expected == found && self.fits(position) {
            return Ok(());
        }
        Err(ProbeError::Board {
            expected: format!("{expected} pits"),
            found: format!("{found} pits or more seeds"),
        })
    }

    /// Whether the seeds are few enough for the packed boards of the table.
    fn fits(&self, position: &Position) -> bool {
        position.seeds() <= self.top().seeds()
    }

    fn not_covered(&self, position: &Position) -> ProbeError {
        let (layer, top) = (self.positions.layer(position), self.top());
        let within = match (layer, top) {
            (Layer::Sides(a, b), Layer::Sides(c, d)) => {
                a.max(b) <= c.max(d) && a.min(b) <= c.min(d)
            }
            (a, b) => a <= b,
        };
        ProbeError::NotCovered {
            layer,
            top,
            unfinished: within,
        }
    }

    /// The value of a position. Without distances in the table they are 0.
    ///
    /// # Errors
    /// When the table does not cover it, or is damaged where it would say.
    pub fn probe(&self, position: &Position) -> Result<Value, ProbeError> {
        self.check(position)?;
        let value = self.positions.value(position).map_err(ProbeError::Table)?;
        value.ok_or_else(|| self.not_covered(position))
    }

    /// Whether the table has a value for a position, without reading it.
    ///
    /// # Errors
    /// Why it has none.
    pub fn covers(&self, position: &Position) -> Result<(), ProbeError> {
        self.check(position)?;
        match self.positions.place(position) {
            Some(_) => Ok(()),
            None => Err(self.not_covered(position)),
        }
    }

    fn check(&self, position: &Position) -> Result<(), ProbeError> {
        if position.pits.len() == self.setup.pits() && !self.fits(position) {
            let layer = Layer::Total(position.seeds().min(255) as u8);
            return Err(ProbeError::NotCovered {
                layer,
                top: self.top(),
                unfinished: false,
            });
        }
        self.check_board(position)
    }

    /// The values of many positions, in their order. Positions of the same block are read together,
    /// blocks in parallel, so that no block is decoded twice however small the cache is.
    pub fn probe_all(&self, positions: &[Position]) -> Vec<Result<Value, ProbeError>> {
        let mut places: Vec<(usize, u64, usize, usize)> = Vec::with_capacity(positions.len());
        let mut answers: Vec<Option<Result<Value, ProbeError>>> = vec![None; positions.len()];
        for (i, position) in positions.iter().enumerate() {
            match self.check(position) {
                Err(error) => answers[i] = Some(Err(error)),
                Ok(()) => match self.positions.place(position) {
                    Some((file, block, at)) => places.push((file, block, at, i)),
                    None => answers[i] = Some(Err(self.not_covered(position))),
                },
            }
        }
        places.par_sort_unstable();
        let groups: Vec<_> = places.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).collect();
        let found: Vec<Result<Vec<Value>, TableError>> = groups
            .par_iter()
            .map(|group| {
                let at: Vec<usize> = group.iter().map(|place| place.2).collect();
                self.positions.values(group[0].0, group[0].1, &at)
            })
            .collect();
        for (group, found) in groups.into_iter().zip(found) {
            for (k, place) in group.iter().enumerate() {
                answers[place.3] = Some(match &found {
                    Ok(values) => Ok(values[k]),
                    Err(error) => Err(ProbeError::Table(error.clone())),
                });
            }
        }
        answers
            .into_iter()
            .map(|answer| answer.expect("every position has an answer"))
            .collect()
    }

    /// The positions of a block of the layer at place `file` of [`Table::layers`], past the cache.
    ///
    /// # Errors
    /// When the block is damaged.
    pub fn rows(&self, file: usize, block: u64) -> Result<Vec<Row>, TableError> {
        self.positions.rows(file, block)
    }

    /// Compares the hash of a layer's whole file with what it should be.
    ///
    /// # Errors
    /// When it differs.
    pub fn check_hash(&self, file: usize) -> Result<(), TableError> {
        self.positions.check_hash(file)
    }
}
