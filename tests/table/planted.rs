//! Errors planted in values, with all checksums made right again, are found by the proof.

use crate::support::{Scratch, built, job};
use sowbase::build::Job;
use sowbase::game::{Game, Play, Turn};
use sowbase::games::{GameName, Visitor};
use sowbase::index::Layer;
use sowbase::progress::Silent;
use sowbase::retro::{LayerValues, Plan, Store, stake};
use sowbase::table::{BATCH, InMemory, Manifest, Solved, TwoPlies, Verdict, fingerprint, verify};
use sowbase::value::{Bound, Code, PLUS_INFINITY, encode, opposed};
use std::path::Path;

/// Solves a layer, changes it and writes it into a finished table as if it were right.
struct Plant<'a, F> {
    job: &'a Job,
    directory: &'a Path,
    layer: Layer,
    change: F,
}

impl<F: FnOnce(&mut LayerValues) -> bool> Plant<'_, F> {
    /// What verifying says; `None` if nothing was changed.
    fn verdict(self) -> Option<Verdict> {
        let directory = self.directory;
        let setup = self.job.setup.clone();
        let planted = setup.visit(self.job.top.seeds(), self).unwrap();
        planted.then(|| verify(directory, &Silent).unwrap().unwrap())
    }
}

impl<F: FnOnce(&mut LayerValues) -> bool> Visitor for Plant<'_, F> {
    type Output = bool;

    fn visit<G: Game>(self, game: &G) -> bool {
        let store = Plan::new(game, self.layer)
            .unwrap()
            .solve(game, &Silent)
            .unwrap();
        let mut values = store.layer(self.layer).unwrap().clone();
        if !(self.change)(&mut values) {
            return false;
        }
        let solved = Solved {
            index: store.index(),
            layer: self.layer,
            stake: stake::<G>(self.layer),
            scored: G::SCORED,
            values: &InMemory {
                codes: &values.codes,
                distances: &values.distances,
            },
            keep_distances: true,
            batch: BATCH,
        };
        let name = fingerprint(&self.job.setup);
        let entry = solved.write(self.directory, &name, &TwoPlies::new(game), &Silent);
        let entry = entry.unwrap().unwrap();
        let mut manifest = Manifest::read(self.directory).unwrap();
        let at = manifest
            .layers
            .iter()
            .position(|e| e.layer == entry.layer)
            .unwrap();
        manifest.layers[at] = entry;
        manifest.write(self.directory).unwrap();
        true
    }
}

