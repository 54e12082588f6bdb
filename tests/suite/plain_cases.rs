//! Owns: the cases, run through the plain rules and the naive solver.
//!
//! Both were written from the text of the rules and the definition of a value alone; here they meet
//! answers that were not computed by this crate.

use crate::common::cases::{self, Fact};
use crate::common::{Played, plain_turn};
use sowbase::games::{GameName, Setup};
use sowbase::index::Layer;
use sowbase::retro::naive::NaiveTable;
use sowbase::tally::Tally;
use sowbase::value::Bound;
use std::collections::HashMap;

fn check_moves(file: &str) {
    let cases = cases::moves(file);
    assert!(!cases.is_empty());
    for case in cases {
        let turn = plain_turn(&case.setup, &case.position);
        let found = cases::listed(&case.setup, &case.position, &turn);
        assert_eq!(found, case.moves, "{}", case.label);
        assert_eq!(case.position.text(&case.setup), case.text, "{}", case.label);
    }
}

#[test]
fn moves_of_giuthi() {
    check_moves("moves-giuthi.jsonl");
}

#[test]
fn moves_of_bosh() {
    check_moves("moves-bosh.jsonl");
}

#[test]
fn moves_of_hawalis() {
    check_moves("moves-hawalis.jsonl");
}

#[test]
fn moves_of_hus() {
    check_moves("moves-hus.jsonl");
}

#[test]
fn moves_under_options() {
    check_moves("moves-options.jsonl");
}

#[test]
fn perft_counts() {
    for case in cases::perft() {
        let count = crate::common::perft(&case.setup, &case.position, case.depth, &plain_turn);
        assert_eq!(count, case.count, "{}", case.label);
    }
}

#[test]
fn known_answers() {
    for case in cases::known() {
        let label = &case.label;
        let moves = plain_turn(&case.setup, &case.position).moves;
        let name = |choice| crate::common::name(&case.setup, &case.position, choice);
        let taken = |played: &Played| match played {
            Played::Done {
                choice, captured, ..
            } => (name(*choice), *captured),
            Played::Endless { choice, .. } => (name(*choice), 0),
        };
        match &case.fact {
            Fact::Leads {
                choice,
                captured,
                result,
            } => {
                let leads = moves.iter().any(|played| {
                    taken(played) == (choice.clone(), *captured)
                        && matches!(played, Played::Done { position, .. }
                            if position.text(&case.setup) == *result)
                });
                assert!(leads, "{label}: {moves:?}");
            }
            Fact::Best {
                moves: best,
                captured,
            } => {
                let most = moves.iter().map(|played| taken(played).1).max();
                assert_eq!(most, Some(*captured), "{label}");
                let found = moves.iter().map(taken).filter(|taken| taken.1 == *captured);
                assert_eq!(
                    found.map(|taken| taken.0).collect::<Vec<_>>(),
                    *best,
                    "{label}"
                );
            }
            Fact::Endless { choice, period } => {
                let found = moves.iter().any(|played| {
                    matches!(played, Played::Endless { choice: c, period: p }
                        if name(*c) == *choice && p == period)
                });
                assert!(found, "{label}: {moves:?}");
            }
            Fact::Cycle { moves } => check_cycle(&case, moves),
        }
    }
}

/// One player's moves, all in one turn, that lead back to where they began.
fn check_cycle(case: &cases::KnownCase, cycle: &[String]) {
    let mut at = case.position.clone();
    for wanted in cycle {
        let moves = plain_turn(&case.setup, &at).moves;
        let next = moves.into_iter().find_map(|played| match played {
            Played::Done {
                choice,
                captured: 0,
                again: true,
                position,
                ..
            } if crate::common::name(&case.setup, &at, choice) == *wanted => Some(position),
            _ => None,
        });
        at = next.unwrap_or_else(|| panic!("{}: {wanted}", case.label));
    }
    assert_eq!(at, case.position, "{}", case.label);
    let layer = crate::common::layer(&case.setup, &at);
    let value = NaiveTable::solve(&case.setup, layer).value(&at);
    let upper = value.map(|value| value.upper);
    assert_eq!(upper, Some(Bound::PlusInfinity), "{}", case.label);
}

/// Tables by game and columns, extended as far as asked for.
#[derive(Default)]
struct Tables(HashMap<(GameName, usize), NaiveTable>);

impl Tables {
    fn up_to(&mut self, setup: &Setup, layer: Layer) -> &NaiveTable {
        let table = self
            .0
            .entry((setup.game(), setup.columns()))
            .or_insert_with(|| NaiveTable::solve(setup, layer));
        table.extend(layer);
        table
    }
}

/// All rows of all games.
fn check_layers(game: GameName) {
    let mut tables = Tables::default();
    let cases = cases::layers();
    let of_game = || cases.iter().filter(|case| case.setup.game() == game);
    assert!(of_game().count() > 0);
    for case in of_game() {
        let layer = case.layer;
        let mut counts = Tally::default();
        for (_, value) in tables.up_to(&case.setup, layer).positions(layer) {
            counts.count(&value);
        }
        assert_eq!(counts, case.counts, "{}", case.label);
    }
}

#[test]
fn layers_of_giuthi() {
    check_layers(GameName::Giuthi);
}

#[test]
fn layers_of_bosh() {
    check_layers(GameName::Bosh);
}

#[test]
fn layers_of_hawalis() {
    check_layers(GameName::Hawalis);
}

#[test]
fn layers_of_hus() {
    check_layers(GameName::Hus);
}

#[test]
fn sampled_values() {
    let mut tables = Tables::default();
    for case in cases::values() {
        let layer = crate::common::layer(&case.setup, &case.position);
        let table = tables.up_to(&case.setup, layer);
        let value = table.value(&case.position).expect("a solved layer");
        case.check(&value);
    }
}
