//! The wave solver rebuilds every row of `layers.csv` and every value of `values.jsonl`.

use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::{Layer, layer_of};
use sowbase::notation::parse_position;
use sowbase::progress::Silent;
use sowbase::retro::{Plan, Store, stake};
use sowbase::tally::Tally;
use std::collections::BTreeMap;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(name);
    std::fs::read_to_string(path).unwrap()
}

fn parse_layer(text: &str) -> Layer {
    match text.split_once('-') {
        Some((own, other)) => Layer::Sides(own.parse().unwrap(), other.parse().unwrap()),
        None => Layer::Total(text.parse().unwrap()),
    }
}

fn tally<G: Game>(store: &Store<G::Board>, layer: Layer) -> Tally {
    let values = store.layer(layer).unwrap();
    let mut tally = Tally::default();
    for rank in 0..values.codes.len() as u64 {
        tally.count(&values.value(rank, stake::<G>(layer)));
    }
    tally
}

/// Solves up to each wanted layer and compares the rows as text.
struct Rows<'a> {
    wanted: &'a BTreeMap<Layer, String>,
}

impl Visitor for Rows<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let mut done: BTreeMap<Layer, Tally> = BTreeMap::new();
        for &top in self.wanted.keys().rev() {
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
        for (layer, wanted) in self.wanted {
            let t = done[layer];
            let found = [
                t.positions,
                t.wins,
                t.draws,
                t.losses,
                t.lower_ne_upper,
                t.lower_infinite,
                t.upper_infinite,
                t.max_distance,
                t.sum_distance,
            ]
            .map(|count| count.to_string());
            let fields: Vec<&str> = wanted.split(',').collect();
            for (i, field) in fields.iter().enumerate() {
                assert!(
                    field.is_empty() || *field == found[i],
                    "layer {layer}: {wanted}, found {found:?}"
                );
            }
        }
    }
}

#[test]
fn every_counted_layer_is_rebuilt() {
    let mut games: BTreeMap<(GameName, usize), BTreeMap<Layer, String>> = BTreeMap::new();
    for line in read("layers.csv")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let mut fields = line.splitn(4, ',');
        let game = fields.next().unwrap().parse().unwrap();
        let columns = fields.next().unwrap().parse().unwrap();
        let layer = parse_layer(fields.next().unwrap());
        games
            .entry((game, columns))
            .or_default()
            .insert(layer, fields.next().unwrap().to_owned());
    }
    assert!(games.len() >= 12);
    for ((game, columns), wanted) in &games {
        let setup = Setup::new(*columns, Rules::new(*game)).unwrap();
        setup.visit(12, Rows { wanted }).unwrap();
    }
}

struct ValueOf<'a>(&'a sowbase::notation::Position);

impl Visitor for ValueOf<'_> {
    type Output = sowbase::value::Value;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let board = self.0.board(game);
        let plan = Plan::new(game, layer_of(game.shape(), board)).unwrap();
        plan.solve(game, &Silent)
            .unwrap()
            .value::<G>(board)
            .unwrap()
    }
}

#[test]
fn every_sampled_value_is_found() {
    for line in read("values.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let game: GameName = case["game"].as_str().unwrap().parse().unwrap();
        let text = case["position"].as_str().unwrap();
        let (setup, position) = parse_position(text, &Rules::new(game)).unwrap();
        assert_eq!(position.text(&setup), text);
        let value = setup.visit(position.seeds(), ValueOf(&position)).unwrap();
        assert_eq!(case["outcome"], value.outcome(0).as_str(), "{line}");
        let number = |distance: Option<u16>| serde_json::json!(distance);
        let bound = |bound: sowbase::value::Bound| match bound.finite() {
            Some(margin) => serde_json::json!(margin),
            None => serde_json::json!(bound.to_string()),
        };
        if game.scored() {
            assert_eq!(case["lower"], bound(value.lower), "{line}");
            assert_eq!(case["upper"], bound(value.upper), "{line}");
            assert_eq!(
                case["lower_distance"],
                number(value.finite_lower_distance()),
                "{line}"
            );
            assert_eq!(
                case["upper_distance"],
                number(value.finite_upper_distance()),
                "{line}"
            );
        } else {
            assert_eq!(case["distance"], number(value.distance(0)), "{line}");
        }
    }
}
