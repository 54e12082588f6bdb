//! Owns: what `match` has to say, and how it says it to people.

use crate::cli::columns::{Align, Columns};
use crate::cli::report::{plies, signed};
use crate::cli::units::{counted, show_count, show_size};
use crate::games::{Seat, Setup};
use crate::notation::move_name;
use crate::rounds::{
    Asked, Course, CourseEnd, Leg, Library, Match, Missing, Owned, Round, RoundEnd, Settled, State,
    Verdict, start,
};
use crate::value::{Bound, Outcome, Value};
use std::io::{self, Write};

/// The state that is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// What its opener owns.
    pub owned: Owned,
    /// Where the opener sits.
    pub opener: Seat,
}

/// Everything that there is to say.
pub struct Report<'a> {
    pub game: &'a Match,
    pub library: &'a Library<'a>,
    pub settled: &'a Settled,
    pub asked: Asked,
    pub asking: Asking,
    pub course: Course,
    /// Rounds by their scores only.
    pub scores: bool,
}

impl Report<'_> {
    /// States in which a round is played.
    pub fn rounds(&self) -> impl Iterator<Item = (Owned, Round)> {
        self.game
            .states()
            .filter_map(|owned| match self.game.state(owned) {
                State::Round(round) => Some((owned, round)),
                State::Lost(_) => None,
            })
    }

    /// How many states are not proven, and how many there are.
    pub fn open_states(&self) -> (usize, usize) {
        let open = |(owned, _): &(Owned, Round)| self.settled.verdict(*owned).outcome().is_none();
        (self.rounds().filter(open).count(), self.rounds().count())
    }

    /// Who sits where in a state.
    pub fn by_seat<T: Copy>(&self, [opener, replier]: [T; 2], at: Seat) -> [T; 2] {
        match at {
            Seat::South => [opener, replier],
            Seat::North => [replier, opener],
        }
    }

    /// The board of a round as it lies before the players.
    fn board(&self, leg: &Leg) -> Setup {
        self.game
            .table_board(self.by_seat(leg.round.open, leg.opener))
    }

    /// The position that a round begins with, as text.
    pub fn position(&self, leg: &Leg) -> String {
        let setup = self.board(leg);
        let mut position = start(&setup, leg.round.seeds, leg.opener == Seat::South);
        position.captured = None;
        position.text(&setup)
    }

    pub fn moves(&self, leg: &Leg) -> Vec<String> {
        let setup = self.board(leg);
        let seats = [leg.opener, leg.opener.other()].into_iter().cycle();
        let moves = leg.line.moves.iter().zip(seats);
        moves
            .map(|(choice, seat)| move_name(&setup, seat, *choice))
            .collect()
    }
}

fn bounds(value: Option<Value>) -> String {
    let text = |bound: Bound| match bound {
        Bound::Finite(margin) => signed(margin.into()),
        infinite => infinite.to_string(),
    };
    value.map_or(String::new(), |value| {
        format!("{} .. {}", text(value.lower), text(value.upper))
    })
}

/// Writes what the boards of the rounds are, and take.
pub fn write_boards(game: &Match, library: &Library<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut columns = Columns::new(&[
        ("board", Align::Left),
        ("seeds", Align::Right),
        ("positions", Align::Right),
        ("memory", Align::Right),
        ("opened by more", Align::Left),
        ("opened by fewer", Align::Left),
        ("", Align::Left),
    ]);
    for board in library.boards() {
        let even = board.fewer == game.columns();
        let values = board
            .values
            .map(|[few, more]| [bounds(Some(few)), bounds(Some(more))]);
        let [few, more] = values.unwrap_or_default();
        columns.row(vec![
            library.name(board.fewer),
            board.seeds.to_string(),
            board
                .cost
                .map_or(String::new(), |cost| show_count(cost.positions)),
            board
                .cost
                .map_or(String::new(), |cost| show_size(cost.least)),
            more,
            if even { String::new() } else { few },
            match &board.missing {
                None if board.given => "from a table".to_owned(),
                None => String::new(),
                Some(Missing::Memory(_)) => "does not fit".to_owned(),
                Some(Missing::Refused(refusal)) => refusal.to_string(),
                Some(Missing::Stopped) => "not solved".to_owned(),
            },
        ]);
    }
    columns.write(out)
}

/// `win`, or what it can still be.
fn outcome_text(verdict: &Verdict) -> String {
    match (verdict.outcome(), verdict.bounds()) {
        (Some(outcome), _) => outcome.to_string(),
        (None, [Outcome::Loss, Outcome::Win]) => "unknown".to_owned(),
        (None, [worst, best]) => format!("{worst} or {best}"),
    }
}

fn rounds_text(verdict: &Verdict) -> String {
    match verdict.rounds() {
        None => String::new(),
        Some((least, most)) if least == most => most.to_string(),
        Some((least, most)) => format!("{least} to {most}"),
    }
}

