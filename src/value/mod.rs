//! Owns: what a position is worth (DESIGN section 2): bounds, distances, and their one-byte code.
//!
//! A game with cycles needs two bounds, not one number: what the mover can force in a game that ends,
//! and what the opponent can hold the mover to in a game that ends. Nothing here knows a game or a
//! file; win-loss games are the case of one unit at stake.

mod bracket;
mod distances;

pub use bracket::Bracket;
pub use distances::{Distances, DistancesMut};

use std::fmt;

/// A margin for the player to move, or the absence of one: `MinusInfinity` when the mover can force
/// no end, `PlusInfinity` when the opponent can force none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// Below every margin.
    MinusInfinity,
    /// Seeds won from here on by the player to move less those won by the opponent.
    Finite(i16),
    /// Above every margin.
    PlusInfinity,
}

impl Bound {
    /// The bound as the opponent sees it.
    pub fn negated(self) -> Self {
        match self {
            Self::MinusInfinity => Self::PlusInfinity,
            Self::Finite(margin) => Self::Finite(-margin),
            Self::PlusInfinity => Self::MinusInfinity,
        }
    }

    /// The bound with `gain` added; an infinite one stays.
    pub fn plus(self, gain: i16) -> Self {
        match self {
            Self::Finite(margin) => Self::Finite(margin + gain),
            infinite => infinite,
        }
    }

    /// The margin, if there is one.
    pub fn finite(self) -> Option<i16> {
        match self {
            Self::Finite(margin) => Some(margin),
            _ => None,
        }
    }

    /// The side of zero that the margin and a lead come to, as a number to compare with zero.
    fn with_lead(self, lead: i32) -> i32 {
        match self {
            Self::MinusInfinity => i32::MIN,
            Self::Finite(margin) => i32::from(margin) + lead,
            Self::PlusInfinity => i32::MAX,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinusInfinity => f.pad("-inf"),
            Self::Finite(margin) => f.pad(&margin.to_string()),
            Self::PlusInfinity => f.pad("inf"),
        }
    }
}

/// How a game ends for the player to move with best play on both sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The player to move loses.
    Loss,
    /// Neither wins: equal scores, or play that never ends.
    Draw,
    /// The player to move wins.
    Win,
}

