//! Prints how many positions a second the wave solver makes: `rates GAME COLUMNS SEEDS [OTHER]`.
//!
//! All layers up to the given one, values with distances, on the threads of the environment
//! (`RAYON_NUM_THREADS`). Hawalis takes the seeds of both sides.

use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::Plan;
use std::time::Instant;

struct Rate(Layer);

impl Visitor for Rate {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let plan = Plan::new(game, self.0).expect("a plan");
        let planned = plan.memory(game).expect("an estimate").most;
        let begun = Instant::now();
        let store = plan.solve(game, &Silent).expect("a solution");
        let seconds = begun.elapsed().as_secs_f64();
        let checksum = store.layer(self.0).expect("the top layer").codes.iter();
        let checksum = checksum.fold(0u64, |sum, codes| {
            sum.wrapping_mul(31)
                .wrapping_add(u64::from(codes[0]) * 256 + u64::from(codes[1]))
        });
        println!(
            "{} positions, {seconds:.2} s, {:.2} M positions/s, {} MiB planned, checksum {checksum:016x}",
            plan.positions,
            plan.positions as f64 / seconds / 1e6,
            planned >> 20,
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let game: GameName = arguments[0].parse().expect("a game");
    let columns = arguments[1].parse().expect("columns");
    let seeds: Vec<u8> = arguments[2..]
        .iter()
        .map(|s| s.parse().expect("seeds"))
        .collect();
    let layer = match seeds[..] {
        [own, other] => Layer::Sides(own, other),
        _ => Layer::Total(seeds[0]),
    };
    let setup = Setup::new(columns, Rules::new(game)).expect("a setup");
    setup.visit(layer.seeds(), Rate(layer)).expect("a board");
}
