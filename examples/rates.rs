//! Solves all layers up to the given one by waves and prints positions a second:
//! `rates GAME COLUMNS SEEDS [OTHER]`.
//!
//! Values with distances, on the threads of the environment (`RAYON_NUM_THREADS`). Hawalis takes the
//! seeds of both sides. `ROOM` in the environment limits the bytes of edges that are kept. What is
//! printed is one JSON object.

use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::Plan;
use std::time::Instant;

struct Rate {
    layer: Layer,
    room: u64,
    work: String,
}

impl Visitor for Rate {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let plan = Plan::new(game, self.layer).expect("a plan");
        let memory = plan.memory(game).expect("an estimate");
        let planned = memory.within(memory.least.saturating_add(self.room));
        let begun = Instant::now();
        let store = plan
            .solve_with(game, self.room, &Silent)
            .expect("a solution");
        let seconds = begun.elapsed().as_secs_f64();
        let codes = store.codes(self.layer).expect("the top layer").iter();
        let checksum = codes.fold(0u64, |sum, codes| {
            sum.wrapping_mul(31)
                .wrapping_add(u64::from(codes[0]) * 256 + u64::from(codes[1]))
        });
        println!(
            "{{\"work\":\"{}\",\"positions\":{},\"seconds\":{seconds:.3},\"threads\":{},\"per_second\":{:.0},\"planned_bytes\":{planned},\"checksum\":\"{checksum:016x}\"}}",
            self.work,
            plan.positions,
            rayon::current_num_threads(),
            plan.positions as f64 / seconds,
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
    let room = std::env::var("ROOM").map_or(u64::MAX, |room| room.parse().expect("bytes"));
    let work = format!("{game} {}x{columns} to {layer}, distances", game.rows());
    let rate = Rate { layer, room, work };
    setup.visit(layer.seeds(), rate).expect("a board");
}
