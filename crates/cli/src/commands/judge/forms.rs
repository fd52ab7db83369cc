//! The questions of a campaign as they are put in a terminal, and what is read as an answer.

use std::io::{self, BufRead, Write};

use partita_core::Answer;
use partita_judging::campaign::Broad;

use super::say;
use super::shown::Shown;
use crate::failure::Failure;

/// What a person says to a question.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// Which of two items is closer.
    Pair(Answer),
    /// The items of a list in groups, the closest first.
    Ranking(Vec<Vec<String>>),
    /// How close an item is, in a word or in a number.
    Grade(Option<Broad>, Option<f64>),
    Skip,
    Stop,
}

/// Shows two items and reads which is closer to the query; `more` is said beside the query.
pub(super) fn pair(
    [query, a, b]: [&str; 3],
    more: &str,
    shown: &Shown,
    input: &mut impl BufRead,
) -> Result<Reply, Failure> {
    say(&format!(
        "\nQuery {query}{more}. Which is closer to it?{}\n  [a] {a}{}\n  [b] {b}{}",
        shown.words(query),
        shown.words(a),
        shown.words(b),
    ));
    let parts = [("q", query), ("a", a), ("b", b)];
    read("a, b, e (equal)", &parts, shown, input, |said| match said {
        "a" => Some(Reply::Pair(Answer::A)),
        "b" => Some(Reply::Pair(Answer::B)),
        "e" | "equal" | "=" => Some(Reply::Pair(Answer::Equal)),
        _ => None,
    })
}

/// Shows the items of a list and reads their order.
pub(super) fn ranking(
    query: &str,
    items: &[String],
    shown: &Shown,
    input: &mut impl BufRead,
) -> Result<Reply, Failure> {
    let mut text = format!(
        "\nQuery {query}. Put these in order, the closest to it first.{}",
        shown.words(query)
    );
    let numbers: Vec<String> = (1..=items.len()).map(|number| number.to_string()).collect();
    for (number, item) in numbers.iter().zip(items) {
        text.push_str(&format!("\n {number:>2}  {item}{}", shown.words(item)));
    }
    say(&text);
    let mut parts = vec![("q", query)];
    parts.extend(
        numbers
            .iter()
            .map(String::as_str)
            .zip(items.iter().map(String::as_str)),
    );
    let prompt =
        "their numbers, those that are equal joined by = (3 1=4 2; what is left out is unranked)";
    read(prompt, &parts, shown, input, |said| {
        groups(said, items).map(Reply::Ranking)
    })
}

/// Shows an item and reads how close it is to the query.
pub(super) fn grade(
    [query, item]: [&str; 2],
    shown: &Shown,
    input: &mut impl BufRead,
) -> Result<Reply, Failure> {
    say(&format!(
        "\nQuery {query}. How similar to it is {item}?{}{}",
        shown.words(query),
        shown.words(item),
    ));
    let parts = [("q", query), ("i", item)];
    let prompt = "n (not), w (somewhat), v (very similar), or a number from 0 to 100";
    read(prompt, &parts, shown, input, |said| match said {
        "n" | "ns" | "not" => Some(Reply::Grade(Some(Broad::Not), None)),
        "w" | "ss" | "somewhat" => Some(Reply::Grade(Some(Broad::Somewhat), None)),
        "v" | "vs" | "very" => Some(Reply::Grade(Some(Broad::Very), None)),
        number => {
            let fine = number.parse().ok();
            let fine = fine.filter(|fine| (0.0..=100.0).contains(fine));
            fine.map(|fine| Reply::Grade(None, Some(fine)))
        }
    })
}

/// The groups of items by their numbers: `3 1=4 2`. Nothing if that is no order of them.
fn groups(said: &str, items: &[String]) -> Option<Vec<Vec<String>>> {
    let said = said.replace(['>', ','], " ").replace(" = ", "=");
    let mut seen = vec![false; items.len()];
    let mut groups = Vec::new();
    for group in said.split_whitespace() {
        let mut names = Vec::new();
        for number in group.split('=') {
            let place = number.parse::<usize>().ok()?.checked_sub(1)?;
            if std::mem::replace(seen.get_mut(place)?, true) {
                return None;
            }
            names.push(items[place].clone());
        }
        groups.push(names);
    }
    (!groups.is_empty()).then_some(groups)
}

/// Reads until something is said that is an answer, or a wish to play, skip or stop. Parts are played by
/// their keys.
fn read(
    prompt: &str,
    parts: &[(&str, &str)],
    shown: &Shown,
    input: &mut impl BufRead,
    answer: impl Fn(&str) -> Option<Reply>,
) -> Result<Reply, Failure> {
    let can_play = parts.iter().any(|(_, name)| shown.is_file(name));
    let play = if can_play { "p (play), " } else { "" };
    loop {
        // The prompt is talk, and stays on the line of the answer.
        let _ = write!(io::stderr(), "{prompt}, {play}s (skip) or q (stop): ");
        let _ = io::stderr().flush();
        let mut line = String::new();
        let read = input.read_line(&mut line);
        let length = read.map_err(|error| Failure::input(format!("standard input: {error}")))?;
        let said = line.trim().to_lowercase();
        match said.as_str() {
            _ if length == 0 => {
                // The next message begins a line.
                say("");
                return Ok(Reply::Stop);
            }
            "s" | "skip" => return Ok(Reply::Skip),
            "q" | "quit" | "stop" => return Ok(Reply::Stop),
            "p" if can_play => parts.iter().for_each(|(_, name)| shown.play(name)),
            said => {
                let part = said.strip_prefix('p').map(str::trim);
                let part = parts.iter().find(|(key, _)| Some(*key) == part);
                if let Some((_, name)) = part {
                    shown.play(name);
                } else if let Some(reply) = answer(said) {
                    return Ok(reply);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_by_numbers_has_each_item_once_at_most() {
        let items = ["w", "x", "y", "z"].map(str::to_owned);
        let found = |said| {
            groups(said, &items).map(|groups| {
                groups
                    .iter()
                    .map(|group| group.concat())
                    .collect::<Vec<_>>()
                    .join(" ")
            })
        };
        assert_eq!(found("3 1=4 2").as_deref(), Some("y wz x"));
        assert_eq!(found("4 > 2 = 1, 3").as_deref(), Some("z xw y"));
        assert_eq!(found("2").as_deref(), Some("x"));
        for wrong in ["", "5", "0 1", "1 1", "1=1", "x", "1 ==2"] {
            assert_eq!(found(wrong), None, "{wrong}");
        }
    }
}
