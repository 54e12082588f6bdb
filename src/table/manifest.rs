//! Owns: `manifest.toml`, the readable list of what a table holds.
//!
//! Its first line is a checksum of all others, and a text counts as a manifest only if writing it
//! anew gives the same bytes, so that no change to it goes unnoticed.

use super::block::CODER;
use super::error::TableError;
use super::files::write_whole;
use super::format::{VERSION, checksum};
use super::geometry::BLOCK;
use super::hint::PREDICTOR;
use crate::games::{BETWEEN_ROUNDS, GameName, OPENING, Rules, Setup};
use crate::index::{Layer, ORDER};
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Name of the file in a table's directory.
pub const MANIFEST: &str = "manifest.toml";

/// Most bytes of a manifest that are read: a layer takes about 300.
const MOST_BYTES: u64 = 64 << 20;

/// Seeds up to which a table goes, as typed: a total, or the most of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Seeds {
    /// Seeds on the board.
    Total(u8),
    /// Seeds of either side.
    Sides([u8; 2]),
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Total(seeds) => write!(f, "seeds = {seeds}"),
            Self::Sides([own, other]) => write!(f, "seeds = [{own}, {other}]"),
        }
    }
}

impl From<Layer> for Seeds {
    fn from(layer: Layer) -> Self {
        match layer {
            Layer::Total(seeds) => Self::Total(seeds),
            Layer::Sides(own, other) => Self::Sides([own, other]),
        }
    }
}

impl From<Seeds> for Layer {
    fn from(seeds: Seeds) -> Self {
        match seeds {
            Seeds::Total(seeds) => Self::Total(seeds),
            Seeds::Sides([own, other]) => Self::Sides(own, other),
        }
    }
}

/// A finished layer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerEntry {
    /// Its name, as in `5-4`.
    pub layer: String,
    /// Positions in it.
    pub positions: u64,
    /// Won for the player to move, at lead 0.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// With two different bounds.
    pub lower_ne_upper: u64,
    /// With `lower` −∞.
    pub lower_infinite: u64,
    /// With `upper` +∞.
    pub upper_infinite: u64,
    /// Greatest distance of a decided position.
    pub max_distance: u64,
    /// Sum of the distances of decided positions.
    pub sum_distance: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// Bytes of the plane of values.
    pub value_bytes: u64,
    /// Bytes of the plane of distances.
    pub distance_bytes: u64,
    /// Hash that the file ends with.
    pub hash: String,
}

impl LayerEntry {
    /// The counts.
    pub fn tally(&self) -> Tally {
        Tally {
            positions: self.positions,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            lower_ne_upper: self.lower_ne_upper,
            lower_infinite: self.lower_infinite,
            upper_infinite: self.upper_infinite,
            max_distance: self.max_distance,
            sum_distance: self.sum_distance,
        }
    }
}

/// What a table holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the layout.
    pub format: u32,
    /// Program and version that built it.
    pub built_by: String,
    /// The game.
    pub game: String,
    /// Columns of the board.
    pub columns: usize,
    /// Seeds up to which it goes.
    pub seeds: Seeds,
    /// Whether it holds distances.
    pub distances: bool,
    /// Closed pits of South and North; left out where there are none.
    #[serde(default, skip_serializing_if = "none_closed")]
    pub closed: [u16; 2],
    /// Options of the rules that are not at their default.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
    /// Finished layers in the order in which they were built.
    #[serde(default)]
    pub layers: Vec<LayerEntry>,
}

fn none_closed(closed: &[u16; 2]) -> bool {
    *closed == [0, 0]
}

/// The text that tells tables apart: everything that values, or the bytes they are coded in, depend
/// on.
pub fn fingerprint(setup: &Setup) -> String {
    let [south, north] = setup.closed();
    let mut text = format!(
        "{} columns={} closed={south},{north}",
        setup.game(),
        setup.columns()
    );
    for (name, value) in deviations(setup) {
        text += &format!(" {name}={value}");
    }
    text + &format!("; order={ORDER} coder={CODER} predictor={PREDICTOR} block={BLOCK}")
}

/// A fingerprint in the words of a solver-config; how the bytes are laid out is left out.
///
/// ```
/// use sowbase::games::{GameName, Rules, Setup};
/// use sowbase::table::{fingerprint, words};
///
/// let setup = Setup::with_closed(5, Rules::new(GameName::Bosh), [0b1, 0b11000]).unwrap();
/// assert_eq!(
///     words(&fingerprint(&setup)),
///     r#"bosh, columns = 5, closed = { south = "a", north = "de" }"#
/// );
/// ```
pub fn words(fingerprint: &str) -> String {
    let rules = rules_of(fingerprint);
    let word = |word: &str| match word.split_once('=') {
        None => Some(word.to_owned()),
        Some(("closed", masks)) => {
            let mut masks = masks.split(',').map(|mask| mask.parse().unwrap_or(0));
            let mut next = || masks.next().unwrap_or(0);
            closed_words([next(), next()])
        }
        Some((name, value)) => Some(format!("{name} = {value}")),
    };
    let all: Vec<String> = rules.split(' ').filter_map(word).collect();
    all.join(", ")
}

/// What a fingerprint says of the rules; the rest of it is about bytes.
pub fn rules_of(fingerprint: &str) -> &str {
    fingerprint.split("; ").next().unwrap_or(fingerprint)
}

