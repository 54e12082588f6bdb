//! Owns: reading the case files, and one way to ask any rule implementation what a turn offers.
//!
//! A case is kept as text and numbers, as it stands in its file; a [`Turn`] is what an implementation
//! says, in the words of notation. Both the plain and the fast rules come down to a function from a
//! setup and a position to a `Turn` ([`plain_turn`], [`fast_turn`]), and every check takes such a
//! function, so that the same cases run through either.

// Each test file uses a part of this.
#![allow(dead_code)]

pub mod cases;
pub mod random;

use sowbase::game::{Game, Move, Play, Turn as GameTurn};
use sowbase::games::{GameName, Rules, Seat, Setup, Visitor};
use sowbase::index::Layer;
use sowbase::notation::{Position, move_name, parse_position};
use sowbase::plain::{PlainBoard, PlainPlay, PlainRules, PlainTurn};

/// One move and what it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Played {
    /// It comes to an end, and leads to `position`.
    Done {
        choice: Move,
        captured: u32,
        again: bool,
        laps: u64,
        position: Position,
    },
    /// It never ends.
    Endless { choice: Move, period: u64 },
}

/// What the player to move can do. A forced pass is a move without laps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Moves in ascending order, endless ones among them.
    pub moves: Vec<Played>,
    /// The final margin for the player to move, when the game is over.
    pub over: Option<i32>,
}

impl Turn {
    fn pass(&mut self, position: Position) {
        self.moves.push(Played::Done {
            choice: Move::PASS,
            captured: 0,
            again: false,
            laps: 0,
            position,
        });
    }

    /// Positions that legal moves lead to under `endless=unplayable`.
    pub fn followers(&self) -> impl Iterator<Item = &Position> {
        self.moves.iter().filter_map(|played| match played {
            Played::Done { position, .. } => Some(position),
            Played::Endless { .. } => None,
        })
    }
}

/// What the plain rules say.
pub fn plain_turn(setup: &Setup, position: &Position) -> Turn {
    plain_turn_by(&PlainRules::new(setup), position)
}

/// What the plain rules say, once they have been resolved.
pub fn plain_turn_by(rules: &PlainRules, position: &Position) -> Turn {
    let mut turn = Turn {
        moves: Vec::new(),
        over: None,
    };
    let follow = |board: &PlainBoard, seat: Seat, taken: u32| {
        let mut next = rules.position(board, seat);
        next.captured = position.captured.map(|mut by| {
            by[position.seat as usize] += taken;
            by
        });
        next
    };
    let other = position.seat.other();
    let kind = rules.turn(&PlainBoard::of(position), position.seat, |choice, play| {
        turn.moves.push(match play {
            PlainPlay::Done {
                board,
                captured,
                again,
                laps,
            } => Played::Done {
                choice,
                captured,
                again,
                laps,
                position: follow(&board, if again { position.seat } else { other }, captured),
            },
            PlainPlay::Endless { period } => Played::Endless { choice, period },
        });
    });
    match kind {
        PlainTurn::Moves => {}
        PlainTurn::Pass(board) => turn.pass(follow(&board, other, 0)),
        PlainTurn::Over { margin } => turn.over = Some(margin),
    }
    turn
}

/// What the fast rules say.
pub fn fast_turn(setup: &Setup, position: &Position) -> Turn {
    setup
        .visit(position.seeds(), FastTurn { position })
        .expect("a board holds the seeds")
}

struct FastTurn<'a> {
    position: &'a Position,
}

impl Visitor for FastTurn<'_> {
    type Output = Turn;

    fn visit<G: Game>(self, game: &G) -> Turn {
        fast_turn_by(game, self.position)
    }
}

/// What the fast rules say, once a board has been picked.
pub fn fast_turn_by<G: Game>(game: &G, position: &Position) -> Turn {
    let mut turn = Turn {
        moves: Vec::new(),
        over: None,
    };
    let kind = game.expand(position.board(game), |choice, play| {
        turn.moves.push(match play {
            Play::Done(played) => Played::Done {
                choice,
                captured: played.captured,
                again: played.again,
                laps: played.laps,
                position: position.after(game, played.board, played.captured, played.again),
            },
            Play::Endless { period } => Played::Endless { choice, period },
        });
    });
    match kind {
        GameTurn::Moves => {}
        GameTurn::Pass(board) => turn.pass(position.after(game, board, 0, false)),
        GameTurn::Over { margin } => turn.over = Some(margin),
    }
    turn
}

/// The default rules of a game with options given as `name=value`.
pub fn rules(game: GameName, options: &[&str]) -> Rules {
    let mut rules = Rules::new(game);
    for option in options {
        let (name, value) = option.split_once('=').expect("name=value");
        rules.set(name, value).expect("a known option");
    }
    rules
}

/// Reads a position of the cases.
pub fn position(text: &str, rules: &Rules) -> (Setup, Position) {
    parse_position(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The name of a move of the player to move.
pub fn name(setup: &Setup, position: &Position, choice: Move) -> String {
    move_name(setup, position.seat, choice)
}

/// Paths of exactly `depth` plies, by asking `turn` at every position.
pub fn perft(
    setup: &Setup,
    position: &Position,
    depth: u32,
    turn: &impl Fn(&Setup, &Position) -> Turn,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turn_here = turn(setup, position);
    if depth == 1 {
        return turn_here.followers().count() as u64;
    }
    turn_here
        .followers()
        .map(|next| perft(setup, next, depth - 1, turn))
        .sum()
}

/// The layer of a position.
pub fn layer(setup: &Setup, position: &Position) -> Layer {
    let sum = |pits: &[u8]| pits.iter().sum::<u8>();
    if setup.game() != GameName::Hawalis {
        return Layer::Total(sum(&position.pits));
    }
    let (own, other) = position.pits.split_at(setup.pits() / 2);
    Layer::Sides(sum(own), sum(other))
}

/// Every setup of a game with so many columns: all values of all options.
pub fn all_setups(game: GameName, columns: usize) -> Vec<Setup> {
    let mut all = vec![Rules::new(game)];
    for option in game.options() {
        let with = |rules: &Rules, value: &str| {
            let mut rules = rules.clone();
            rules.set(option.name, value).expect("a declared value");
            rules
        };
        all = all
            .iter()
            .flat_map(|rules| option.values.iter().map(move |value| with(rules, value)))
            .collect();
    }
    all.into_iter()
        .map(|rules| Setup::new(columns, rules).expect("a playable size"))
        .collect()
}

/// Places of the open pits, in the order of the player at `seat`.
pub fn open_places(setup: &Setup, seat: Seat) -> Vec<usize> {
    let half = setup.pits() / 2;
    if setup.closed() == [0, 0] {
        return (0..setup.pits()).collect();
    }
    let others = setup.open_pits(seat.other());
    let others = others.into_iter().map(|pit| half + pit);
    setup.open_pits(seat).into_iter().chain(others).collect()
}
