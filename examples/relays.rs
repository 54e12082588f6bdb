//! Counts what moves are like in a layer: `relays GAME COLUMNS SEEDS`.
//!
//! Over some 200,000 positions spread evenly: moves a position, laps a move, moves that stay in the
//! layer or capture, and endless moves with their mean period.

use sowbase::game::{Game, Play};
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::{Index, Layer};

struct Count(Layer);

impl Visitor for Count {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let index = Index::<G::Board>::new(game.shape(), self.0).expect("an index");
        let all = index.positions(self.0);
        let (mut positions, mut laps, mut stay, mut capture) = (0u64, 0u64, 0u64, 0u64);
        let (mut endless, mut periods) = (0u64, 0u64);
        for rank in (0..all).step_by((all / 200_000).max(1) as usize) {
            positions += 1;
            game.expand(index.unrank(self.0, rank), |_, play| match play {
                Play::Done(played) => {
                    laps += played.laps;
                    stay += u64::from(played.captured == 0);
                    capture += u64::from(played.captured > 0);
                }
                Play::Endless { period } => {
                    endless += 1;
                    periods += period;
                }
            });
        }
        let per = |count: u64, of: u64| count as f64 / of.max(1) as f64;
        println!("positions looked at   {positions}");
        println!(
            "moves a position      {:.2}",
            per(stay + capture, positions)
        );
        println!(
            "  staying, capturing  {:.2}, {:.2}",
            per(stay, positions),
            per(capture, positions)
        );
        println!("laps a finite move    {:.2}", per(laps, stay + capture));
        println!(
            "endless moves         {:.4} a position, mean period {:.1}",
            per(endless, positions),
            per(periods, endless)
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, columns, seeds] = &arguments[..] else {
        panic!("usage: relays GAME COLUMNS SEEDS");
    };
    let game: GameName = game.parse().expect("a game");
    assert!(game != GameName::Hawalis, "layers of one number only");
    let setup = Setup::new(columns.parse().expect("columns"), Rules::new(game)).expect("a setup");
    let layer = Layer::Total(seeds.parse().expect("seeds"));
    setup.visit(layer.seeds(), Count(layer)).expect("a board");
}
