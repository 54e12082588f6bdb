//! Very long relays, endless and finite (`tests/data/relays.jsonl`): both rule implementations tell
//! them apart and count the same laps, the first time and when the cycle is already known.

use crate::common::{Played, fast_turn_by, plain_turn, position};
use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Visitor};
use sowbase::notation::{Position, parse_move};

struct Twice<'a>(&'a Position);

impl Visitor for Twice<'_> {
    type Output = [Vec<Played>; 2];

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        [0, 1].map(|_| fast_turn_by(game, self.0).moves)
    }
}

#[test]
fn endless_relays_are_told_from_long_ones() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/relays.jsonl");
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let game: GameName = case["game"].as_str().unwrap().parse().unwrap();
        let (setup, position) = position(case["position"].as_str().unwrap(), &Rules::new(game));
        let wanted = parse_move(&setup, position.seat, case["move"].as_str().unwrap()).unwrap();
        let [first, again] = setup.visit(position.seeds(), Twice(&position)).unwrap();
        assert_eq!(first, again);
        assert_eq!(first, plain_turn(&setup, &position).moves);
        let found = first.iter().find_map(|played| match *played {
            Played::Endless { choice, period } if choice == wanted => Some(("period", period)),
            Played::Done { choice, laps, .. } if choice == wanted => Some(("laps", laps)),
            _ => None,
        });
        let (kind, count) = found.unwrap();
        assert_eq!(case[kind], count, "{line}");
    }
}
