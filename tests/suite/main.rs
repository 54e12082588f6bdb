//! The library, tested by its answers. One crate, so that generic solvers are compiled only once for
//! all tests.

mod bitrows;
mod common;
mod contract;
mod layers;
mod naive;
mod plain_cases;
mod puzzles;
mod relays;
mod rounds;
mod search_cycles;
mod search_evaluation;
mod search_proof;
mod snapshots;
mod solvers;
mod whole_match;
