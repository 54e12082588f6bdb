//! The wave solver rebuilds every row of `layers.csv` and every value of `values.jsonl`.

use crate::common::cases;
use sowbase::game::Game;
use sowbase::games::{GameName, Setup, Visitor};
use sowbase::index::{Layer, layer_of};
use sowbase::notation::Position;
use sowbase::progress::Silent;
use sowbase::retro::{Plan, Store, stake};
use sowbase::tally::Tally;
use sowbase::value::Value;
use std::collections::BTreeMap;

fn tally<G: Game>(store: &Store<G::Board>, layer: Layer) -> Tally {
    let values = store.layer(layer).unwrap();
    let mut tally = Tally::default();
    for rank in 0..values.codes.len() as u64 {
        tally.count(&values.value(rank, stake::<G>(layer)));
    }
    tally
}

/// Solves up to each wanted layer and compares the counts.
struct Rows<'a>(&'a BTreeMap<Layer, Tally>);

impl Visitor for Rows<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let mut done: BTreeMap<Layer, Tally> = BTreeMap::new();
        for &top in self.0.keys().rev() {
            if done.contains_key(&top) {
                continue;
            }
            let plan = Plan::new(game, top).unwrap();
            let store = plan.solve(game, &Silent).unwrap();
            for &layer in plan.levels().iter().flatten() {
                done.entry(layer)
                    .or_insert_with(|| tally::<G>(&store, layer));
            }
        }
        for (layer, wanted) in self.0 {
            assert_eq!(done[layer], *wanted, "layer {layer}");
        }
    }
}

#[test]
fn every_counted_layer_is_rebuilt() {
    let mut games: BTreeMap<(GameName, usize), (Setup, BTreeMap<Layer, Tally>)> = BTreeMap::new();
    for case in cases::layers() {
        let game = (case.setup.game(), case.setup.columns());
        let (_, rows) = games
            .entry(game)
            .or_insert_with(|| (case.setup.clone(), BTreeMap::new()));
        rows.insert(case.layer, case.counts);
    }
    assert!(games.len() >= 12);
    for (setup, rows) in games.values() {
        setup.visit(12, Rows(rows)).unwrap();
    }
}

struct ValueOf<'a>(&'a Position);

impl Visitor for ValueOf<'_> {
    type Output = Value;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let board = self.0.board(game);
        let plan = Plan::new(game, layer_of(game.shape(), board)).unwrap();
        let store = plan.solve(game, &Silent).unwrap();
        store.value::<G>(board).unwrap()
    }
}

#[test]
fn every_sampled_value_is_found() {
    for case in cases::values() {
        let found = case
            .setup
            .visit(case.position.seeds(), ValueOf(&case.position));
        case.check(&found.unwrap());
    }
}
