//! Owns: which games there are, what each is usually played with, and the way from a name to a rule
//! implementation.
//!
//! The only `match` on a game's name is here. [`Setup`] is a game with columns, options and closed
//! pits resolved; [`Setup::visit`] picks the narrowest board that holds the pits and seeds and hands
//! the finished rules to generic code.

mod bosh;
mod giuthi;
mod hawalis;
mod hus;
mod rules;

pub use bosh::{BETWEEN_ROUNDS, Bosh};
pub use giuthi::Giuthi;
pub use hawalis::Hawalis;
pub use hus::Hus;
pub use rules::{ENDLESS, OPENING, RuleError, RuleOption, Rules, did_you_mean};

use crate::board::{Lanes, MAX_SEEDS, P64x6, P64x8, P128x6, P128x8, P256x8};
use crate::game::{Game, OwnSide};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameName {
    /// Two rows, Kikuyu; laps alternate in direction.
    Giuthi,
    /// Two rows, Sea Dayak; captures beyond an empty pit.
    Bosh,
    /// Four rows, Oman; captures leave the game.
    Hawalis,
    /// Four rows, Namibia; captures are sown on.
    Hus,
}

/// A player: South sits at the bottom of the text diagram.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Bottom of the diagram.
    South,
    /// Top of the diagram.
    North,
}

impl Seat {
    /// The opponent's seat.
    pub fn other(self) -> Self {
        match self {
            Self::South => Self::North,
            Self::North => Self::South,
        }
    }

    /// `S` or `N`.
    pub fn letter(self) -> char {
        match self {
            Self::South => 'S',
            Self::North => 'N',
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::South => "South",
            Self::North => "North",
        })
    }
}

/// The words that a ring can be packed into.
#[derive(Clone, Copy)]
enum Width {
    P64x6,
    P64x8,
    P128x6,
    P128x8,
    P256x8,
}

/// What is fixed for a game whatever its options.
struct Profile {
    name: &'static str,
    rows: usize,
    columns: RangeInclusive<usize>,
    usual_columns: usize,
    usual_seeds: u32,
    two_way: bool,
    scored: bool,
    options: &'static [RuleOption],
}

impl GameName {
    /// All games.
    pub const ALL: [Self; 4] = [Self::Giuthi, Self::Bosh, Self::Hawalis, Self::Hus];

    fn profile(self) -> &'static Profile {
        match self {
            Self::Giuthi => &Profile {
                name: "giuthi",
                rows: 2,
                columns: 1..=giuthi::MOST_COLUMNS,
                usual_columns: 8,
                usual_seeds: 8,
                two_way: true,
                scored: true,
                options: giuthi::OPTIONS,
            },
            Self::Bosh => &Profile {
                name: "bosh",
                rows: 2,
                columns: 1..=10,
                usual_columns: 5,
                usual_seeds: 4,
                two_way: false,
                scored: true,
                options: bosh::OPTIONS,
            },
            Self::Hawalis => &Profile {
                name: "hawalis",
                rows: 4,
                columns: 1..=8,
                usual_columns: 7,
                usual_seeds: 2,
                two_way: false,
                scored: false,
                options: hawalis::OPTIONS,
            },
            Self::Hus => &Profile {
                name: "hus",
                rows: 4,
                columns: 1..=16,
                usual_columns: 8,
                usual_seeds: 2,
                two_way: false,
                scored: false,
                options: hus::OPTIONS,
            },
        }
    }

    /// The name as typed.
    pub fn as_str(self) -> &'static str {
        self.profile().name
    }

    /// Rows of the board: 2 or 4.
    pub fn rows(self) -> usize {
        self.profile().rows
    }

    /// Columns that the game can be played with.
    pub fn columns(self) -> RangeInclusive<usize> {
        self.profile().columns.clone()
    }

    /// Columns that the game is usually played with.
    pub fn usual_columns(self) -> usize {
        self.profile().usual_columns
    }

    /// Seeds in each pit that is filled at the start.
    pub fn usual_seeds(self) -> u32 {
        self.profile().usual_seeds
    }

    /// Whether moves name the direction of their first lap.
    pub fn two_way(self) -> bool {
        self.profile().two_way
    }

    /// Whether captured seeds decide the game.
    pub fn scored(self) -> bool {
        self.profile().scored
    }

    /// Whether pits can be closed.
    pub fn closes_pits(self) -> bool {
        self == Self::Bosh
    }

    /// The options of its rules.
    pub fn options(self) -> &'static [RuleOption] {
        self.profile().options
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for GameName {
    type Err = RuleError;
    fn from_str(text: &str) -> Result<Self, RuleError> {
        Self::ALL
            .into_iter()
            .find(|game| game.as_str() == text)
            .ok_or_else(|| RuleError::unknown_game(text))
    }
}

