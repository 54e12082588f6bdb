//! Owns: reading values out of a table's files, block by block.

use super::block::{Coder, Looks};
use super::cache::{Block, Cache, Slots};
use super::error::TableError;
use super::files::Places;
use super::format::{HASH_BYTES, Header, PlaneIndex, checksum, hash_text, place};
use super::geometry::Geometry;
use super::hint::TwoPlies;
use super::manifest::{LayerEntry, MANIFEST, Manifest, file_name, fingerprint};
use crate::board::{Board, Layering};
use crate::game::Game;
use crate::games::Setup;
use crate::index::{Index, Layer};
use crate::value::{Code, Distances, Value, decode};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// Bytes of decoded blocks that a table keeps unless told otherwise.
pub const CACHE: u64 = 512 << 20;

/// Bytes hashed at a time.
const PIECE: u64 = 1 << 20;

/// What is at stake in a layer: the seeds on the board, or one unit in a win-loss game.
pub fn stake<G: Game>(layer: Layer) -> u32 {
    if G::SCORED { layer.seeds() } else { 1 }
}

/// The levels that a table up to `top` holds, each before those that need it.
pub fn levels(layering: Layering, top: Layer) -> Vec<Vec<Layer>> {
    match (layering, top) {
        // Nothing is ever captured for good, so no layer needs another; a table has all the same.
        (Layering::Constant, Layer::Total(seeds)) => {
            (0..=seeds).map(|seeds| vec![Layer::Total(seeds)]).collect()
        }
        _ => top.levels_below(layering),
    }
}

/// A layer's file.
#[derive(Debug)]
pub struct LayerFile {
    /// The layer.
    pub layer: Layer,
    /// How it is cut into blocks.
    pub geometry: Geometry,
    path: PathBuf,
    places: Places,
    planes: Vec<PlaneIndex>,
    hash: String,
    stake: u32,
}

impl LayerFile {
    /// Opens the file and reads its header and indexes.
    fn open<B: Board>(
        path: PathBuf,
        entry: &LayerEntry,
        header: &Header,
        index: &Index<B>,
        stake: u32,
    ) -> Result<Self, TableError> {
        let io = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => TableError::missing(&path),
            _ => TableError::io(&path, "a layer of the table", &error),
        };
        let places = Places::open(&path).map_err(io)?;
        let size = places.size();
        let head = places
            .read(0, header.size().max(4200).min(size))
            .map_err(io)?;
        header.check(&path, &head)?;
        if size != entry.bytes {
            let (expected, found) = (format!("{} bytes", entry.bytes), format!("{size} bytes"));
            return Err(TableError::damaged(&path, expected, found));
        }
        let mut at = header.size();
        let mut planes = Vec::new();
        for plane in 0..usize::from(header.planes) {
            let end = at.saturating_add(PlaneIndex::size(header.blocks));
            let bytes = places.read(at, end).map_err(io)?;
            let index =
                PlaneIndex::parse(&bytes, header.layer, plane, at, size).ok_or_else(|| {
                    TableError::damaged(&path, "an index that fits its checksum", "another")
                })?;
            at = index.end();
            planes.push(index);
        }
        if at + HASH_BYTES != size {
            return Err(TableError::damaged(
                &path,
                "the end of the last block",
                "more or less",
            ));
        }
        Ok(Self {
            layer: header.layer,
            geometry: Geometry::new(index, header.layer),
            places,
            planes,
            hash: entry.hash.clone(),
            stake,
            path,
        })
    }

    /// The bytes of a block, checked.
    fn bytes(&self, plane: usize, block: u64) -> Result<Vec<u8>, TableError> {
        let (start, end, sum) = self.planes[plane].block(block);
        let io = |error: std::io::Error| TableError::io(&self.path, "a block", &error);
        let bytes = self.places.read(start, end).map_err(io)?;
        if checksum(&bytes, place(self.layer, plane, Some(block))) != sum {
            let expected = format!("block {block} of plane {plane} to fit its checksum");
            return Err(TableError::damaged(&self.path, expected, "other bytes"));
        }
        Ok(bytes)
    }

    /// Compares the hash of the whole file with that at its end and in the manifest.
    ///
    /// # Errors
    /// When they differ, or the file cannot be read.
    pub fn check_hash(&self) -> Result<(), TableError> {
        let io = |error: std::io::Error| TableError::io(&self.path, "a layer", &error);
        let covered = self.places.size() - HASH_BYTES;
        let mut hasher = Xxh3::new();
        let mut at = 0;
        while at < covered {
            let end = (at + PIECE).min(covered);
            hasher.update(&self.places.read(at, end).map_err(io)?);
            at = end;
        }
        let tail = self
            .places
            .read(covered, covered + HASH_BYTES)
            .map_err(io)?;
        let hash = hasher.digest128();
        if tail != hash.to_le_bytes() || hash_text(hash) != self.hash {
            let expected = format!("a file with hash {}", self.hash);
            return Err(TableError::damaged(&self.path, expected, hash_text(hash)));
        }
        Ok(())
    }
}

