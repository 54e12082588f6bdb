//! Owns: the text of positions and moves, both ways (RULES, "Layout and names").
//!
//! A [`Position`] is what a user writes: pits in the mover's order, who is to move, what has been
//! captured. Text says which columns and pits a board has, so parsing gives the [`Setup`] along with
//! the position. Every error says at which column of the text it was met.

use crate::board::{Direction, MAX_SEEDS};
use crate::game::{Game, Move};
use crate::games::{Rules, Seat, Setup, SetupError};
use std::fmt;

/// A position as the player to move sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Seeds by pit: own ring, then (four-row games) the opponent's ring in the opponent's order.
    /// Closed pits are there and empty.
    pub pits: Vec<u8>,
    /// The player to move.
    pub seat: Seat,
    /// Seeds captured by South and North; `None` when the text did not say, which counts as none and
    /// is not written again.
    pub captured: Option<[u32; 2]>,
}

/// Text that is not a position or a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// Where, counted in characters from 1.
    pub column: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            column,
            expected,
            found,
        } = self;
        write!(f, "column {column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for NotationError {}

fn error<T>(
    column: usize,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Result<T, NotationError> {
    Err(NotationError {
        column,
        expected: expected.into(),
        found: found.into(),
    })
}

/// Puts user text into an error message: short, and no control characters.
fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(24).flat_map(char::escape_debug).collect();
    if text.chars().nth(24).is_some() {
        shown.push('…');
    }
    format!("'{shown}'")
}

/// A piece of text and the column of its first character.
type Piece<'a> = (usize, &'a str);

