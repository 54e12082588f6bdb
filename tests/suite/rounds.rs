//! A match's states and their worth: the library against the whole match as one graph.

use crate::whole_match::{Bout, Worth};
use sowbase::games::Seat;
use sowbase::progress::Silent;
use sowbase::rounds::{Answer, Asked, Library, Match, Settled, Verdict, settle};

fn match_of(bout: &Bout<'_>) -> Match {
    Match::new(bout.columns, bout.seeds as u32, &bout.rules()).expect("a playable match")
}

fn solve(game: &Match) -> (Settled, Asked) {
    let mut library = Library::plan(game, u64::MAX, &Silent, |_| None);
    library.solve().expect("small boards");
    let mut asked = Asked::default();
    let settled = settle(game, |questions| library.answer(questions, &mut asked));
    (settled.expect("small boards"), asked)
}

/// A verdict in the words of the graph, for an opener at `opener`.
fn worth(verdict: &Verdict, opener: Seat) -> Worth {
    assert_eq!(verdict.least, verdict.most);
    for (wins, most) in verdict.wins.iter().zip(verdict.most) {
        assert_eq!(*wins == Answer::Yes, most.is_some());
        assert_ne!(*wins, Answer::Open);
    }
    match opener {
        Seat::South => verdict.most,
        Seat::North => [verdict.most[1], verdict.most[0]],
    }
}

/// Compares all states; says how many are draws and how many questions went split by split.
fn agrees(bout: &Bout<'_>) -> (usize, u64) {
    let game = match_of(bout);
    let (settled, asked) = solve(&game);
    let mut draws = 0;
    for ((south, opener), wanted) in bout.betweens().zip(bout.solve()) {
        let owned = match opener {
            Seat::South => south,
            Seat::North => bout.total() - south,
        };
        let found = worth(&settled.verdict(owned as u32), opener);
        assert_eq!(
            found, wanted,
            "{bout:?}: South owns {south}, {opener} opens"
        );
        draws += usize::from(wanted == [None, None]);
    }
    (draws, asked.by_splits)
}

const FIRST: [&str; 3] = ["alternate", "loser", "winner"];
const FILL: [&str; 2] = ["left", "right"];

#[test]
fn small_matches_agree_with_one_graph_under_every_option() {
    for (columns, seeds) in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1), (3, 2)] {
        for first in FIRST {
            for fill in FILL {
                let options = [("first-player", first), ("fill", fill)];
                let bout = Bout {
                    columns,
                    seeds,
                    options: &options,
                };
                let found = agrees(&bout);
                println!("{bout:?} {found:?}");
            }
        }
    }
}

#[test]
#[ignore = "explore"]
fn explore() {
    for (columns, seeds) in [(2, 3), (2, 4), (2, 5), (3, 3), (4, 1), (4, 2)] {
        for first in FIRST {
            for endless in ["unplayable", "draw"] {
                for skip in ["false", "true"] {
                    let options = [
                        ("first-player", first),
                        ("endless", endless),
                        ("skip-origin", skip),
                    ];
                    let bout = Bout {
                        columns,
                        seeds,
                        options: &options,
                    };
                    let start = std::time::Instant::now();
                    let game = match_of(&bout);
                    let found = solve(&game).1;
                    println!("{bout:?} {found:?} {:?}", start.elapsed());
                    if columns * seeds < 8 {
                        let found = agrees(&bout);
                        println!("    {found:?} {:?}", start.elapsed());
                    }
                }
            }
        }
    }
}