/// A game ready to be played: columns, options and closed pits resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    game: GameName,
    columns: usize,
    rules: Rules,
    closed: [u16; 2],
}

/// A setup that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The game is not played with so many columns.
    Columns {
        /// The game.
        game: GameName,
        /// Columns asked for.
        found: usize,
    },
    /// More seeds than a board can hold.
    Seeds {
        /// Seeds asked for.
        found: u64,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns { game, found } => write!(
                f,
                "{game} is played with {} to {} columns, found {found}",
                game.columns().start(),
                game.columns().end(),
            ),
            Self::Seeds { found } => write!(
                f,
                "a board holds at most {MAX_SEEDS} seeds, found {found}; use fewer seeds or columns",
            ),
        }
    }
}

impl std::error::Error for SetupError {}

/// Generic code that wants a finished game.
pub trait Visitor {
    /// What it gives back.
    type Output;
    /// Runs with the rules that a [`Setup`] resolved to.
    fn visit<G: Game>(self, game: &G) -> Self::Output;
}

/// Generic code that wants a finished game with own-side sowing.
pub trait OwnSideVisitor {
    /// What it gives back.
    type Output;
    /// Runs with the rules that a [`Setup`] resolved to.
    fn visit<G: OwnSide>(self, game: &G) -> Self::Output;
}

impl Setup {
    /// A game without closed pits.
    ///
    /// # Errors
    /// When the game is not played with so many columns.
    pub fn new(columns: usize, rules: Rules) -> Result<Self, SetupError> {
        Self::with_closed(columns, rules, [0, 0])
    }

    /// A game in which some pits do not exist: bit `i` of `closed[0]` for South's pit `i` counted in
    /// South's ring order from South's left, of `closed[1]` for North's from North's left.
    ///
    /// # Errors
    /// When the game is not played with so many columns.
    ///
    /// # Panics
    /// When pits are closed in a game that does not close pits, or a closed pit is off the board.
    pub fn with_closed(columns: usize, rules: Rules, closed: [u16; 2]) -> Result<Self, SetupError> {
        let game = rules.game();
        if !game.columns().contains(&columns) {
            return Err(SetupError::Columns {
                game,
                found: columns,
            });
        }
        assert!(
            game.closes_pits() || closed == [0, 0],
            "closed pits in {game}"
        );
        assert!(closed.iter().all(|&mask| u32::from(mask) >> columns == 0));
        Ok(Self {
            game,
            columns,
            rules,
            closed,
        })
    }

    /// The game.
    pub fn game(&self) -> GameName {
        self.game
    }

    /// Columns of the board.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Options of the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Closed pits of South and of North, as in [`Setup::with_closed`].
    pub fn closed(&self) -> [u16; 2] {
        self.closed
    }

    /// The pits of a seat's first row that exist, in its own ring order.
    pub fn open_pits(&self, seat: Seat) -> Vec<usize> {
        let closed = self.closed[seat as usize];
        (0..self.columns)
            .filter(|pit| closed >> pit & 1 == 0)
            .collect()
    }

    /// Pits on the whole board, closed ones included.
    pub fn pits(&self) -> usize {
        self.game.rows() * self.columns
    }

