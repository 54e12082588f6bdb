//! A level solved from any of its snapshots, by any number of threads and with any room for edges,
//! comes out the same.

use sowbase::game::Game;
use sowbase::games::{GameName, Rules, Setup, Visitor};
use sowbase::index::{Index, Layer};
use sowbase::progress::Silent;
use sowbase::retro::{Keeper, LayerValues, Level, Plan, Snapshot, Store, solve_level};
use sowbase::value::Distances;

/// Takes a snapshot after every wave and offers the one it was given.
#[derive(Default)]
struct EveryWave {
    offered: Option<Snapshot>,
    taken: Vec<Snapshot>,
}

impl Keeper for EveryWave {
    fn load(&mut self) -> Option<Snapshot> {
        self.offered.take()
    }

    fn due(&mut self) -> bool {
        true
    }

    fn save(&mut self, snapshot: &Snapshot) -> bool {
        self.taken.push(snapshot.clone());
        true
    }
}

/// Room for all edges.
const AMPLE: u64 = u64::MAX;

/// Solves the last level below `top` again and again.
struct Resumed(Layer);

impl Visitor for Resumed {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let plan = Plan::new(game, self.0).unwrap();
        let mut store = plan.solve(game, &Silent).unwrap();
        let level = Level::new(store.index(), plan.levels().last().unwrap());
        let solve = |store: &Store<G::Board>, threads: usize, room: u64, offered| {
            let mut keeper = EveryWave {
                offered,
                taken: Vec::new(),
            };
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let solved = pool
                .install(|| solve_level(game, store, &level, room, &Silent, &mut keeper))
                .unwrap();
            (solved, keeper.taken)
        };
        let (wanted, snapshots) = solve(&store, 2, AMPLE, None);
        assert!(
            snapshots.len() > 2,
            "the level has too few waves to say anything"
        );
        for threads in [1, 8] {
            for room in [0, 5_000, 30_000, AMPLE] {
                let (solved, taken) = solve(&store, threads, room, None);
                assert!(solved == wanted && taken == snapshots, "{threads} {room}");
            }
        }
        assert!(snapshots.last().unwrap().settled);
        for snapshot in snapshots {
            for room in [AMPLE, 5_000] {
                assert!(solve(&store, 2, room, Some(snapshot.clone())).0 == wanted);
            }
        }
        let foreign = Snapshot {
            wave: 3,
            settled: false,
            codes: vec![[9, 9]],
            distances: Distances::default(),
            changed: vec![],
        };
        assert!(solve(&store, 2, AMPLE, Some(foreign)).0 == wanted);
        for (layer, values) in wanted {
            assert!(store.layer(layer) == Some(&values));
            store.insert(layer, LayerValues::default());
        }
    }
}

#[test]
fn any_snapshot_leads_to_the_same_values() {
    for (game, columns, top) in [
        (GameName::Giuthi, 3, Layer::Total(12)),
        (GameName::Giuthi, 4, Layer::Total(8)),
        (GameName::Bosh, 4, Layer::Total(11)),
        (GameName::Hawalis, 4, Layer::Sides(3, 2)),
        (GameName::Hus, 3, Layer::Total(7)),
    ] {
        let setup = Setup::new(columns, Rules::new(game)).unwrap();
        setup.visit(12, Resumed(top)).unwrap();
    }
}

#[test]
fn levels_that_cannot_be_numbered_are_refused() {
    struct Refused;
    impl Visitor for Refused {
        type Output = String;
        fn visit<G: Game>(self, game: &G) -> String {
            assert!(Index::<G::Board>::new(game.shape(), Layer::Total(48)).is_err());
            Plan::new(game, Layer::Total(48)).unwrap_err().to_string()
        }
    }
    let setup = Setup::new(16, Rules::new(GameName::Hus)).unwrap();
    let message = setup.visit(96, Refused).unwrap();
    assert!(message.starts_with("layer 48 has "), "{message}");
}
