//! The wave solver equals the definition (the naive solver on plain rules) on every position of small
//! boards, value and distance of both bounds.

use crate::common::all_setups;
use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::Plan;
use sowbase::retro::naive::NaiveTable;

/// Solves all layers up to a layer and compares every position.
struct Agrees<'a> {
    setup: &'a Setup,
    top: Layer,
}

impl Visitor for Agrees<'_> {
    type Output = usize;

    fn visit<G: Game>(self, game: &G) -> usize {
        let naive = NaiveTable::solve(self.setup, self.top);
        let store = Plan::new(game, self.top)
            .unwrap()
            .solve(game, &Silent)
            .unwrap();
        let mut compared = 0;
        for layer in naive.layers() {
            for (position, wanted) in naive.positions(layer) {
                let found = store.value::<G>(position.board(game));
                // Games without layers below solve the top one alone.
                if let Some(found) = found {
                    assert_eq!(found, wanted, "{}", position.text(self.setup));
                    compared += 1;
                }
            }
        }
        compared
    }
}

fn agrees(setup: &Setup, top: Layer) {
    let compared = setup.visit(top.seeds(), Agrees { setup, top }).unwrap();
    assert!(compared > 0);
}

fn usual(game: GameName, columns: usize) -> Setup {
    Setup::new(columns, Rules::new(game)).unwrap()
}

#[test]
fn giuthi_and_bosh_agree_on_every_position() {
    for game in [GameName::Giuthi, GameName::Bosh] {
        agrees(&usual(game, 1), Layer::Total(9));
        agrees(&usual(game, 2), Layer::Total(12));
        agrees(&usual(game, 3), Layer::Total(12));
        agrees(&usual(game, 4), Layer::Total(11));
    }
}

#[test]
fn hawalis_agrees_on_every_position() {
    for own in 5..=10 {
        agrees(&usual(GameName::Hawalis, 2), Layer::Sides(own, 10 - own));
    }
    agrees(&usual(GameName::Hawalis, 1), Layer::Sides(5, 5));
    agrees(&usual(GameName::Hawalis, 3), Layer::Sides(5, 5));
}

#[test]
fn hus_agrees_on_every_position() {
    for seeds in 0..=12 {
        agrees(&usual(GameName::Hus, 2), Layer::Total(seeds));
    }
    for seeds in 0..=9 {
        agrees(&usual(GameName::Hus, 3), Layer::Total(seeds));
    }
    agrees(&usual(GameName::Hus, 1), Layer::Total(9));
}

#[test]
fn every_combination_of_options_agrees_on_a_small_board() {
    for game in GameName::ALL {
        let top = match game {
            GameName::Giuthi | GameName::Bosh => Layer::Total(8),
            GameName::Hawalis => Layer::Sides(4, 3),
            GameName::Hus => Layer::Total(7),
        };
        for setup in all_setups(game, 2) {
            agrees(&setup, top);
        }
    }
}

#[test]
fn boards_with_closed_pits_agree() {
    for south in 0..8 {
        for north in 0..8 {
            if (south, north) == (7, 7) {
                continue; // no pit to hold a seed
            }
            let rules = Rules::new(GameName::Bosh);
            let setup = Setup::with_closed(3, rules, [south, north]).unwrap();
            agrees(&setup, Layer::Total(7));
        }
    }
}