/// A table read by the rules of its game.
pub struct Reader<G: Game> {
    game: G,
    index: Index<G::Board>,
    top: Layer,
    files: Vec<LayerFile>,
    /// The place in `files` of the layer with so many seeds, or so many of the mover's and the other's.
    numbers: Vec<Option<usize>>,
    slots: Vec<Slots>,
    cache: Cache,
    coders: Mutex<Vec<Coder>>,
    distances: bool,
    pits: usize,
}

/// Where a layer is listed.
#[inline(always)]
fn number(layer: Layer) -> usize {
    match layer {
        Layer::Total(seeds) => usize::from(seeds),
        Layer::Sides(own, other) => usize::from(own) << 8 | usize::from(other),
    }
}

impl<G: Game> Reader<G> {
    /// Opens the files that `manifest` lists; `cache` bytes of decoded blocks are kept.
    ///
    /// # Errors
    /// When a file is damaged or belongs elsewhere.
    pub fn open(
        directory: &Path,
        manifest: &Manifest,
        setup: &Setup,
        game: &G,
        cache: u64,
    ) -> Result<Self, TableError> {
        let list = directory.join(MANIFEST);
        let top = Layer::from(manifest.seeds);
        let index = Index::new(game.shape(), top).map_err(|error| {
            TableError::foreign(
                &list,
                "layers that can be numbered",
                error.to_string(),
                "build it again",
            )
        })?;
        let layers: Vec<Layer> = levels(game.shape().layering, top)
            .into_iter()
            .flatten()
            .collect();
        let fingerprint = fingerprint(setup);
        let mut numbers = vec![
            None;
            layers
                .iter()
                .map(|&layer| number(layer) + 1)
                .max()
                .unwrap_or(0)
        ];
        let mut files = Vec::new();
        for (entry, &layer) in manifest.layers.iter().zip(&layers) {
            if entry.layer != layer.to_string() || entry.positions != index.positions(layer) {
                let expected = format!("layer {layer}, {} positions", index.positions(layer));
                let found = format!("layer {}, {}", entry.layer, entry.positions);
                return Err(TableError::damaged(&list, expected, found));
            }
            let header = Header {
                fingerprint: fingerprint.clone(),
                layer,
                positions: entry.positions,
                blocks: Geometry::new(&index, layer).blocks(),
                planes: 1 + u8::from(manifest.distances),
            };
            let path = directory.join(file_name(layer));
            numbers[number(layer)] = Some(files.len());
            files.push(LayerFile::open(
                path,
                entry,
                &header,
                &index,
                stake::<G>(layer),
            )?);
        }
        if manifest.layers.len() > files.len() {
            let expected = format!("{} layers", files.len());
            return Err(TableError::damaged(&list, expected, "more"));
        }
        let slots = files
            .iter()
            .map(|file| {
                (0..file.geometry.blocks())
                    .map(|_| Mutex::new(None))
                    .collect()
            })
            .collect();
        Ok(Self {
            game: game.clone(),
            index,
            top,
            files,
            numbers,
            slots,
            cache: Cache::new(cache),
            coders: Mutex::new(Vec::new()),
            distances: manifest.distances,
            pits: setup.pits(),
        })
    }

