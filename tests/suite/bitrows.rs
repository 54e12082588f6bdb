//! The bit-row solver gives what the generic waves give, position by position.

use crate::common::cases;
use sowbase::game::{OwnPlay, OwnSide, Play};
use sowbase::games::{GameName, OwnSideVisitor, Rules, Setup};
use sowbase::index::{Index, Layer};
use sowbase::progress::{Progress, Silent};
use sowbase::retro::bitrows::{Ask, BitRows, BitStore, LayerBits, Patch, Planes, Sink, Wanted};
use sowbase::retro::{Halt, Plan, Store, stake};
use sowbase::tally::Tally;
use sowbase::value::{Bound, Outcome};
use std::collections::BTreeMap;

/// Every combination of the options, as names and values.
const OPTIONS: [[&str; 2]; 4] = [
    ["unplayable", "with-front"],
    ["unplayable", "free"],
    ["draw", "with-front"],
    ["draw", "free"],
];

fn setup(columns: usize, [endless, back_row]: [&str; 2]) -> Setup {
    let mut rules = Rules::new(GameName::Hawalis);
    rules.set("endless", endless).unwrap();
    rules.set("back-row", back_row).unwrap();
    Setup::new(columns, rules).unwrap()
}

/// Runs a visitor on a board for 16 seeds, however few are asked for.
fn visit<V: OwnSideVisitor>(setup: &Setup, visitor: V) -> V::Output {
    setup.visit_own_side(16, visitor).unwrap().unwrap()
}

/// Solves all layers up to `sides` both ways and compares outcomes, distances and infinite bounds.
struct EveryPosition {
    sides: (u8, u8),
}

impl OwnSideVisitor for EveryPosition {
    /// Positions compared.
    type Output = u64;

    fn visit<G: OwnSide>(self, game: &G) -> u64 {
        let (own, other) = self.sides;
        let top = Layer::Sides(own, other);
        let plan = Plan::new(game, top).unwrap();
        let store = plan.solve(game, &Silent).unwrap();
        let rows = BitRows::new(game, own.max(other).into()).unwrap();
        let (mut outcomes, mut ends) = (BitStore::default(), BitStore::default());
        let mut compared = 0;
        for level in plan.levels() {
            let Layer::Sides(own, other) = level[0] else {
                unreachable!()
            };
            let planes: Vec<Planes> = level
                .iter()
                .map(|&layer| Planes::new(layer, rows.grid(layer)))
                .collect();
            let sink = |patch: &Patch<'_>| {
                planes.iter().for_each(|planes| planes.take(patch));
            };
            let with = |ask, sink: Option<&dyn Sink>, store: &BitStore| {
                rows.solve(store, (own, other), ask, sink, &Silent).unwrap()
            };
            let solved = with(Ask::Outcome, Some(&sink), &outcomes);
            assert_eq!(solved, with(Ask::Outcome, None, &outcomes), "any order");
            let end = with(Ask::End, None, &ends);
            for (i, (layer, bits)) in solved.into_iter().enumerate() {
                assert_eq!(layer, level[i]);
                compare_layer::<G>(&store, layer, &bits, &end[i].1, &planes[i]);
                compared += rows.positions(layer);
                outcomes.insert(layer, bits);
            }
            for (layer, bits) in end {
                ends.insert(layer, bits);
            }
        }
        compared
    }
}

fn compare_layer<G: OwnSide>(
    store: &Store<G::Board>,
    layer: Layer,
    bits: &LayerBits,
    end: &LayerBits,
    planes: &Planes,
) {
    let values = store.layer(layer).unwrap();
    let mut rank = 0;
    for row in 0..planes.grid().rows {
        planes.each_in_row(row, |outcome, distance| {
            let value = values.value(rank, stake::<G>(layer));
            let at = || format!("layer {layer}, rank {rank}");
            assert_eq!(outcome, value.outcome(0), "{}", at());
            assert_eq!(distance, value.distance(0).unwrap_or(0), "{}", at());
            let (won, lost) = (outcome == Outcome::Win, outcome == Outcome::Loss);
            assert_eq!(bits.at(rank), (won, lost), "{}", at());
            let finite = (
                value.lower != Bound::MinusInfinity,
                value.upper != Bound::PlusInfinity,
            );
            assert_eq!(end.at(rank), finite, "ends, {}", at());
            rank += 1;
        });
    }
    assert_eq!(rank, values.codes.len() as u64);
}

#[test]
fn every_position_equals_the_generic_waves() {
    for (columns, sides) in [
        (1, (9, 9)),
        (2, (8, 8)),
        (2, (9, 4)),
        (3, (4, 4)),
        (3, (2, 7)),
        (4, (3, 4)),
        (7, (3, 3)),
        (8, (3, 2)),
    ] {
        for options in OPTIONS {
            let compared = visit(&setup(columns, options), EveryPosition { sides });
            assert!(compared > 90, "{columns} columns");
        }
    }
}

struct Tallies {
    sides: (u8, u8),
    wanted: Wanted,
}

impl OwnSideVisitor for Tallies {
    type Output = BTreeMap<Layer, Tally>;