/// Closed pits as a solver-config names them; nothing where there are none.
pub fn closed_words(closed: [u16; 2]) -> Option<String> {
    let row = |(owner, mask): (&str, u16)| {
        let pits = ('a'..).enumerate().take(16);
        let pits = pits.filter(|(pit, _)| mask >> pit & 1 == 1);
        let names: String = pits.map(|(_, letter)| letter).collect();
        (mask != 0).then(|| format!("{owner} = \"{names}\""))
    };
    let rows: Vec<String> = ["south", "north"]
        .into_iter()
        .zip(closed)
        .filter_map(row)
        .collect();
    (!rows.is_empty()).then(|| format!("closed = {{ {} }}", rows.join(", ")))
}

/// Set moves of the opening say where play begins, and some options what comes between rounds: neither
/// what positions are worth.
fn deviations(setup: &Setup) -> impl Iterator<Item = (String, String)> {
    let all = setup.rules().deviations();
    all.into_iter()
        .filter(|(name, _)| name != OPENING && !BETWEEN_ROUNDS.contains(&name.as_str()))
}

/// Name of the file of a layer.
pub fn file_name(layer: Layer) -> String {
    format!("{layer}.sow")
}

impl Manifest {
    /// A table without layers yet.
    pub fn new(setup: &Setup, top: Layer, distances: bool) -> Self {
        Self {
            format: VERSION,
            built_by: format!("sowbase {}", env!("CARGO_PKG_VERSION")),
            game: setup.game().to_string(),
            columns: setup.columns(),
            seeds: top.into(),
            distances,
            closed: setup.closed(),
            rules: deviations(setup).collect(),
            layers: Vec::new(),
        }
    }

    /// The text of the file.
    ///
    /// # Panics
    /// Never: every field has a form in TOML.
    pub fn text(&self) -> String {
        let body = toml::to_string(self).expect("a manifest can be written as TOML");
        let sum = checksum(body.as_bytes(), 0);
        format!("checksum = \"{sum:016x}\" # of all below: change nothing by hand\n{body}")
    }

    /// Reads a table's manifest.
    ///
    /// # Errors
    /// When there is none, or it is not as written.
    pub fn read(directory: &Path) -> Result<Self, TableError> {
        let path = directory.join(MANIFEST);
        let io = |error: std::io::Error| TableError::io(&path, "a table's manifest", &error);
        let places = super::files::Places::open(&path).map_err(io)?;
        if places.size() > MOST_BYTES {
            let found = format!("{} bytes", places.size());
            return Err(TableError::damaged(&path, "a manifest", found));
        }
        let bytes = places.read(0, places.size()).map_err(io)?;
        Self::parse(&path, &bytes)
    }

    /// Reads the bytes of a manifest; `path` is for errors.
    ///
    /// # Errors
    /// When they are not what [`Manifest::text`] writes, or of another version.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, TableError> {
        let damaged = |found: &str| {
            TableError::damaged(path, "a manifest exactly as sowbase wrote it", found)
        };
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("bytes that are no text"))?;
        let body = text.split_once('\n').map_or("", |(_, body)| body);
        let sum = format!("checksum = \"{:016x}\"", checksum(body.as_bytes(), 0));
        let table: toml::Table = body.parse().map_err(|_| damaged("text that is not TOML"))?;
        let version = table.get("format").and_then(toml::Value::as_integer);
        if let Some(version) =
            version.filter(|&v| v != i64::from(VERSION) && text.starts_with(&sum))
        {
            return Err(TableError::foreign(
                path,
                format!("format version {VERSION}"),
                format!("version {version}"),
                "use the release of sowbase that wrote it, or build the table again",
            ));
        }
        if !text.starts_with(&sum) {
            return Err(damaged("a checksum that does not fit the text"));
        }
        let manifest: Self = toml::from_str(body).map_err(|e| damaged(e.message()))?;
        if manifest.text() != text {
            return Err(damaged("another spelling of it"));
        }
        Ok(manifest)
    }

    /// Writes the manifest into a table's directory.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), TableError> {
        write_whole(&directory.join(MANIFEST), &[self.text().as_bytes()])
    }

    /// The game, columns and options.
    ///
    /// # Errors
    /// When they are none that this version can play.
    pub fn setup(&self, directory: &Path) -> Result<Setup, TableError> {
        let path = directory.join(MANIFEST);
        let foreign = |found: String| {
            TableError::foreign(
                &path,
                "a game and rules that this version knows",
                found,
                "use a release of sowbase that knows them",
            )
        };
        let game: GameName = self.game.parse().map_err(|e| foreign(format!("{e}")))?;
        let mut rules = Rules::new(game);
        for (name, value) in &self.rules {
            rules.set(name, value).map_err(|e| foreign(e.to_string()))?;
        }
        let columns = game.columns().contains(&self.columns);
        let closed = self
            .closed
            .iter()
            .all(|&mask| u32::from(mask) >> self.columns.min(16) == 0);
        let closes = game.closes_pits() || self.closed == [0, 0];
        let sides = matches!(self.seeds, Seeds::Sides(_)) == (game == GameName::Hawalis);
        if !(columns && closed && closes && sides) {
            return Err(foreign(format!(
                "{game} with another board or kind of layer"
            )));
        }
        Setup::with_closed(self.columns, rules, self.closed).map_err(|e| foreign(e.to_string()))
    }

    /// The entry of a layer.
    pub fn entry(&self, layer: Layer) -> Option<&LayerEntry> {
        let name = layer.to_string();
        self.layers.iter().find(|entry| entry.layer == name)
    }

    /// Files of all layers.
    pub fn files(&self, directory: &Path) -> Vec<PathBuf> {
        let name = |entry: &LayerEntry| directory.join(format!("{}.sow", entry.layer));
        self.layers.iter().map(name).collect()
    }
}
