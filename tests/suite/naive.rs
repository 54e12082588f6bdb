//! Owns: what must hold of naive values where no case tells them: closed pits, and every option.
//!
//! The naive solver is the oracle of the fast ones, so it is checked here by means that they do not
//! share: by the proof that distances carry (DESIGN section 2), and by boards that must be equal.

use crate::common::{Played, all_setups, open_places, plain_turn, rules};
use sowbase::games::{GameName, Setup};
use sowbase::index::Layer;
use sowbase::notation::Position;
use sowbase::retro::naive::NaiveTable;
use sowbase::value::{Bound, Distance, Value};

/// Layers up to which small boards are solved.
fn up_to(game: GameName, seeds: u8) -> Layer {
    match game {
        GameName::Hawalis => Layer::Sides(seeds / 2, seeds / 2),
        _ => Layer::Total(seeds),
    }
}

/// A follower of a position as its mover sees it: the bounds with the gain added and turned round,
/// how long each takes, and whether the layer is left.
struct Follower {
    lower: (Bound, Distance),
    upper: (Bound, Distance),
    leaves: bool,
}

fn followers(table: &NaiveTable, setup: &Setup, position: &Position) -> Vec<Follower> {
    let draws = setup.rules().get("endless") == "draw";
    let turn = plain_turn(setup, position);
    let follower = |played: &Played| match played {
        Played::Done {
            captured,
            again,
            position: next,
            ..
        } => {
            let value = table.value(next).expect("a solved layer");
            let gain = if setup.game().scored() {
                *captured as i16
            } else {
                0
            };
            let (mut lower, mut upper) = (
                (value.lower, value.lower_distance),
                (value.upper, value.upper_distance),
            );
            if !again {
                (lower, upper) = ((upper.0.negated(), upper.1), (lower.0.negated(), lower.1));
            }
            Some(Follower {
                lower: (lower.0.plus(gain), lower.1),
                upper: (upper.0.plus(gain), upper.1),
                leaves: *captured > 0,
            })
        }
        Played::Endless { .. } => draws.then_some(Follower {
            lower: (Bound::MinusInfinity, 0),
            upper: (Bound::PlusInfinity, 0),
            leaves: true,
        }),
    };
    turn.moves.iter().filter_map(follower).collect()
}

/// The conditions under which distances prove a position's bounds.
fn is_proven(value: &Value, over: Option<i32>, followers: &[Follower]) -> bool {
    if let Some(margin) = over {
        let margin = Bound::Finite(margin as i16);
        return (value.lower, value.upper) == (margin, margin)
            && (value.lower_distance, value.upper_distance) == (0, 0);
    }
    let best = |bound: fn(&Follower) -> Bound| followers.iter().map(bound).max();
    let agrees = best(|follower| follower.lower.0) == Some(value.lower)
        && best(|follower| follower.upper.0) == Some(value.upper);
    // The mover owns the lower bound: some move keeps it and is nearer to the end.
    let lower_kept = value.lower.finite().is_none()
        || followers.iter().any(|follower| {
            let (bound, distance) = follower.lower;
            bound == value.lower && (follower.leaves || distance < value.lower_distance)
        });
    // The opponent owns the upper bound: no move escapes it or puts it off.
    let upper_kept = value.upper.finite().is_none()
        || followers.iter().all(|follower| {
            let (bound, distance) = follower.upper;
            bound < value.upper
                || bound == value.upper && (follower.leaves || distance < value.upper_distance)
        });
    agrees && lower_kept && upper_kept && value.lower <= value.upper
}

/// Checks every position of a table.
fn prove(setup: &Setup, layer: Layer) {
    let table = NaiveTable::solve(setup, layer);
    for layer in table.layers() {
        for (position, value) in table.positions(layer) {
            let turn = plain_turn(setup, &position);
            let followers = followers(&table, setup, &position);
            let rules = setup.rules().deviations();
            let text = position.text(setup);
            let proven = is_proven(&value, turn.over, &followers);
            assert!(proven, "{} {text} {rules:?}: {value:?}", setup.game());
        }
    }
}

#[test]
fn distances_prove_values_under_every_option() {
    for (game, columns, seeds) in [
        (GameName::Giuthi, 3, 6),
        (GameName::Bosh, 3, 7),
        (GameName::Hawalis, 2, 8),
        (GameName::Hus, 2, 7),
    ] {
        for setup in all_setups(game, columns) {
            prove(&setup, up_to(game, seeds));
        }
    }
}

fn bosh(columns: usize, closed: [u16; 2]) -> Setup {
    Setup::with_closed(columns, rules(GameName::Bosh, &[]), closed).expect("a playable size")
}

#[test]
fn distances_prove_values_with_closed_pits() {
    for closed in [
        [0, 1],
        [0b100, 0b011],
        [0b111, 0],
        [0b111, 0b111],
        [0b010, 0b010],
    ] {
        prove(&bosh(3, closed), Layer::Total(6));
    }
}

/// With South's and North's closed pits exchanged, the players have changed seats.
#[test]
fn seats_change_with_their_closed_pits() {
    let layer = Layer::Total(6);
    let (one, other) = (bosh(4, [0b0010, 0b1100]), bosh(4, [0b1100, 0b0010]));
    let (table, exchanged) = (
        NaiveTable::solve(&one, layer),
        NaiveTable::solve(&other, layer),
    );
    for layer in table.layers() {
        for (mut position, value) in table.positions(layer) {
            let text = position.text(&one);
            position.seat = position.seat.other();
            assert_eq!(exchanged.value(&position), Some(value), "{text}");
        }
    }
}

/// A board with as many pits closed on either side is a narrower board.
#[test]
fn closed_pits_do_not_exist() {
    let layer = Layer::Total(6);
    let narrow = bosh(3, [0, 0]);
    let expected = NaiveTable::solve(&narrow, layer);
    for closed in [[1, 1], [0b100, 0b010], [0b1000, 0b0001]] {
        let wide = bosh(4, closed);
        let table = NaiveTable::solve(&wide, layer);
        for layer in table.layers() {
            for (position, value) in table.positions(layer) {
                let text = position.text(&wide);
                let places = open_places(&wide, position.seat);
                let pits = places.iter().map(|&place| position.pits[place]).collect();
                let without = Position { pits, ..position };
                assert_eq!(expected.value(&without), Some(value), "{text}");
            }
        }
    }
}
