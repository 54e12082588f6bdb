//! Owns: the contract that every game fills, whatever its options and size.
//!
//! The packed rules against the plain ones, which share no code: the same moves, laps, captures,
//! periods, boards and ends. Besides, what holds of any right implementation: seeds are conserved,
//! text comes out again as it went in, a mirrored Giuthi board plays the mirrored moves.

use crate::common::random::{Random, all_positions};
use crate::common::{
    Played, Turn, all_setups, fast_turn, fast_turn_by, open_places, plain_turn, plain_turn_by,
    rules,
};
use sowbase::board::Direction;
use sowbase::game::{Game, Move};
use sowbase::games::{GameName, Seat, Setup, Visitor};
use sowbase::notation::{Position, move_name, parse_move, parse_position};
use sowbase::plain::PlainRules;

/// Compares the fast rules with the plain ones at all of these positions.
struct Compare<'a> {
    setup: &'a Setup,
    positions: &'a [Position],
}

impl Visitor for Compare<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let plain = PlainRules::new(self.setup);
        for position in self.positions {
            let expected = plain_turn_by(&plain, position);
            let found = fast_turn_by(game, position);
            let case = || {
                let rules = self.setup.rules().deviations();
                let text = position.text(self.setup);
                format!(
                    "{} {text} {rules:?}\nplain {expected:?}\nfast  {found:?}",
                    self.setup.game()
                )
            };
            assert!(found == expected, "{}", case());
            let legal = expected.moves.iter().any(|played| match played {
                Played::Done { choice, .. } => !choice.is_pass(),
                Played::Endless { .. } => game.endless_draws(),
            });
            let board = position.board(game);
            assert_eq!(game.can_move(board), legal, "{}", case());
            let mut pits = vec![0; self.setup.pits()];
            game.unpack(board, position.seat as usize, &mut pits);
            assert_eq!(pits, position.pits, "{}", case());
            conserves_seeds(position, &expected, &case);
        }
    }
}

fn conserves_seeds(position: &Position, turn: &Turn, case: &impl Fn() -> String) {
    for played in &turn.moves {
        if let Played::Done {
            captured,
            position: next,
            ..
        } = played
        {
            assert_eq!(next.seeds() + captured, position.seeds(), "{}", case());
        }
    }
}

/// Compares on the narrowest board that holds the seeds and on those that hold more.
fn compare(setup: &Setup, positions: &[Position]) {
    let seeds = positions.iter().map(Position::seeds).max().unwrap_or(0);
    let mut capacities = vec![seeds, seeds.max(64), 255];
    capacities.dedup();
    for capacity in capacities {
        let visitor = Compare { setup, positions };
        setup
            .visit(capacity, visitor)
            .expect("a board that holds the seeds");
    }
}

/// Compares at positions drawn at random, `each` for every number of seeds.
fn compare_random(setup: &Setup, each: usize) {
    let mut random = Random(setup.pits() as u64);
    for seeds in seeds_for(setup) {
        let positions: Vec<_> = (0..each).map(|_| random.position(setup, seeds)).collect();
        compare(setup, &positions);
    }
}

/// Seeds from a handful to the most that each width of lane holds.
const SEEDS: [u32; 11] = [2, 5, 9, 14, 22, 36, 63, 64, 100, 180, 255];

/// Those of [`SEEDS`] whose moves a test can wait for. With many seeds a pit, on rings that are
/// neither small nor long, a move that always sows one way may be endless with a period of more than
/// a hundred million laps. Giuthi's moves turn back and stay short.
fn seeds_for(setup: &Setup) -> impl Iterator<Item = u32> {
    let short = setup.game() == GameName::Giuthi || !(3..8).contains(&setup.columns());
    let most = if short { 255 } else { 4 * setup.pits() as u32 };
    SEEDS.into_iter().filter(move |&seeds| seeds <= most)
}

/// Compares at every position with up to so many seeds.
fn compare_all(setup: &Setup, up_to: u8) {
    for seeds in 0..=up_to {
        compare(setup, &all_positions(setup, seeds));
    }
}

#[test]
fn giuthi_on_random_boards() {
    for columns in 1..=10 {
        for setup in all_setups(GameName::Giuthi, columns) {
            compare_random(&setup, 10);
        }
    }
}