fn random(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

fn tables() -> [(Job, Layer); 4] {
    [
        (job(GameName::Giuthi, 3, Layer::Total(6)), Layer::Total(6)),
        (job(GameName::Bosh, 3, Layer::Total(7)), Layer::Total(6)),
        (
            job(GameName::Hawalis, 3, Layer::Sides(3, 2)),
            Layer::Sides(3, 2),
        ),
        (job(GameName::Hus, 2, Layer::Total(7)), Layer::Total(7)),
    ]
}

#[test]
fn a_hundred_wrong_values_are_found() {
    let mut state = 3;
    let mut planted = 0;
    for (job, layer) in tables() {
        let scratch = Scratch::new("values");
        built(&job, &scratch.table());
        let mut here = 0;
        while here < 30 {
            let mut at = 0;
            let change = |values: &mut LayerValues| {
                at = random(&mut state) % values.codes.len();
                let bound = random(&mut state) % 2;
                let most = if job.setup.game().scored() {
                    layer.seeds() as u8
                } else {
                    1
                } + 1;
                let old = values.codes[at];
                let new = match random(&mut state) % (usize::from(most) + 1) {
                    0 if bound == 0 => 0,
                    0 => PLUS_INFINITY,
                    code => code as u8,
                };
                values.codes[at][bound] = new;
                values.codes[at][0] <= values.codes[at][1] && values.codes[at] != old
            };
            let plant = Plant {
                job: &job,
                directory: &scratch.table(),
                layer,
                change,
            };
            if let Some(verdict) = plant.verdict() {
                planted += 1;
                here += 1;
                assert!(verdict.faulty > 0, "{} {layer} rank {at}", job.setup.game());
            }
        }
    }
    assert!(planted >= 100, "{planted}");
}

#[test]
fn a_hundred_wrong_distances_are_found() {
    let mut state = 5;
    let mut planted = 0;
    for (job, layer) in tables() {
        let scratch = Scratch::new("distances");
        built(&job, &scratch.table());
        let mut here = 0;
        while here < 30 {
            let scored = job.setup.game().scored();
            let mut at = 0;
            let change = |values: &mut LayerValues| {
                at = random(&mut state) % values.codes.len();
                let bound = random(&mut state) % 2;
                let [lower, upper] = values.codes[at];
                let kept = match (scored, bound) {
                    (true, 0) => lower != 0,
                    (true, _) => upper != PLUS_INFINITY,
                    (false, 0) => lower == 2,
                    (false, _) => upper == 1,
                };
                let mut distances = values.distances.get(at);
                let old = distances[bound];
                distances[bound] = match random(&mut state) % 3 {
                    0 => old + 1,
                    1 => old.saturating_sub(1),
                    _ => (random(&mut state) % 400) as u16,
                };
                values.distances.set(at, distances);
                kept && distances[bound] != old
            };
            let plant = Plant {
                job: &job,
                directory: &scratch.table(),
                layer,
                change,
            };
            if let Some(verdict) = plant.verdict() {
                planted += 1;
                here += 1;
                assert!(verdict.faulty > 0, "{} {layer} rank {at}", job.setup.game());
            }
        }
    }
    assert!(planted >= 100, "{planted}");
}

/// A move as the equations of section 2 see it.
#[derive(Clone, Copy)]
enum Through {
    /// Into a finished layer, or the end: what it gives to either bound.
    Known([Code; 2]),
    /// To a position of the layer, and whether the same player moves again.
    Stays(usize, bool),
}

/// Finds values that agree with each other everywhere and are wrong: a position is given a value out
/// of thin air, what follows from it is worked out, and when it comes back to support itself it is
/// one.
struct WrongFixedPoint {
    layer: Layer,
}

impl WrongFixedPoint {
    fn equation(&self, moves: &[Through], codes: &[[Code; 2]], stake: u32) -> [Code; 2] {
        let mut best = [0; 2];
        for through in moves {
            let [lower, upper] = match *through {
                Through::Known(codes) => codes,
                Through::Stays(to, true) => codes[to],
                Through::Stays(to, false) => {
                    [opposed(codes[to][1], stake), opposed(codes[to][0], stake)]
                }
            };
            best = [best[0].max(lower), best[1].max(upper)];
        }
        best
    }

    fn moves<G: Game>(&self, game: &G, store: &Store<G::Board>) -> Vec<Vec<Through>> {
        let (index, stake) = (store.index(), stake::<G>(self.layer));
        let walk = index.walk(self.layer, 0..u64::MAX);
        walk.map(|board| {
            let mut moves = Vec::new();
            let turn = game.expand(board, |_, play| {
                let Play::Done(played) = play else { return };
                moves.push(if played.captured == 0 {
                    Through::Stays(index.rank(played.board) as usize, played.again)
                } else {
                    let below = self.layer.after_capture(played.captured);
                    let rank = index.rank(played.board) as usize;
                    let [lower, upper] = store.layer(below).unwrap().codes[rank];
                    Through::Known([opposed(upper, stake), opposed(lower, stake)])
                });
            });
            match turn {
                Turn::Moves => {}
                Turn::Pass(board) => moves.push(Through::Stays(index.rank(board) as usize, false)),
                Turn::Over { margin } => {
                    let code = encode(Bound::Finite(margin as i16), stake);
                    moves.push(Through::Known([code; 2]));
                }
            }
            moves
        })
        .collect()
    }
}

impl Visitor for WrongFixedPoint {
    type Output = Option<LayerValues>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let store = Plan::new(game, self.layer)
            .unwrap()
            .solve(game, &Silent)
            .unwrap();
        let right = store.layer(self.layer).unwrap();
        let (stake, moves) = (stake::<G>(self.layer), self.moves(game, &store));
        let open = (0..moves.len()).filter(|&at| right.codes[at] == [0, PLUS_INFINITY]);
        for pinned in open {
            for code in 1..=stake as Code + 1 {
                let mut wrong = right.clone();
                wrong.codes[pinned] = [code; 2];
                for wave in 1..200 {
                    let before = wrong.codes.clone();
                    for at in (0..moves.len()).filter(|&at| at != pinned) {
                        let new = self.equation(&moves[at], &before, stake);
                        for bound in (0..2).filter(|&bound| new[bound] != before[at][bound]) {
                            wrong.codes[at][bound] = new[bound];
                            let mut distances = wrong.distances.get(at);
                            distances[bound] = wave;
                            wrong.distances.set(at, distances);
                        }
                    }
                    if wrong.codes == before {
                        break;
                    }
                }
                let holds =
                    |at: usize| wrong.codes[at] == self.equation(&moves[at], &wrong.codes, stake);
                if (0..moves.len()).all(holds) {
                    wrong.distances.set(pinned, [201; 2]);
                    return Some(wrong);
                }
            }
        }
        None
    }
}

#[test]
fn a_wrong_fixed_point_in_a_cycle_is_found() {
    let mut found = 0;
    for (game, columns, layer) in [
        (GameName::Hus, 2, Layer::Total(7)),
        (GameName::Giuthi, 3, Layer::Total(6)),
        (GameName::Bosh, 3, Layer::Total(6)),
    ] {
        let job = job(game, columns, layer);
        let scratch = Scratch::new("cycle");
        built(&job, &scratch.table());
        let Some(wrong) = job
            .setup
            .visit(layer.seeds(), WrongFixedPoint { layer })
            .unwrap()
        else {
            continue;
        };
        let plant = Plant {
            job: &job,
            directory: &scratch.table(),
            layer,
            change: |values: &mut LayerValues| {
                *values = wrong;
                true
            },
        };
        let verdict = plant.verdict().unwrap();
        assert!(verdict.faulty > 0, "{game}");
        // All values agree: the distances alone give it away.
        assert!(
            verdict
                .faults
                .iter()
                .all(|fault| fault.what.starts_with("distance")),
            "{game}"
        );
        found += 1;
    }
    assert!(found > 0, "no wrong fixed point");
}