    fn visit<G: OwnSide>(self, game: &G) -> Self::Output {
        let (own, other) = self.sides;
        let rows = BitRows::new(game, own.max(other).into()).unwrap();
        rows.solve_all(self.sides, self.wanted, None, &Silent, |_, _| ())
            .unwrap()
    }
}

#[test]
fn every_counted_layer_is_rebuilt() {
    let wanted = Wanted {
        distances: true,
        bounds: true,
    };
    let mut done: BTreeMap<(usize, Layer), Tally> = BTreeMap::new();
    let mut rows = cases::layers();
    rows.retain(|row| row.setup.game() == GameName::Hawalis);
    assert!(rows.len() > 100);
    // From the last, so that large layers bring the small ones along.
    for row in rows.iter().rev() {
        let (columns, layer) = (row.setup.columns(), row.layer);
        let Layer::Sides(own, other) = layer else {
            unreachable!()
        };
        if !done.contains_key(&(columns, layer)) {
            let sides = (own, other);
            let tallies = visit(&row.setup, Tallies { sides, wanted });
            done.extend(tallies.into_iter().map(|(layer, t)| ((columns, layer), t)));
        }
        assert_eq!(done[&(columns, layer)], row.counts, "{}", row.label);
    }
}

/// Layer, positions, wins, losses, draws.
type Reference = ((u8, u8), [u64; 4]);

fn references_are_met(columns: usize, sides: (u8, u8), references: &[Reference]) {
    let wanted = Wanted::default();
    let tallies = visit(&setup(columns, OPTIONS[0]), Tallies { sides, wanted });
    for &((own, other), reference) in references {
        let t = tallies[&Layer::Sides(own, other)];
        let found = [t.positions, t.wins, t.losses, t.draws];
        assert_eq!(found, reference, "4x{columns}, {own}-{other}");
    }
}

#[test]
fn a_whole_small_board_is_counted() {
    references_are_met(
        3,
        (12, 12),
        &[((12, 12), [38_291_344, 27_781_318, 10_117_934, 392_092])],
    );
}

#[test]
#[ignore = "1.5 billion positions: a matter of seconds when optimised for release, of minutes here"]
fn the_usual_board_is_counted_up_to_six() {
    references_are_met(
        7,
        (6, 6),
        &[
            ((6, 6), [736_145_424, 409_941_258, 325_899_486, 304_680]),
            ((6, 5), [232_466_976, 133_888_364, 98_518_023, 60_589]),
            ((5, 6), [232_466_976, 128_401_512, 104_018_388, 47_076]),
        ],
    );
}

/// Stops after so many positions.
struct StopAfter(std::sync::atomic::AtomicU64);

impl Progress for StopAfter {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, units: u64) {
        use std::sync::atomic::Ordering::Relaxed;
        let left = self.0.load(Relaxed).saturating_sub(units);
        self.0.store(left, Relaxed);
    }
    fn end(&self) {}
    fn stopped(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) == 0
    }
}

struct Stopped;

impl OwnSideVisitor for Stopped {
    type Output = ();

    fn visit<G: OwnSide>(self, game: &G) {
        let rows = BitRows::new(game, 4).unwrap();
        let stop = StopAfter(1000.into());
        let result = rows.solve_all((4, 4), Wanted::default(), None, &stop, |_, _| ());
        assert_eq!(result, Err(Halt::Stopped));
    }
}

#[test]
fn it_stops_when_told() {
    visit(&setup(4, OPTIONS[0]), Stopped);
}

/// The two halves of a move put together are the move.
struct Halves;

impl OwnSideVisitor for Halves {
    type Output = ();

    fn visit<G: OwnSide>(self, game: &G) {
        let top = Layer::Sides(4, 3);
        let index = Index::<G::Board>::new(game.shape(), top).unwrap();
        for board in index.walk(top, 0..u64::MAX) {
            use sowbase::board::Board;
            let (own, other) = (board.ring(0), board.ring(1));
            assert_eq!(game.candidates(board), game.own_candidates(own));
            for choice in game.candidates(board) {
                let whole = game.play(board, choice);
                match (game.sow_own(own, choice), whole) {
                    (OwnPlay::Endless, Play::Endless { .. }) => {}
                    (OwnPlay::Done { own, landing }, Play::Done(played)) => {
                        let (other, taken) =
                            landing.map_or((other, 0), |landing| game.take(other, landing));
                        assert_eq!(played.board, G::Board::from_rings([other, own]));
                        assert_eq!((played.captured, played.again), (taken, false));
                    }
                    halves => panic!("{board:?}, {choice:?}: {halves:?}"),
                }
            }
        }
    }
}

#[test]
fn own_side_and_capture_make_the_move() {
    for options in OPTIONS {
        visit(&setup(3, options), Halves);
    }
}

#[test]
fn other_games_are_told_apart() {
    let hus = Setup::new(2, Rules::new(GameName::Hus)).unwrap();
    assert!(!hus.own_side());
    assert!(matches!(hus.visit_own_side(4, Stopped), Ok(None)));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let wanted = Wanted {
            distances: true,
            bounds: true,
        };
        let sides = (5, 3);
        pool.unwrap()
            .install(|| visit(&setup(6, OPTIONS[0]), Tallies { sides, wanted }))
    };
    let one = solve(1);
    assert_eq!(one, solve(2));
    assert_eq!(one, solve(8));
}