    /// One that leaves distances alone: values come with 0 for them, in little more than half the time
    /// where a block has to be decoded.
    pub fn bounds_only(mut self) -> Self {
        self.distances = false;
        self
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How positions are numbered.
    pub fn index(&self) -> &Index<G::Board> {
        &self.index
    }

    /// Pits on the whole board.
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// The highest layer, finished or not.
    pub fn top(&self) -> Layer {
        self.top
    }

    /// Whether it holds distances.
    pub fn has_distances(&self) -> bool {
        self.distances
    }

    /// The files of finished layers.
    pub fn files(&self) -> &[LayerFile] {
        &self.files
    }

    /// Where the file of a layer is listed, if the layer is finished.
    #[inline(always)]
    pub fn file(&self, layer: Layer) -> Option<usize> {
        self.numbers.get(number(layer)).copied().flatten()
    }

    /// The block and the place in it of a board: file, block, place; `None` where its layer is not
    /// finished.
    #[inline(always)]
    pub fn place(&self, board: G::Board) -> Option<(usize, u64, usize)> {
        let file = self.file(self.index.layer(board))?;
        let (block, at) = self.files[file].geometry.place(self.index.rank(board));
        Some((file, block, at))
    }

    /// The value of a board; `None` where its layer is not finished. Without distances in the table
    /// they are 0.
    ///
    /// # Errors
    /// When the block is damaged.
    #[inline(always)]
    pub fn value(&self, board: G::Board) -> Result<Option<Value>, TableError> {
        let Some((file, block, at)) = self.place(board) else {
            return Ok(None);
        };
        self.with_block(file, block, |block| block.get(at))
            .map(|found| Some(self.value_of(file, found)))
    }

    /// The value that codes and distances in a file stand for.
    #[inline(always)]
    pub fn value_of(&self, file: usize, (codes, distances): ([Code; 2], [u16; 2])) -> Value {
        let stake = self.files[file].stake;
        Value {
            lower: decode(codes[0], stake),
            upper: decode(codes[1], stake),
            lower_distance: distances[0],
            upper_distance: distances[1],
        }
    }

    /// Reads from a block, decoding it if it is not in memory.
    ///
    /// # Errors
    /// When the block is damaged.
    #[inline(always)]
    pub fn with_block<T>(
        &self,
        file: usize,
        block: u64,
        read: impl FnOnce(&Block) -> T,
    ) -> Result<T, TableError> {
        let load = || self.decode(file, block);
        self.cache.with(&self.slots, (file, block), load, read)
    }

    /// Decodes a block, past the cache.
    ///
    /// # Errors
    /// When it is damaged.
    #[cold]
    pub fn decode(&self, file: usize, block: u64) -> Result<Block, TableError> {
        self.decode_part(file, block, self.distances)
    }

    /// Decodes a block with or without its distances.
    fn decode_part(&self, file: usize, block: u64, distances: bool) -> Result<Block, TableError> {
        let file = &self.files[file];
        let values = file.bytes(0, block)?;
        let distances = match distances {
            true => Some(file.bytes(1, block)?),
            false => None,
        };
        let predictor = TwoPlies::new(&self.game);
        let looks = Looks::new(
            &self.index,
            file.layer,
            block,
            file.stake,
            G::SCORED,
            &predictor,
        );
        let coders = || self.coders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut coder = coders().pop().unwrap_or_default();
        let codes = looks.decode_values(&mut coder, &values);
        let codes = codes.ok_or_else(|| {
            TableError::damaged(&file.path, format!("values in block {block}"), "none")
        });
        let distances = match (&codes, distances) {
            (Ok(codes), Some(bytes)) => looks.decode_distances(&mut coder, codes, &bytes),
            _ => Vec::new(),
        };
        coders().push(coder);
        Ok(Block::new(codes?, distances))
    }
}

impl<G: Game> Reader<G> {
    /// The codes of a whole layer by rank, its blocks decoded in parallel.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn codes(&self, file: usize) -> Result<Vec<[Code; 2]>, TableError> {
        let geometry = self.files[file].geometry;
        let blocks = self.blocks(file, false)?;
        let mut codes = vec![[0; 2]; geometry.positions() as usize];
        for (block, decoded) in blocks.iter().enumerate() {
            geometry.scatter(block as u64, decoded.codes(), &mut codes);
        }
        Ok(codes)
    }

    /// The codes and distances of a whole layer by rank; distances are 0 where the table has none.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn layer(&self, file: usize) -> Result<(Vec<[Code; 2]>, Distances), TableError> {
        let geometry = self.files[file].geometry;
        let positions = geometry.positions() as usize;
        let blocks = self.blocks(file, self.distances)?;
        let (mut codes, mut distances) = (vec![[0; 2]; positions], Distances::zeros(positions));
        for (block, decoded) in blocks.iter().enumerate() {
            geometry.scatter(block as u64, decoded.codes(), &mut codes);
            let ranks = geometry.runs(block as u64).flatten();
            for (at, rank) in ranks.enumerate() {
                distances.set(rank as usize, decoded.get(at).1);
            }
        }
        Ok((codes, distances))
    }

    fn blocks(&self, file: usize, distances: bool) -> Result<Vec<Block>, TableError> {
        let blocks = self.files[file].geometry.blocks();
        (0..blocks)
            .into_par_iter()
            .map(|block| self.decode_part(file, block, distances))
            .collect()
    }
}
