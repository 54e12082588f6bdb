//! Owns: what is known of a value that may not be known exactly: an interval for each bound.
//!
//! A search that is stopped leaves intervals behind, an exact value is the case of two points. All
//! of it is proven: a bound lies in its interval, whatever else is found.

use super::{Bound, Outcome, Value};

/// The intervals that the bounds of a position lie in, both ends included.
///
/// In win-loss games only whether `lower` reaches 1 and `upper` −1 means anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bracket {
    /// The least and the greatest that `lower` may be.
    pub lower: [Bound; 2],
    /// The least and the greatest that `upper` may be.
    pub upper: [Bound; 2],
}

impl Bracket {
    /// Nothing is known.
    pub const OPEN: Self = Self {
        lower: [Bound::MinusInfinity, Bound::PlusInfinity],
        upper: [Bound::MinusInfinity, Bound::PlusInfinity],
    };

    /// Everything is known.
    pub fn exact(value: &Value) -> Self {
        Self {
            lower: [value.lower; 2],
            upper: [value.upper; 2],
        }
    }

    /// Whether a mover who is `lead` seeds ahead wins, if that is proven.
    pub fn wins(&self, lead: i32) -> Option<bool> {
        let [least, most] = self.lower.map(|bound| bound.with_lead(lead) > 0);
        (least == most).then_some(least)
    }

    /// Whether a mover who is `lead` seeds ahead loses, if that is proven.
    pub fn loses(&self, lead: i32) -> Option<bool> {
        let [least, most] = self.upper.map(|bound| bound.with_lead(lead) < 0);
        (least == most).then_some(least)
    }

    /// The outcome for a mover who is `lead` seeds ahead, if it is proven.
    pub fn outcome(&self, lead: i32) -> Option<Outcome> {
        match (self.wins(lead), self.loses(lead)) {
            (Some(true), _) => Some(Outcome::Win),
            (_, Some(true)) => Some(Outcome::Loss),
            (Some(false), Some(false)) => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// The least and the greatest that the final margin may be, for a mover who is `lead` ahead.
    /// `i32::MAX` and `i32::MIN` stand for the infinities.
    pub fn margins(&self, lead: i32) -> [i32; 2] {
        [0, 1].map(|end| {
            let (lower, upper) = (self.lower[end], self.upper[end]);
            let value = Value {
                lower,
                upper,
                ..Value::OPEN
            };
            value.margin(lead)
        })
    }

    /// The final margin for a mover who is `lead` seeds ahead, if it is proven; in win-loss games no
    /// more than the outcome.
    pub fn margin(&self, lead: i32) -> Option<i32> {
        let [least, most] = self.margins(lead);
        (least == most).then_some(least)
    }

    /// The value, if nothing about it is open; distances are not known and 0. In win-loss games
    /// (`scored` is false) it is one that has the outcome.
    pub fn value(&self, scored: bool) -> Option<Value> {
        if scored {
            let exact = self.lower[0] == self.lower[1] && self.upper[0] == self.upper[1];
            return exact.then_some(Value {
                lower: self.lower[0],
                upper: self.upper[0],
                ..Value::OPEN
            });
        }
        let win = Bound::Finite(1);
        self.outcome(0).map(|outcome| match outcome {
            Outcome::Win => Value {
                lower: win,
                ..Value::OPEN
            },
            Outcome::Loss => Value {
                upper: win.negated(),
                ..Value::OPEN
            },
            Outcome::Draw => Value::OPEN,
        })
    }

    /// What follows from both.
    pub fn meet(self, other: Self) -> Self {
        let meet = |a: [Bound; 2], b: [Bound; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        Self {
            lower: meet(self.lower, other.lower),
            upper: meet(self.upper, other.upper),
        }
    }

    /// What a move is worth that captures `gain` seeds and leads to a position of which this is known
    /// to whoever moves there: the same player when they move `again`.
    pub fn through(&self, gain: i16, again: bool) -> Self {
        let own = |own: [Bound; 2], other: [Bound; 2]| {
            if again {
                own.map(|bound| bound.plus(gain))
            } else {
                [other[1], other[0]].map(|bound| bound.negated().plus(gain))
            }
        };
        Self {
            lower: own(self.lower, self.upper),
            upper: own(self.upper, self.lower),
        }
    }

    /// What is known of a position from what is known of all its moves; `None` without a move.
    pub fn of_moves(moves: impl Iterator<Item = Self>) -> Option<Self> {
        let most = |a: [Bound; 2], b: [Bound; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        moves.reduce(|a, b| Self {
            lower: most(a.lower, b.lower),
            upper: most(a.upper, b.upper),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: [Bound; 4] = [
        Bound::MinusInfinity,
        Bound::Finite(-3),
        Bound::Finite(1),
        Bound::PlusInfinity,
    ];

    /// All values whose bounds are among a few.
    fn values() -> Vec<Value> {
        let pairs = SOME.into_iter().flat_map(|a| SOME.map(|b| (a, b)));
        pairs
            .filter(|(lower, upper)| lower <= upper && *lower < SOME[3] && *upper > SOME[0])
            .map(|(lower, upper)| Value {
                lower,
                upper,
                ..Value::OPEN
            })
            .collect()
    }

    fn contains(bracket: &Bracket, value: &Value) -> bool {
        let within = |ends: [Bound; 2], bound| ends[0] <= bound && bound <= ends[1];
        within(bracket.lower, value.lower) && within(bracket.upper, value.upper)
    }

    #[test]
    fn what_is_claimed_holds_for_every_value_inside() {
        let ends = || SOME.into_iter().flat_map(|a| SOME.map(|b| [a, b]));
        for lower in ends() {
            for upper in ends() {
                let bracket = Bracket { lower, upper };
                for lead in [-4, -1, 0, 2, 3] {
                    let inside = values().into_iter().filter(|v| contains(&bracket, v));
                    for value in inside {
                        let margin = value.margin(lead);
                        let [least, most] = bracket.margins(lead);
                        assert!(least <= margin && margin <= most);
                        if let Some(outcome) = bracket.outcome(lead) {
                            assert_eq!(outcome, value.outcome(lead));
                        }
                        let turned = bracket.through(2, false);
                        let theirs = Value {
                            lower: value.upper.negated().plus(2),
                            upper: value.lower.negated().plus(2),
                            ..value
                        };
                        assert!(contains(&turned, &theirs));
                    }
                }
            }
        }
    }

    #[test]
    fn exact_values_come_back() {
        for value in values() {
            let bracket = Bracket::exact(&value);
            assert_eq!(bracket.value(true), Some(value));
            for lead in [-4, 0, 2] {
                assert_eq!(bracket.outcome(lead), Some(value.outcome(lead)));
                assert_eq!(bracket.margin(lead), Some(value.margin(lead)));
            }
            assert_eq!(
                bracket.value(false).map(|v| v.outcome(0)),
                Some(value.outcome(0))
            );
        }
        assert_eq!(Bracket::OPEN.outcome(0), None);
        assert_eq!(Bracket::OPEN.value(false), None);
    }
}