#[test]
fn bosh_on_random_boards() {
    for columns in 1..=10 {
        for setup in all_setups(GameName::Bosh, columns) {
            compare_random(&setup, 60);
        }
    }
}

#[test]
fn hawalis_on_random_boards() {
    for columns in 1..=8 {
        for setup in all_setups(GameName::Hawalis, columns) {
            compare_random(&setup, 60);
        }
    }
}

#[test]
fn hus_on_random_boards() {
    for columns in 1..=16 {
        for setup in all_setups(GameName::Hus, columns) {
            compare_random(&setup, 30);
        }
    }
}

#[test]
fn every_position_of_small_boards() {
    for game in GameName::ALL {
        // Columns, and seeds up to which every position is looked at.
        let sizes: &[(usize, u8)] = match game {
            GameName::Giuthi => &[(1, 12), (2, 8), (3, 5)],
            GameName::Bosh => &[(1, 12), (2, 9), (3, 7)],
            GameName::Hawalis | GameName::Hus => &[(1, 12), (2, 6), (3, 4)],
        };
        for &(columns, seeds) in sizes {
            for setup in all_setups(game, columns) {
                compare_all(&setup, seeds);
            }
        }
    }
}

/// Bosh with some pits closed, under every option that changes a move.
fn closed_setups(columns: usize, closed: [u16; 2]) -> impl Iterator<Item = Setup> {
    ["false", "true"].into_iter().flat_map(move |skip| {
        ["unplayable", "draw"].into_iter().map(move |endless| {
            let options = [format!("skip-origin={skip}"), format!("endless={endless}")];
            let rules = rules(GameName::Bosh, &options.each_ref().map(String::as_str));
            Setup::with_closed(columns, rules, closed).expect("a playable size")
        })
    })
}

#[test]
fn every_way_to_close_pits_of_small_boards() {
    // Down to rings of two pits, one and none.
    for (columns, seeds) in [(1_usize, 9), (2, 6), (3, 4)] {
        for south in 0..1 << columns {
            for north in 0..1 << columns {
                for setup in closed_setups(columns, [south, north]) {
                    compare_all(&setup, seeds);
                }
            }
        }
    }
}

#[test]
fn closed_pits_on_random_boards() {
    let mut random = Random(7);
    for columns in [4_usize, 5, 8, 10] {
        for round in 0..40 {
            let mut mask = || random.below(1 << columns) as u16 & random.below(1 << columns) as u16;
            let south = mask();
            // Some with the same pits closed on either side, some with as many, most with neither.
            let north = match round % 4 {
                0 => south,
                1 => south.reverse_bits() >> (16 - columns),
                _ => mask(),
            };
            for setup in closed_setups(columns, [south, north]) {
                let open = open_places(&setup, Seat::South).len() as u32;
                if open == 0 {
                    continue;
                }
                // Three seeds a pit at most: see `seeds_for`.
                for seeds in [3, open, 2 * open, 3 * open] {
                    let each = 0..6;
                    let positions: Vec<_> = each.map(|_| random.position(&setup, seeds)).collect();
                    compare(&setup, &positions);
                }
            }
        }
    }
}

/// Full boards with pits closed: the seat's own lane must not be sown into or overflow.
#[test]
fn closed_pits_on_full_boards() {
    let mut random = Random(11);
    for closed in [[1, 0], [0, 1 << 9], [0b101, 0b1], [0b11, 0b1_1000_0000]] {
        for setup in closed_setups(10, closed) {
            for seeds in [63, 64, 180, 255] {
                let positions: Vec<_> = (0..10).map(|_| random.position(&setup, seeds)).collect();
                compare(&setup, &positions);
            }
        }
    }
}

