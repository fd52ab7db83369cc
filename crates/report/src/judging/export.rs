//! How the lists, the answers and the decided pairs of a campaign are shown.

use std::io;

use partita_core::Answer;
use partita_judging::Relation;
use partita_judging::campaign::{AnswerState, DecidedPair, ExportedLists};
use partita_stats::named::Named;

use crate::table::{integer, text};
use crate::{Document, Present, Sheet};

/// The lists of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct ListsView<'a>(pub &'a ExportedLists);

/// A query, and the number and the items of one of its groups.
type Row<'a> = (&'a str, usize, &'a [String]);

impl ListsView<'_> {
    fn sheet(&self) -> Sheet<'_, Row<'_>> {
        Sheet::new()
            .csv_field("query", |(query, ..): &Row<'_>| *query)
            .csv_field("settled", |(query, ..)| !self.is_unfinished(query))
            .field("group", integer("Group"), |(_, group, _)| *group)
            .field("items", text("Items"), |(.., items)| items.join(", "))
    }

    fn is_unfinished(&self, query: &str) -> bool {
        self.0.unfinished.iter().any(|name| name == query)
    }

    fn rows(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = Row<'_>>)> {
        self.0.lists.iter().map(|(query, groups)| {
            let rows = (1..).zip(groups);
            (
                query,
                rows.map(move |(number, items)| (query, number, &items[..])),
            )
        })
    }
}

impl Present for ListsView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        self.sheet()
            .csv(self.rows().flat_map(|(_, rows)| rows), place)
    }

    fn document(&self) -> Document {
        let groups = self.rows().map(|(query, rows)| {
            let is_unfinished = self.is_unfinished(query);
            let state = if is_unfinished {
                " (not settled yet)"
            } else {
                ""
            };
            (format!("{query}{state}"), rows)
        });
        Document::new().table(self.sheet().grouped(groups))
    }
}

/// Answers of a campaign with what became of each.
#[derive(Clone, Copy, Debug)]
pub struct AnswersView<'a> {
    /// What the campaign is called.
    pub campaign: &'a str,
    /// The answers.
    pub answers: &'a [AnswerState],
}

impl AnswersView<'_> {
    /// Writes a row per answer.
    ///
    /// # Errors
    /// When the place cannot be written to.
    pub fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        Sheet::new()
            .csv_field("campaign", |_: &AnswerState| self.campaign)
            .csv_field("id", |answer| answer.id.clone())
            .csv_field("query", |answer| answer.query.clone())
            .csv_field("a", |answer| answer.a.clone())
            .csv_field("b", |answer| answer.b.clone())
            .csv_field("assessor", |answer| answer.assessor.clone())
            .csv_field("answer", |answer| answer.answer.answer().map(Answer::name))
            .csv_field("seconds", |answer| answer.seconds)
            .csv_field("time", |answer| answer.time)
            .csv_field("batch", |answer| answer.batch.clone())
            .csv_field("flag", |answer| answer.flag.name())
            .csv(self.answers, place)
    }
}

/// Decided pairs as other programs read them.
#[derive(Clone, Copy, Debug)]
pub struct PairsView<'a>(pub &'a [DecidedPair]);

impl PairsView<'_> {
    /// Writes `query,left,right,winner`: the winner is left, right or tie.
    ///
    /// # Errors
    /// When the place cannot be written to.
    pub fn left_right(&self, place: &mut dyn io::Write) -> io::Result<()> {
        Sheet::new()
            .csv_field("query", |pair: &DecidedPair| pair.query.clone())
            .csv_field("left", |pair| pair.a.clone())
            .csv_field("right", |pair| pair.b.clone())
            .csv_field("winner", |pair| match pair.relation {
                Relation::Less => "left",
                Relation::Equal => "tie",
                Relation::Greater => "right",
            })
            .csv(self.0, place)
    }

    /// Writes `topic a b winner` (Clarke, Vtyurina and Smucker 2021), in which pairs that are equal have
    /// no place.
    ///
    /// # Errors
    /// When the place cannot be written to.
    pub fn winners(&self, place: &mut dyn io::Write) -> io::Result<()> {
        for pair in self.0 {
            let DecidedPair { query, a, b, .. } = pair;
            match pair.relation {
                Relation::Less => writeln!(place, "{query} {a} {b} {a}")?,
                Relation::Greater => writeln!(place, "{query} {a} {b} {b}")?,
                Relation::Equal => {}
            }
        }
        Ok(())
    }

    /// The first name with blanks, which has no place among [winners](Self::winners) either.
    pub fn name_with_blanks(&self) -> Option<&str> {
        let all = self.0.iter();
        let pairs = all.filter(|pair| pair.relation != Relation::Equal);
        let mut names = pairs.flat_map(|pair| [&*pair.query, &*pair.a, &*pair.b]);
        names.find(|name| name.contains(char::is_whitespace))
    }
}