/// Cuts at `separator`, keeping columns.
fn cut(piece: Piece<'_>, separator: char) -> impl Iterator<Item = Piece<'_>> {
    let (mut column, text) = piece;
    text.split(separator).map(move |part| {
        let at = column;
        column += part.chars().count() + 1;
        (at, part)
    })
}

/// One printed row: seeds by column from the left as South sees it, and which pits are closed.
struct Row {
    column: usize,
    seeds: Vec<u8>,
    closed: u16,
}

fn parse_row(piece: Piece<'_>, rules: &Rules) -> Result<Row, NotationError> {
    let mut row = Row {
        column: piece.0,
        seeds: Vec::new(),
        closed: 0,
    };
    let most = *rules.game().columns().end();
    for (column, pit) in cut(piece, ',') {
        if row.seeds.len() == most {
            return error(
                column,
                format!("at most {most} pits a row in {}", rules.game()),
                "another pit",
            );
        }
        let digits = !pit.is_empty() && pit.bytes().all(|byte| byte.is_ascii_digit());
        if pit == "#" && rules.game().closes_pits() {
            row.closed |= 1 << row.seeds.len();
            row.seeds.push(0);
        } else if digits {
            match pit.parse::<u32>() {
                Ok(seeds) if seeds <= MAX_SEEDS => row.seeds.push(seeds as u8),
                _ => return error(column, format!("at most {MAX_SEEDS} seeds"), quoted(pit)),
            }
        } else if pit == "#" {
            return error(
                column,
                format!("seeds ({} has no closed pits)", rules.game()),
                "'#'",
            );
        } else {
            let expected = if rules.game().closes_pits() {
                "a number of seeds or '#'"
            } else {
                "a number of seeds"
            };
            return error(column, expected, quoted(pit));
        }
    }
    Ok(row)
}

fn pits(number: usize) -> String {
    match number {
        1 => "1 pit".to_owned(),
        _ => format!("{number} pits"),
    }
}

fn parse_rows(piece: Piece<'_>, rules: &Rules) -> Result<Vec<Row>, NotationError> {
    let game = rules.game();
    let rows: Vec<Row> = cut(piece, '/')
        .take(game.rows() + 1)
        .map(|row| parse_row(row, rules))
        .collect::<Result<_, _>>()?;
    let width = rows[0].seeds.len();
    if let Some(row) = rows.iter().find(|row| row.seeds.len() != width) {
        return error(
            row.column,
            format!("a row of {} like the first", pits(width)),
            pits(row.seeds.len()),
        );
    }
    if rows.len() != game.rows() {
        let end = piece.0 + piece.1.chars().count();
        return match rows.get(game.rows()) {
            Some(extra) => error(
                extra.column,
                format!("{} rows in {game}", game.rows()),
                "another row",
            ),
            None => error(
                end,
                format!("{} rows in {game}", game.rows()),
                match rows.len() {
                    1 => "1 row".to_owned(),
                    rows => format!("{rows} rows"),
                },
            ),
        };
    }
    let seeds: u32 = rows
        .iter()
        .flat_map(|row| &row.seeds)
        .map(|&s| u32::from(s))
        .sum();
    if seeds > MAX_SEEDS {
        return error(
            piece.0,
            format!("at most {MAX_SEEDS} seeds on the board"),
            seeds.to_string(),
        );
    }
    Ok(rows)
}

fn parse_seat((column, text): Piece<'_>) -> Result<Seat, NotationError> {
    match text {
        "S" => Ok(Seat::South),
        "N" => Ok(Seat::North),
        _ => error(column, "the side to move, S or N", quoted(text)),
    }
}

/// Most captured seeds of a player that text can say: far more than any game has, and no sum overflows.
const MOST_CAPTURED: u32 = 999_999;

fn parse_captured(piece: Piece<'_>) -> Result<[u32; 2], NotationError> {
    let (column, text) = piece;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<Piece<'_>> = cut(piece, '-').take(3).collect();
    let mut captured = [0; 2];
    if parts.len() != 2 || !parts.iter().all(|(_, part)| is_number(part)) {
        let expected = "captured seeds as SOUTH-NORTH, such as 0-0";
        return error(column, expected, quoted(text));
    }
    for ((at, part), captured) in parts.into_iter().zip(&mut captured) {
        match part.parse::<u32>() {
            Ok(seeds) if seeds <= MOST_CAPTURED => *captured = seeds,
            _ => {
                let expected = format!("at most {MOST_CAPTURED} captured seeds");
                return error(at, expected, quoted(part));
            }
        }
    }
    Ok(captured)
}

/// Reverses which end a row's closed pits are counted from.
fn mirrored(mask: u16, columns: usize) -> u16 {
    mask.reverse_bits() >> (16 - columns)
}

/// Reads `ROWS SIDE CAPTURED`; the rows say how many columns the board has and which pits are closed.
///
/// # Errors
/// At the first column of the text that cannot be right.
pub fn parse_position(text: &str, rules: &Rules) -> Result<(Setup, Position), NotationError> {
    let blanks = text.chars().take_while(|c| c.is_whitespace()).count();
    let mut words = cut((blanks + 1, text.trim()), ' ').filter(|(_, word)| !word.is_empty());
    let Some(board) = words.next() else {
        return error(1, format!("a position of {}", rules.game()), "nothing");
    };
    let rows = parse_rows(board, rules)?;
    let seat = words.next().map_or(Ok(Seat::South), parse_seat)?;
    let captured = words.next().map(parse_captured).transpose()?;
    if let Some((column, word)) = words.next() {
        return error(column, "the end of the position", quoted(word));
    }
    let columns = rows[0].seeds.len();
    let closed = [
        rows[rows.len() - 1].closed,
        mirrored(rows[0].closed, columns),
    ];
    let setup = Setup::with_closed(columns, rules.clone(), closed)
        .or_else(|e| error(board.0, "a board that the game is played on", e.to_string()))?;
    let mut pits = vec![0; setup.pits()];
    for (place, seeds) in places(&setup, seat)
        .into_iter()
        .zip(rows.iter().flat_map(|row| &row.seeds))
    {
        pits[place] = *seeds;
    }
    Ok((
        setup,
        Position {
            pits,
            seat,
            captured,
        },
    ))
}

/// For every pit as printed (row by row from the top, left to right) its place in the mover's order.
fn places(setup: &Setup, seat: Seat) -> Vec<usize> {
    let (w, pits) = (setup.columns(), setup.pits());
    let as_numbered = setup.game().two_way() && setup.rules().get("ring") == "as-numbered";
    let south: Vec<usize> = match (setup.game().rows(), as_numbered) {
        (2, true) => (w..2 * w).chain(0..w).collect(),
        (2, false) => (w..2 * w).rev().chain(0..w).collect(),
        // North's ring comes after South's: its outer row runs from the right, its inner back again.
        _ => (2 * w..3 * w)
            .rev()
            .chain(3 * w..4 * w)
            .chain((w..2 * w).rev())
            .chain(0..w)
            .collect(),
    };
    match seat {
        Seat::South => south,
        // Both seats count from their own left, so the mover's half of the pits comes first.
        Seat::North => south
            .into_iter()
            .map(|place| (place + pits / 2) % pits)
            .collect(),
    }
}

impl Position {
    /// The opening position: `seeds` in each pit that the game fills, South to move.
    ///
    /// # Errors
    /// When no board holds so many seeds.
    pub fn start(setup: &Setup, seeds: u32) -> Result<Self, SetupError> {
        let filled = setup.start_pits();
        let total = u64::from(seeds) * filled.iter().filter(|&&filled| filled).count() as u64;
        if total > u64::from(MAX_SEEDS) {
            return Err(SetupError::Seeds { found: total });
        }
        Ok(Self {
            pits: filled
                .into_iter()
                .map(|filled| if filled { seeds as u8 } else { 0 })
                .collect(),
            seat: Seat::South,
            captured: Some([0, 0]),
        })
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> u32 {
        self.pits.iter().map(|&seeds| u32::from(seeds)).sum()
    }

    /// What the player to move has captured less what the opponent has.
    pub fn lead(&self) -> i32 {
        let [south, north] = self.captured.unwrap_or([0, 0]);
        match self.seat {
            Seat::South => south as i32 - north as i32,
            Seat::North => north as i32 - south as i32,
        }
    }

    /// The board that generic code plays on.
    pub fn board<G: Game>(&self, game: &G) -> G::Board {
        game.pack(&self.pits, self.seat as usize)
    }

    /// The position after the player to move took `captured` seeds, left `board` and `again` keeps or
    /// else gives up the turn.
    pub fn after<G: Game>(&self, game: &G, board: G::Board, captured: u32, again: bool) -> Self {
        let seat = if again { self.seat } else { self.seat.other() };
        let mut pits = vec![0; self.pits.len()];
        game.unpack(board, seat as usize, &mut pits);
        let captured = self.captured.map(|mut by| {
            by[self.seat as usize] += captured;
            by
        });
        Self {
            pits,
            seat,
            captured,
        }
    }

    /// Rows as printed, from the top, seeds by column from the left as South sees it; `None` for a
    /// closed pit.
    pub fn rows(&self, setup: &Setup) -> Vec<Vec<Option<u8>>> {
        let w = setup.columns();
        let [south, north] = setup.closed();
        let last = setup.game().rows() - 1;
        let is_closed = |row: usize, column: usize| {
            (row == last && south >> column & 1 == 1)
                || (row == 0 && mirrored(north, w) >> column & 1 == 1)
        };
        places(setup, self.seat)
            .chunks(w)
            .enumerate()
            .map(|(row, places)| {
                let pit = |(column, &place): (usize, &usize)| {
                    (!is_closed(row, column)).then_some(self.pits[place])
                };
                places.iter().enumerate().map(pit).collect()
            })
            .collect()
    }

    /// The text that [`parse_position`] reads.
    pub fn text(&self, setup: &Setup) -> String {
        let pit = |pit: &Option<u8>| pit.map_or("#".to_owned(), |seeds| seeds.to_string());
        let rows: Vec<String> = self
            .rows(setup)
            .iter()
            .map(|row| row.iter().map(pit).collect::<Vec<_>>().join(","))
            .collect();
        let captured = self
            .captured
            .map_or(String::new(), |[south, north]| format!(" {south}-{north}"));
        format!("{} {}{captured}", rows.join("/"), self.seat.letter())
    }
}

/// Letters of pits in the mover's ring order.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEF";

/// The name of a pit: its letter in its owner's ring order, counted from 0.
///
/// # Panics
/// When no side has so many pits.
pub fn pit_name(pit: usize) -> &'static str {
    &LETTERS[pit..=pit]
}

/// The name of a move, as its player would write it.
pub fn move_name(setup: &Setup, seat: Seat, choice: Move) -> String {
    if choice.is_pass() {
        return "pass".to_owned();
    }
    // Pits are named by where they lie, moves count the open ones.
    let pit = match setup.closed() {
        [0, 0] => choice.pit(),
        _ => setup.open_pits(seat)[choice.pit()],
    };
    let mut name = pit_name(pit).to_owned();
    if setup.game().two_way() {
        name.push(match choice.direction() {
            Direction::Ccw => '+',
            Direction::Cw => '-',
        });
    }
    name
}

/// Reads the name of a move of the player at `seat`; whether it is legal is for the rules to say.
///
/// # Errors
/// When the text names no pit of the player, or the direction is missing or not wanted.
pub fn parse_move(setup: &Setup, seat: Seat, text: &str) -> Result<Move, NotationError> {
    if text == "pass" {
        return Ok(Move::PASS);
    }
    let own = setup.pits() / 2;
    let last = &LETTERS[own - 1..own];
    let mut chars = text.chars();
    let letter = chars.next();
    let place = letter
        .and_then(|c| LETTERS.find(c))
        .filter(|&place| place < own)
        .filter(|place| {
            setup.closed()[seat as usize] >> (place & 15) & 1 == 0 || !setup.game().closes_pits()
        });
    let Some(place) = place else {
        let pit = match setup.closed() {
            [0, 0] => "a pit",
            _ => "an open pit",
        };
        let direction = match setup.game().two_way() {
            true => " with a direction, + or -,",
            false => "",
        };
        let expected = format!("{pit}, a to {last},{direction} or pass");
        return error(1, expected, quoted(text));
    };
    let direction = match (setup.game().two_way(), chars.next()) {
        (true, Some('+')) | (false, None) => Direction::Ccw,
        (true, Some('-')) => Direction::Cw,
        (true, _) => return error(2, "a direction, + or -", quoted(text)),
        (false, Some(_)) => return error(2, "the end of the move", quoted(text)),
    };
    if chars.next().is_some() {
        return error(3, "the end of the move", quoted(text));
    }
    let pit = match setup.closed() {
        [0, 0] => place,
        _ => setup.open_pits(seat).partition_point(|&open| open < place),
    };
    Ok(Move::sow(pit, direction))
}
