//! Prints what coding a layer's blocks costs, part by part: `coder GAME COLUMNS SEEDS [OTHER]`.
//!
//! Solves the layer in memory, then codes and decodes up to 32 of its blocks on one thread, and prints
//! bits and nanoseconds a position: for looking at the positions, and for each plane.

use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::{Plan, stake};
use sowbase::table::TwoPlies;
use sowbase::table::block::{Coder, Looks};
use sowbase::table::geometry::Geometry;
use std::time::{Duration, Instant};

/// Blocks looked at, evenly over the layer.
const BLOCKS: u64 = 32;

struct Cost(Layer);

/// Adds the time that `work` takes to `sum`.
fn timed<T>(sum: &mut Duration, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    *sum += begun.elapsed();
    done
}

impl Visitor for Cost {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let layer = self.0;
        let plan = Plan::new(game, layer).expect("a plan");
        let store = plan.solve(game, &Silent).expect("a solution");
        let values = store.layer(layer).expect("the top layer");
        let geometry = Geometry::new(store.index(), layer);
        let predictor = TwoPlies::new(game);
        let mut coder = Coder::default();
        let [mut look, mut code, mut decode] = [Duration::ZERO; 3];
        let mut code_distances = Duration::ZERO;
        let (mut positions, mut bytes) = (0u64, [0usize; 2]);
        let step = geometry.blocks().div_ceil(BLOCKS).max(1);
        for block in (0..geometry.blocks()).step_by(step as usize) {
            let stake = stake::<G>(layer);
            let looks = timed(&mut look, || {
                Looks::new(store.index(), layer, block, stake, G::SCORED, &predictor)
            });
            let codes = geometry.gather(block, &values.codes);
            let distances: Vec<_> = geometry
                .runs(block)
                .flatten()
                .map(|rank| values.distances.get(rank as usize))
                .collect();
            let packed = timed(&mut code, || looks.encode_values(&mut coder, &codes));
            let packed_distances = timed(&mut code_distances, || {
                looks.encode_distances(&mut coder, &codes, &distances)
            });
            let back = timed(&mut decode, || looks.decode_values(&mut coder, &packed));
            assert!(back.expect("what was coded") == codes);
            positions += codes.len() as u64;
            bytes[0] += packed.len();
            bytes[1] += packed_distances.len();
        }
        let each = |time: Duration| time.as_nanos() as f64 / positions as f64;
        let bits = bytes.map(|bytes| bytes as f64 * 8.0 / positions as f64);
        println!(
            "{positions} positions: values {:.4} bits, distances {:.4} bits; ns a position: looking {:.0}, values {:.0} and back {:.0}, distances {:.0}",
            bits[0],
            bits[1],
            each(look),
            each(code),
            each(decode),
            each(code_distances)
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
    setup.visit(layer.seeds(), Cost(layer)).expect("a board");
}