/// A closed pit does not exist: a board with one closed in each row plays as a narrower board.
#[test]
fn a_closed_pit_is_as_if_it_were_not_there() {
    let narrow = Setup::new(4, rules(GameName::Bosh, &[])).expect("a playable size");
    let mut random = Random(13);
    for south in 0..5 {
        for north in 0..5 {
            let closed = [1 << south, 1 << north];
            let wide = Setup::with_closed(5, rules(GameName::Bosh, &[]), closed);
            let wide = wide.expect("a playable size");
            let without = |position: &Position| {
                let places = open_places(&wide, position.seat);
                let mut position = position.clone();
                position.pits = places.iter().map(|&place| position.pits[place]).collect();
                position
            };
            for seeds in [2, 6, 11, 16, 25] {
                let position = random.position(&wide, seeds);
                let mut expected = plain_turn(&wide, &position);
                for played in &mut expected.moves {
                    if let Played::Done { position: next, .. } = played {
                        *next = without(next);
                    }
                }
                let found = plain_turn(&narrow, &without(&position));
                assert_eq!(found, expected, "{}", position.text(&wide));
            }
        }
    }
}

#[test]
fn text_comes_out_as_it_went_in() {
    let mut random = Random(17);
    let closed = [[0b1, 0], [0b10010, 0b100], [0, 0b11111], [0b1010, 0b1010]];
    let closed = closed.map(|closed| Setup::with_closed(5, rules(GameName::Bosh, &[]), closed));
    let open = GameName::ALL.into_iter().flat_map(|game| {
        let columns = game.columns();
        columns.flat_map(move |columns| all_setups(game, columns))
    });
    for setup in open.chain(closed.map(|setup| setup.expect("a playable size"))) {
        for seeds in [0, 4, 17, 99] {
            let mut position = random.position(&setup, seeds);
            for captured in [None, Some([0, 0]), Some([12, 345])] {
                position.captured = captured;
                let text = position.text(&setup);
                let read = parse_position(&text, setup.rules()).expect("a position");
                assert_eq!(read, (setup.clone(), position.clone()), "{text}");
            }
        }
        for seat in [Seat::South, Seat::North] {
            moves_keep_their_names(&setup, seat);
        }
    }
}

/// Every pit that can hold seeds, both ways where moves have a way.
fn moves_keep_their_names(setup: &Setup, seat: Seat) {
    let half = setup.pits() / 2;
    let own = open_places(setup, seat)
        .iter()
        .filter(|&&place| place < half)
        .count();
    let ways: &[Direction] = if setup.game().two_way() {
        &[Direction::Ccw, Direction::Cw]
    } else {
        &[Direction::Ccw]
    };
    let sown = (0..own).flat_map(|pit| ways.iter().map(move |&way| Move::sow(pit, way)));
    let mut names = Vec::new();
    for choice in sown.chain([Move::PASS]) {
        let name = move_name(setup, seat, choice);
        assert_eq!(parse_move(setup, seat, &name), Ok(choice), "{name}");
        names.push(name);
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "two moves of one name");
}

/// Giuthi has no left and right: on a mirrored board the mirrored moves, with directions exchanged,
/// do the same.
#[test]
fn a_mirrored_giuthi_board_plays_the_mirrored_moves() {
    let mut random = Random(19);
    for columns in 1..=10 {
        for setup in all_setups(GameName::Giuthi, columns) {
            for seeds in [3, 8, 20, 45, 90] {
                let position = random.position(&setup, seeds);
                let there = mirrored(&position, columns);
                for turn in [plain_turn, fast_turn] {
                    let expected = mirrored_turn(turn(&setup, &position), columns);
                    let label = position.text(&setup);
                    assert_eq!(turn(&setup, &there), expected, "{label}");
                }
            }
        }
    }
}

fn mirrored(position: &Position, columns: usize) -> Position {
    let mut position = position.clone();
    position.pits[..columns].reverse();
    position.pits[columns..].reverse();
    position
}

fn mirrored_turn(mut turn: Turn, columns: usize) -> Turn {
    let mirrored_move = |choice: Move| match choice.direction() {
        _ if choice.is_pass() => choice,
        Direction::Ccw => Move::sow(columns - 1 - choice.pit(), Direction::Cw),
        Direction::Cw => Move::sow(columns - 1 - choice.pit(), Direction::Ccw),
    };
    for played in &mut turn.moves {
        match played {
            Played::Done {
                choice, position, ..
            } => {
                *choice = mirrored_move(*choice);
                *position = mirrored(position, columns);
            }
            Played::Endless { choice, .. } => *choice = mirrored_move(*choice),
        }
    }
    turn.moves.sort_by_key(|played| match played {
        Played::Done { choice, .. } | Played::Endless { choice, .. } => *choice,
    });
    turn
}
