//! What the analysis search counts where it stops looking matters: with it, shallow searches find
//! moves that keep the value far oftener than with nothing counted.

use sowbase::analysis::moves;
use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::Plan;
use sowbase::search::{Analyser, Evaluation, Limits};

struct Agreement {
    layer: Layer,
    depth: u32,
}

impl Visitor for Agreement {
    /// Positions where the choice matters, and those where the value is kept: with the usual
    /// evaluation, with none.
    type Output = [usize; 3];

    fn visit<G: Game>(self, game: &G) -> [usize; 3] {
        let store = Plan::new(game, self.layer)
            .unwrap()
            .solve(game, &Silent)
            .unwrap();
        let positions = store.index().positions(self.layer);
        let values = |board| store.value::<G>(board);
        let mut counts = [0; 3];
        // Where most positions are won whatever is played, more must be looked at to find some that matter.
        for sample in 0..20_000u64 {
            if counts[0] == 150 {
                break;
            }
            let board = store.index().unrank(self.layer, sample * 7_919 % positions);
            let Ok(list) = moves(game, board, &values) else {
                continue;
            };
            let kept = values(board).unwrap().margin(0);
            let keeps = |m: &&sowbase::analysis::MoveValue<G::Board>| {
                m.value.is_some_and(|value| value.margin(0) == kept)
            };
            if list.iter().all(|m| keeps(&m)) {
                continue;
            }
            counts[0] += 1;
            for (at, by) in [Evaluation::USUAL, Evaluation::NONE]
                .into_iter()
                .enumerate()
            {
                let analyser = Analyser::with(game, 1 << 16, by);
                let limits = Limits::threads(1);
                let found =
                    analyser.analyse((board, 0), self.depth, None, limits, &Silent, &mut |_| {});
                let choice = found.line.first().copied();
                let chosen = list.iter().find(|m| Some(m.choice) == choice);
                counts[1 + at] += usize::from(chosen.is_some_and(|m| keeps(&m)));
            }
        }
        counts
    }
}

#[test]
fn what_is_counted_matters() {
    for (game, columns, layer) in [
        (GameName::Giuthi, 5, Layer::Total(10)),
        (GameName::Bosh, 5, Layer::Total(10)),
        (GameName::Hawalis, 3, Layer::Sides(6, 6)),
        (GameName::Hus, 3, Layer::Total(10)),
    ] {
        let setup = Setup::new(columns, Rules::new(game)).unwrap();
        let agreement = Agreement { layer, depth: 3 };
        let [all, usual, none] = setup.visit(layer.seeds(), agreement).unwrap();
        println!("{game}: {all} positions, value kept in {usual}, with nothing counted in {none}");
        assert!(all >= 100, "{game}: {all}");
        // At least a fifth of the mistakes are gone.
        assert!(
            5 * (all - usual) < 4 * (all - none),
            "{game}: {usual} and {none} of {all}"
        );
    }
}
