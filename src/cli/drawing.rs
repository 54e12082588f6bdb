//! Owns: a position drawn as the board it is: South at the bottom, columns aligned, the letters of
//! the mover's pits beside the mover's rows.

use crate::board::Direction;
use crate::game::Move;
use crate::games::{Seat, Setup};
use crate::notation::{Position, move_name};
use std::io::{self, Write};

/// Writes the board, indented by two.
///
/// # Errors
/// When the output cannot be written.
pub fn draw(out: &mut impl Write, setup: &Setup, position: &Position) -> io::Result<()> {
    let rows = position.rows(setup);
    let letters = letters(setup, position.seat);
    let half = rows.len() / 2;
    let north_moves = position.seat == Seat::North;
    for (at, row) in rows.iter().enumerate() {
        let outer = at == 0 || at + 1 == rows.len();
        let own = (at < half) == north_moves;
        // Letters stand outside the outer row and, on four rows, inside the inner one.
        let above = own && (at == 0 || (at == half && rows.len() > 2));
        let below = own && (at + 1 == rows.len() || (at + 1 == half && rows.len() > 2));
        let (above, below) = if rows.len() == 2 {
            (own && north_moves, own && !north_moves)
        } else {
            (above, below)
        };
        if above {
            line(out, "", &letters[at], "")?;
        }
        let seat = if at < half { Seat::North } else { Seat::South };
        let pits: Vec<String> = row
            .iter()
            .map(|pit| pit.map_or("#".to_owned(), |seeds| seeds.to_string()))
            .collect();
        if outer {
            line(
                out,
                &seat.to_string(),
                &pits,
                &remark(setup, position, seat),
            )?;
        } else {
            line(out, "", &pits, "")?;
        }
        if below {
            line(out, "", &letters[at], "")?;
        }
    }
    Ok(())
}

/// One line of the drawing.
fn line(out: &mut impl Write, label: &str, cells: &[String], tail: &str) -> io::Result<()> {
    let cells: String = cells.iter().map(|cell| format!("{cell:>4}")).collect();
    let line = format!("  {label:<5}{cells}   {tail}");
    writeln!(out, "{}", line.trim_end())
}

/// What stands beside a player's outer row.
fn remark(setup: &Setup, position: &Position, seat: Seat) -> String {
    let mut remarks = Vec::new();
    if position.seat == seat {
        remarks.push("to move".to_owned());
    }
    // Where captured seeds decide nothing they are shown once there are some: 'start' says none.
    let captured = position.captured.unwrap_or([0, 0]);
    if captured != [0, 0] || setup.game().scored() {
        remarks.push(format!("captured {}", captured[seat as usize]));
    }
    remarks.join(", ")
}

/// The letter of every pit as printed, row by row; blank where it is not the mover's or is closed.
fn letters(setup: &Setup, seat: Seat) -> Vec<Vec<String>> {
    // A position whose pits hold their own numbers is printed to see which pit lies where.
    let numbered = Position {
        pits: (0..setup.pits() as u8).collect(),
        seat,
        captured: None,
    };
    let open = setup.open_pits(seat);
    let letter = |place: u8| {
        let place = usize::from(place);
        if place >= setup.pits() / 2 {
            return String::new();
        }
        let pit = if setup.game().closes_pits() {
            open.partition_point(|&pit| pit < place)
        } else {
            place
        };
        let name = move_name(setup, seat, Move::sow(pit, Direction::Ccw));
        name.trim_end_matches('+').to_owned()
    };
    let rows = numbered.rows(setup);
    rows.iter()
        .map(|row| {
            row.iter()
                .map(|pit| pit.map_or(String::new(), letter))
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameName, Rules};
    use crate::notation::parse_position;

    fn drawn(game: GameName, text: &str) -> String {
        let (setup, position) = parse_position(text, &Rules::new(game)).unwrap();
        let mut out = Vec::new();
        draw(&mut out, &setup, &position).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn two_rows_with_closed_pits() {
        let text = drawn(GameName::Bosh, "1,#,12/#,3,4 S 5-0");
        let expected = "  North   1   #  12   captured 0\n\
                        \x20 South   #   3   4   to move, captured 5\n\
                        \x20             b   c\n";
        assert_eq!(text, expected);
        let text = drawn(GameName::Bosh, "1,#,12/#,3,4 N");
        assert!(
            text.starts_with("          c       a\n  North   1   #  12   to move"),
            "{text}"
        );
    }

    #[test]
    fn four_rows_show_both_rings_of_the_mover() {
        let text = drawn(GameName::Hus, "0,1/2,3/4,5/6,7 S");
        let expected = "  North   0   1\n\
                        \x20         2   3\n\
                        \x20         d   c\n\
                        \x20         4   5\n\
                        \x20 South   6   7   to move\n\
                        \x20         a   b\n";
        assert_eq!(text, expected);
        let text = drawn(GameName::Hus, "0,1/2,3/4,5/6,7 N");
        let expected = "          b   a\n\
                        \x20 North   0   1   to move\n\
                        \x20         2   3\n\
                        \x20         c   d\n\
                        \x20         4   5\n\
                        \x20 South   6   7\n";
        assert_eq!(text, expected);
    }
}