/// Writes the report for people.
pub fn write_text(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let game = report.game;
    let rules: Vec<String> = ["fill", "first-player"]
        .map(|name| format!("{name}={}", game.rules().get(name)))
        .to_vec();
    let others = game.rules().deviations().into_iter();
    let others = others.map(|(name, value)| format!("{name}={value}"));
    let others = others.filter(|option| !rules.contains(option));
    writeln!(
        out,
        "bosh match on 2x{}, {} a pit, {} in all; {}\n",
        game.columns(),
        counted(game.seeds(), "seed"),
        game.total(),
        rules
            .iter()
            .cloned()
            .chain(others)
            .collect::<Vec<_>>()
            .join(", "),
    )?;
    writeln!(
        out,
        "Boards of the rounds, and the margin of a round for the player who opens it:\n"
    )?;
    write_boards(game, report.library, out)?;
    writeln!(out, "\nStates for the player who opens the next round:\n")?;
    write_states(report, out)?;
    let asked = report.asked;
    writeln!(
        out,
        "\nWho owns fewer than {} has lost. Answered by bounds: {}, by seeking: {}, split by split: {}, open: {}.\n",
        counted(game.seeds(), "seed"),
        asked.by_bounds,
        asked.by_seeking,
        asked.by_splits,
        asked.open,
    )?;
    write_asked(report, out)
}

fn write_states(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut columns = Columns::new(&[
        ("owns", Align::Right),
        ("other", Align::Right),
        ("pits", Align::Left),
        ("round", Align::Left),
        ("match", Align::Left),
        ("rounds", Align::Right),
    ]);
    for (owned, round) in report.rounds() {
        let verdict = report.settled.verdict(owned);
        columns.row(vec![
            owned.to_string(),
            (report.game.total() - owned).to_string(),
            format!("{}-{}", round.open[0], round.open[1]),
            bounds(report.library.value(&round)),
            outcome_text(&verdict),
            rounds_text(&verdict),
        ]);
    }
    columns.write(out)
}

/// The state that is asked about, and the course from there.
fn write_asked(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let Asking { owned, opener } = report.asking;
    let verdict = report.settled.verdict(owned);
    let others = report.game.total() - owned;
    let [south, north] = report.by_seat([owned, others], opener);
    let within = match verdict.rounds() {
        Some((_, 0)) | None => String::new(),
        Some((_, 1)) => " in this round".to_owned(),
        Some(_) => format!(" in {} rounds", rounds_text(&verdict)),
    };
    let said = match verdict.outcome() {
        Some(Outcome::Win) => format!("{opener} wins the match{within}"),
        Some(Outcome::Loss) => format!("{} wins the match{within}", opener.other()),
        Some(Outcome::Draw) => "neither wins: the match is a draw".to_owned(),
        None => format!("not proven; for {opener} it is {}", outcome_text(&verdict)),
    };
    writeln!(
        out,
        "South owns {south}, North {north}, {opener} opens: {said}."
    )?;
    for (number, leg) in (1..).zip(&report.course.legs) {
        writeln!(out, "\n  round {number}: {}", report.position(leg))?;
        if !report.scores {
            write_moves(&report.moves(leg), out)?;
        }
        writeln!(out, "    {}", score_text(report, leg))?;
    }
    let [south, north] = report.course.owned;
    let end = match report.course.end {
        CourseEnd::Won(seat) => format!("{seat} has won the match, {south}-{north}."),
        CourseEnd::RoundRepeats => "A position comes again: the match is a draw.".to_owned(),
        CourseEnd::StateRepeats => {
            format!("The state {south}-{north} comes again: the match is a draw.")
        }
        CourseEnd::Endless => "The move never ends: the match is a draw.".to_owned(),
        CourseEnd::Cut if report.course.legs.is_empty() => return Ok(()),
        CourseEnd::Cut => format!("{south}-{north}: what follows is not known."),
    };
    if !report.course.legs.is_empty() || verdict.rounds().is_some() {
        writeln!(out, "\n  {end}")?;
    }
    Ok(())
}

/// Moves, so many a line.
fn write_moves(moves: &[String], out: &mut impl Write) -> io::Result<()> {
    for line in moves.chunks(32) {
        writeln!(out, "    {}", line.join(" "))?;
    }
    Ok(())
}

fn score_text(report: &Report<'_>, leg: &Leg) -> String {
    let [south, north] = report.by_seat(leg.line.taken, leg.opener);
    let plies = plies(leg.line.moves.len());
    let taken = format!("South takes {south}, North {north}, {plies}");
    if leg.line.end != RoundEnd::Over {
        return format!("{taken}; the round does not end");
    }
    let before = report.by_seat([leg.owned, report.game.total() - leg.owned], leg.opener);
    let open = report.by_seat(leg.round.open, leg.opener);
    let after = |at: usize, taken: u32| before[at] - open[at] * report.game.seeds() + taken;
    format!(
        "{taken}; South owns {}, North {}",
        after(0, south),
        after(1, north)
    )
}
