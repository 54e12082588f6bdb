//! Owns: working out, once, which game and position the arguments mean.
//!
//! A command gets a [`Target`]: rules with all options set, and a position on a board that these
//! rules are played on. What a user can get wrong here (rules, text, sizes, forced openings) is
//! refused here, so that commands never have to.

use super::failure::Failure;
use super::flags::{PositionArgs, SharedFlags};
use super::units::counted;
use crate::game::{Game, Move, Play, Turn};
use crate::games::{GameName, Rules, Setup, Visitor};
use crate::notation::{Position, move_name, parse_move, parse_position};

/// The word that stands for the opening position.
const START: &str = "start";

/// A position and the rules that it is played by.
#[derive(Clone, Debug)]
pub struct Target {
    /// Game, columns, options, closed pits.
    pub setup: Setup,
    /// The position.
    pub position: Position,
}

impl Target {
    /// Resolves arguments and flags.
    ///
    /// # Errors
    /// When they name no position of the game, or contradict each other.
    pub fn resolve(args: &PositionArgs, flags: &SharedFlags) -> Result<Self, Failure> {
        let rules = resolve_rules(args.game, &flags.rules)?;
        if args.position.trim() == START {
            return Self::start(rules, flags);
        }
        if flags.seeds.is_some() {
            return Err(Failure::usage(
                "--seeds is for 'start'; a position written out says its own seeds: leave --seeds out",
            ));
        }
        if !rules.opening().is_empty() {
            return Err(Failure::usage(
                "rule 'opening' is for 'start'; in a position written out its moves have been played: leave it out",
            ));
        }
        let (setup, position) = parse_position(&args.position, &rules).map_err(|error| {
            let hint = if args.position.contains([',', '/']) {
                ""
            } else {
                "; write 'ROWS SIDE CAPTURED' or 'start'"
            };
            Failure::usage(format!("position, {error}{hint}"))
        })?;
        match flags.columns {
            Some(columns) if columns != setup.columns() => Err(Failure::usage(format!(
                "--columns {columns} contradicts the position, which has {}: leave --columns out",
                counted(setup.columns() as u64, "column"),
            ))),
            _ => Ok(Self { setup, position }),
        }
    }

    fn start(rules: Rules, flags: &SharedFlags) -> Result<Self, Failure> {
        let game = rules.game();
        let columns = flags.columns.unwrap_or(game.usual_columns());
        let seeds = flags.seeds.unwrap_or(game.usual_seeds());
        let setup = Setup::new(columns, rules).map_err(Failure::usage)?;
        let position = Position::start(&setup, seeds).map_err(Failure::usage)?;
        let mut target = Self { setup, position };
        for name in target.setup.rules().opening().to_vec() {
            target.position = target.play(&name, &format!("rule 'opening', move '{name}'"))?;
        }
        Ok(target)
    }

    /// Runs generic code with the rules of this target, on a board of the right size.
    ///
    /// # Errors
    /// When no board holds the seeds.
    pub fn visit<V: Visitor>(&self, visitor: V) -> Result<V::Output, Failure> {
        self.setup
            .visit(self.position.seeds(), visitor)
            .map_err(Failure::usage)
    }

    /// The position after the move called `name`; `whence` says where that was typed.
    ///
    /// # Errors
    /// When it is no legal move.
    pub fn play(&self, name: &str, whence: &str) -> Result<Position, Failure> {
        let refused = |why: String| {
            let position = self.position.text(&self.setup);
            Failure::usage(format!("{whence} at '{position}': {why}"))
        };
        let choice = parse_move(&self.setup, self.position.seat, name)
            .map_err(|error| refused(error.to_string()))?;
        self.visit(Apply {
            target: self,
            choice,
        })?
        .map_err(refused)
    }
}

/// Sets the options that were typed, in order.
///
/// # Errors
/// When one is not `NAME=VALUE` or not an option of the game.
pub fn resolve_rules(game: GameName, typed: &[String]) -> Result<Rules, Failure> {
    let mut rules = Rules::new(game);
    for text in typed {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Failure::usage(format!(
                "--rule '{text}': expected NAME=VALUE, found no '='; see --help for the names"
            ))
        })?;
        rules
            .set(name.trim(), value.trim())
            .map_err(Failure::usage)?;
    }
    Ok(rules)
}

/// Plays one named move if it is legal; the reason if it is not.
struct Apply<'a> {
    target: &'a Target,
    choice: Move,
}

impl Visitor for Apply<'_> {
    type Output = Result<Position, String>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let Target { setup, position } = self.target;
        let board = position.board(game);
        let mut legal = Vec::new();
        let mut found = None;
        let turn = game.expand(board, |choice, play| {
            if matches!(play, Play::Done(_)) {
                legal.push(move_name(setup, position.seat, choice));
            }
            if choice == self.choice {
                found = Some(play);
            }
        });
        match (turn, found) {
            (Turn::Moves, Some(Play::Done(played))) => {
                Ok(position.after(game, played.board, played.captured, played.again))
            }
            (Turn::Pass(board), None) if self.choice.is_pass() => {
                Ok(position.after(game, board, 0, false))
            }
            (_, Some(Play::Endless { .. })) => Err("the move never ends".to_owned()),
            (Turn::Moves, _) => Err(format!("not legal; expected one of {}", legal.join(", "))),
            (Turn::Pass(_), _) => Err("not legal; expected pass".to_owned()),
            (Turn::Over { .. }, _) => Err("not legal; the game is over".to_owned()),
        }
    }
}