    /// Which pits are filled at the start, in the mover's order (the same for both seats).
    pub fn start_pits(&self) -> Vec<bool> {
        let (w, pits) = (self.columns, self.pits());
        match self.game {
            GameName::Giuthi | GameName::Hawalis => vec![true; pits],
            GameName::Bosh => (0..pits)
                .map(|pit| self.closed[pit / w] >> (pit % w) & 1 == 0)
                .collect(),
            GameName::Hus => (0..pits).map(|pit| pit % (2 * w) < w + w / 2).collect(),
        }
    }

    /// Lanes that a ring needs, and whether one of them says who is to move.
    fn lanes(&self) -> usize {
        let [south, north] = self.closed.map(u16::count_ones);
        let seat = usize::from(south != north);
        2 * self.columns - (south + north) as usize + seat
    }

    /// Runs `visitor` with this game on the narrowest board that holds `seeds` seeds.
    ///
    /// # Errors
    /// When no board holds so many seeds.
    pub fn visit<V: Visitor>(&self, seeds: u32, visitor: V) -> Result<V::Output, SetupError> {
        Ok(match self.width(seeds)? {
            Width::P64x6 => self.visit_on::<P64x6, V>(visitor),
            Width::P64x8 => self.visit_on::<P64x8, V>(visitor),
            Width::P128x6 => self.visit_on::<P128x6, V>(visitor),
            Width::P128x8 => self.visit_on::<P128x8, V>(visitor),
            Width::P256x8 => self.visit_on::<P256x8, V>(visitor),
        })
    }

    /// Whether moves sow only the mover's own side, so that [`Setup::visit_own_side`] has something
    /// to show.
    pub fn own_side(&self) -> bool {
        self.game == GameName::Hawalis
    }

    /// As [`Setup::visit`], for games with own-side sowing; `None` for the others.
    ///
    /// # Errors
    /// As [`Setup::visit`].
    pub fn visit_own_side<V: OwnSideVisitor>(
        &self,
        seeds: u32,
        visitor: V,
    ) -> Result<Option<V::Output>, SetupError> {
        if !self.own_side() {
            return Ok(None);
        }
        // Hawalis has at most eight columns: the two wider words are never asked for.
        Ok(Some(match self.width(seeds)? {
            Width::P64x6 => visitor.visit(&Hawalis::<P64x6>::new(self)),
            Width::P64x8 => visitor.visit(&Hawalis::<P64x8>::new(self)),
            Width::P128x6 => visitor.visit(&Hawalis::<P128x6>::new(self)),
            Width::P128x8 | Width::P256x8 => visitor.visit(&Hawalis::<P128x8>::new(self)),
        }))
    }

    /// The narrowest board that holds `seeds` seeds.
    fn width(&self, seeds: u32) -> Result<Width, SetupError> {
        let fits = |lanes: usize, max: u32| self.lanes() <= lanes && seeds <= max;
        if fits(P64x6::LANES, P64x6::MAX) {
            Ok(Width::P64x6)
        } else if fits(P64x8::LANES, P64x8::MAX) {
            Ok(Width::P64x8)
        } else if fits(P128x6::LANES, P128x6::MAX) {
            Ok(Width::P128x6)
        } else if fits(P128x8::LANES, P128x8::MAX) {
            Ok(Width::P128x8)
        } else if fits(P256x8::LANES, P256x8::MAX) {
            Ok(Width::P256x8)
        } else {
            Err(SetupError::Seeds {
                found: u64::from(seeds),
            })
        }
    }

    fn visit_on<W: Lanes, V: Visitor>(&self, visitor: V) -> V::Output {
        match self.game {
            GameName::Giuthi => visitor.visit(&Giuthi::<W>::new(self)),
            GameName::Bosh => visitor.visit(&Bosh::<W>::new(self)),
            GameName::Hawalis => visitor.visit(&Hawalis::<W>::new(self)),
            GameName::Hus => visitor.visit(&Hus::<W>::new(self)),
        }
    }
}