impl Outcome {
    /// The outcome as the opponent sees it.
    pub fn negated(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The outcome of a final margin.
    pub fn of_margin(margin: i32) -> Self {
        match margin.signum() {
            1 => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }

    /// `win`, `draw` or `loss`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Plies to the next capture or the end of the game under best play; 0 for a game that is over.
pub type Distance = u16;

/// The exact value of a position with a fresh history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// The greatest margin that the mover can force in a game that ends.
    pub lower: Bound,
    /// The least margin that the opponent can hold the mover to in a game that ends.
    pub upper: Bound,
    /// Distance of `lower` when the mover hurries; without meaning for an infinite bound.
    pub lower_distance: Distance,
    /// Distance of `upper` when the opponent hurries; without meaning for an infinite bound.
    pub upper_distance: Distance,
}

impl Value {
    /// Nothing can be forced by either.
    pub const OPEN: Self = Self {
        lower: Bound::MinusInfinity,
        upper: Bound::PlusInfinity,
        lower_distance: 0,
        upper_distance: 0,
    };

    /// The game's final margin with best play, for a mover who is `lead` seeds ahead.
    pub fn margin(&self, lead: i32) -> i32 {
        let (lower, upper) = (self.lower.with_lead(lead), self.upper.with_lead(lead));
        // The median of lower, 0 and upper, as lower never passes upper.
        lower.max(upper.min(0))
    }

    /// The game's outcome with best play, for a mover who is `lead` seeds ahead.
    pub fn outcome(&self, lead: i32) -> Outcome {
        Outcome::of_margin(self.margin(lead))
    }

    /// The distance of the bound that makes the outcome; `None` for a draw.
    pub fn distance(&self, lead: i32) -> Option<Distance> {
        match self.outcome(lead) {
            Outcome::Win => Some(self.lower_distance),
            Outcome::Draw => None,
            Outcome::Loss => Some(self.upper_distance),
        }
    }

    /// `lower_distance`, where it is defined.
    pub fn finite_lower_distance(&self) -> Option<Distance> {
        self.lower.finite().map(|_| self.lower_distance)
    }

    /// `upper_distance`, where it is defined.
    pub fn finite_upper_distance(&self) -> Option<Distance> {
        self.upper.finite().map(|_| self.upper_distance)
    }
}

/// A bound in one byte, ordered as bounds are: 0 for −∞, then one more than the seeds still to be won
/// that go to the mover, 255 for +∞.
///
/// All seeds left are shared out in the end, so a margin has the parity of their number and the
/// mover's share says it all; `stake` (seeds on the board, 1 in a win-loss game) turns one into the
/// other: margin = 2 · share − stake.
pub type Code = u8;

/// The code of −∞.
pub const MINUS_INFINITY: Code = 0;
/// The code of +∞.
pub const PLUS_INFINITY: Code = 255;
/// The largest stake whose shares fit a [`Code`].
pub const MAX_STAKE: u32 = 253;

/// The code of a finite margin, −∞ or +∞ where `stake` units are still to be won.
#[inline(always)]
pub fn encode(bound: Bound, stake: u32) -> Code {
    match bound {
        Bound::MinusInfinity => MINUS_INFINITY,
        Bound::Finite(margin) => ((i32::from(margin) + stake as i32) / 2 + 1) as Code,
        Bound::PlusInfinity => PLUS_INFINITY,
    }
}

/// Undoes [`encode`].
#[inline(always)]
pub fn decode(code: Code, stake: u32) -> Bound {
    match code {
        MINUS_INFINITY => Bound::MinusInfinity,
        PLUS_INFINITY => Bound::PlusInfinity,
        share => Bound::Finite(2 * (i16::from(share) - 1) - stake as i16),
    }
}

/// What the mover gets from a move after which the opponent is to move with a bound coded `theirs`.
///
/// What the mover captures by the move and what the opponent then does not get are together `stake`
/// less the opponent's share, so the gain of the move need not be known.
#[inline(always)]
pub fn opposed(theirs: Code, stake: u32) -> Code {
    match theirs {
        MINUS_INFINITY => PLUS_INFINITY,
        PLUS_INFINITY => MINUS_INFINITY,
        share => (stake as Code + 2).wrapping_sub(share),
    }
}

/// What the mover gets from a move after which the same player moves again with a bound coded
/// `mine`, having captured `gain` units.
#[inline(always)]
pub fn continued(mine: Code, gain: u32) -> Code {
    match mine {
        MINUS_INFINITY | PLUS_INFINITY => mine,
        share => share + gain as Code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(stake: u32) -> impl Iterator<Item = Bound> {
        let stake = stake as i16;
        let finite = (-stake..=stake).step_by(2).map(Bound::Finite);
        [Bound::MinusInfinity, Bound::PlusInfinity]
            .into_iter()
            .chain(finite)
    }

    #[test]
    fn codes_keep_values_and_order() {
        for stake in (0..12).chain([62, 63, 64, 100, 252, MAX_STAKE]) {
            for a in bounds(stake) {
                assert_eq!(decode(encode(a, stake), stake), a);
                for b in bounds(stake) {
                    assert_eq!(a.cmp(&b), encode(a, stake).cmp(&encode(b, stake)));
                }
            }
        }
    }

    #[test]
    fn a_move_changes_codes_as_it_changes_margins() {
        for stake in (0..12).chain([63, 200, MAX_STAKE]) {
            for gain in (0..=stake).filter(|gain| *gain < 9 || stake - gain < 9) {
                for bound in bounds(stake - gain) {
                    let code = encode(bound, stake - gain);
                    let gain16 = gain as i16;
                    assert_eq!(
                        decode(opposed(code, stake), stake),
                        bound.negated().plus(gain16)
                    );
                    assert_eq!(decode(continued(code, gain), stake), bound.plus(gain16));
                }
            }
        }
    }

    #[test]
    fn a_margin_is_the_median_with_zero() {
        let value = |lower, upper| Value {
            lower,
            upper,
            ..Value::OPEN
        };
        let finite = Bound::Finite;
        assert_eq!(Value::OPEN.margin(5), 0);
        assert_eq!(value(finite(3), Bound::PlusInfinity).margin(-1), 2);
        assert_eq!(
            value(finite(3), Bound::PlusInfinity).outcome(-4),
            Outcome::Draw
        );
        assert_eq!(value(finite(-2), finite(4)).margin(0), 0);
        assert_eq!(value(finite(-2), finite(4)).margin(5), 3);
        assert_eq!(value(finite(-2), finite(4)).margin(-7), -3);
        assert_eq!(
            value(Bound::MinusInfinity, finite(-1)).outcome(1),
            Outcome::Draw
        );
    }
}
