//! Views and CSV of the lists, answers and decided pairs of a campaign.

use std::io;

use partita_core::{AssessorRankings, GroundTruth, Preference};
use partita_formats::escape_formula;
use partita_judging::campaign::log::Timestamp;
use partita_judging::campaign::{
    Answer, AnswerWithStatus, CampaignPredictions, ExportedLists, ItemGrades, Judgment,
    PairDecision,
};
use partita_judging::{Relation, RelationProbabilities};
use partita_named::NamedEnum;

use crate::column_set::write_csv_rows;
use crate::phrases::join;
use crate::table::{Cell, integer, text};
use crate::{ColumnSet, Document, View};

/// Row of a list: query, number of a group from 1, and items of the group.
type GroupRow<'a> = (&'a str, usize, &'a [String]);

fn is_unfinished(lists: &ExportedLists, query: &str) -> bool {
    lists.unfinished.iter().any(|name| name == query)
}

fn list_columns(lists: &ExportedLists) -> ColumnSet<'_, GroupRow<'_>> {
    ColumnSet::<GroupRow<'_>>::new()
        .csv_field("query", |(query, ..)| *query)
        .csv_field("settled", |(query, ..)| !is_unfinished(lists, query))
        .field("group", integer("Group"), |(_, group, _)| *group)
        .field("items", text("Items"), |(.., items)| items.join(", "))
}

fn groups_by_query(
    lists: &ExportedLists,
) -> impl Iterator<Item = (&str, impl Iterator<Item = GroupRow<'_>>)> {
    lists.lists.iter().map(|(query, groups)| {
        let numbered = (1..).zip(groups);
        let rows = numbered.map(move |(number, items)| (query, number, &items[..]));
        (query, rows)
    })
}

/// Shows the lists that a campaign built from preferences, one row per group.
impl View for ExportedLists {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        list_columns(self).write_csv(groups_by_query(self).flat_map(|(_, rows)| rows), writer)
    }

    fn document(&self) -> Document {
        let groups = groups_by_query(self).map(|(query, rows)| match is_unfinished(self, query) {
            true => (format!("{query} (not settled yet)"), rows),
            false => (query.to_owned(), rows),
        });
        Document::new().table(list_columns(self).to_grouped_table(groups))
    }
}

/// Writes the answers of a campaign with their status, one row per answer. If `raw` is false, names
/// that a spreadsheet would read as formulas are escaped.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_answers_csv(
    campaign: &str,
    answers: &[AnswerWithStatus],
    raw: bool,
    writer: &mut dyn io::Write,
) -> io::Result<()> {
    let cell = |text: &str| spreadsheet_safe(text, raw);
    ColumnSet::<AnswerWithStatus>::new()
        .csv_field("campaign", |_| cell(campaign))
        .csv_field("id", |answer| answer.id.as_deref().map(cell))
        .csv_field("query", |answer| cell(&answer.query))
        .csv_field("a", |answer| cell(&answer.a))
        .csv_field("b", |answer| cell(&answer.b))
        .csv_field("assessor", |answer| cell(&answer.assessor))
        .csv_field("answer", |answer| {
            answer.answer.preference().map(Preference::name)
        })
        .csv_field("seconds", |answer| answer.seconds)
        .csv_field("time", |answer| answer.time.and_then(format_time))
        .csv_field("batch", |answer| cell(&answer.batch))
        .csv_field("flag", |answer| answer.flag.name())
        .csv_field("plays_query", |answer| plays(answer, 0))
        .csv_field("plays_a", |answer| plays(answer, 1))
        .csv_field("plays_b", |answer| plays(answer, 2))
        .csv_field("heard", heard_parts)
        .csv_field("hidden", |answer| answer.hidden_seconds)
        .write_csv(answers, writer)
}

/// Formats a time in seconds since 1970 as ISO 8601 in UTC; `None` beyond the years 0 to 9999.
fn format_time(seconds: f64) -> Option<String> {
    Timestamp::from_seconds(seconds).map(|time| time.to_string())
}

/// Returns the number of times that a part was played: the query, the first or the second item.
/// Returns `None` if the answer does not say.
fn plays(answer: &AnswerWithStatus, part: usize) -> Option<usize> {
    answer.playback[part].map(|played| played.plays as usize)
}

/// Returns the parts that were played to their end, such as `query a b`; `None` if the answer says
/// nothing about playback.
fn heard_parts(answer: &AnswerWithStatus) -> Option<String> {
    let parts = || answer.playback.iter().zip(["query", "a", "b"]);
    parts().any(|(played, _)| played.is_some()).then(|| {
        let heard = parts().filter(|(played, _)| played.is_some_and(|played| played.ended));
        join(heard.map(|(_, name)| name), " ")
    })
}

/// Returns the name, escaped if a spreadsheet would read it as a formula and `raw` is false.
fn spreadsheet_safe(name: &str, raw: bool) -> String {
    if raw {
        return name.to_owned();
    }
    escape_formula(name).into_owned()
}

/// Writes the rankings of each query, one row per assessor and item: query, assessor, item, rank.
/// If `raw` is false, names that a spreadsheet would read as formulas are escaped.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_rankings_csv(
    rankings: &[(String, AssessorRankings)],
    raw: bool,
    writer: &mut dyn io::Write,
) -> io::Result<()> {
    let rows = rankings.iter().flat_map(|(query, rankings)| {
        let items = rankings.items();
        let rankings_by_assessor = rankings.rows().enumerate();
        rankings_by_assessor.flat_map(move |(assessor, ranks)| {
            items.items().zip(ranks).map(move |(item, rank)| {
                let names = [query, rankings.assessor_name(assessor), items.name(item)];
                let [query, assessor, item] =
                    names.map(|name| Cell::text(spreadsheet_safe(name, raw)));
                [query, assessor, item, Cell::from(*rank)]
            })
        })
    });
    write_csv_rows(["query", "assessor", "item", "rank"], rows, writer)
}

/// Writes grades, one row each: query, assessor, item, broad, fine. If `raw` is false, names that a
/// spreadsheet would read as formulas are escaped.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_grades_csv(
    grades: &[&Answer],
    raw: bool,
    writer: &mut dyn io::Write,
) -> io::Result<()> {
    let cell = |text: &str| spreadsheet_safe(text, raw);
    let scales = |graded: &Answer| match graded.judgment {
        Judgment::Grade { broad, fine } => (broad, fine),
        _ => (None, None),
    };
    ColumnSet::<&Answer>::new()
        .csv_field("query", |graded| cell(&graded.question.query))
        .csv_field("assessor", |graded| cell(&graded.assessor))
        .csv_field("item", |graded| {
            graded.question.items.first().map(|item| cell(item))
        })
        .csv_field("broad", |graded| scales(graded).0.map(NamedEnum::name))
        .csv_field("fine", |graded| scales(graded).1)
        .write_csv(grades, writer)
}

/// Writes the posterior predictive probabilities of the decision of a new panel of assessors on
/// each pair, one row per pair: query, a, b, less, equal, greater. If `raw` is false, names that a
/// spreadsheet would read as formulas are escaped.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_relation_probabilities_csv(
    predictions: &CampaignPredictions,
    raw: bool,
    writer: &mut dyn io::Write,
) -> io::Result<()> {
    let cell = |text: &str| spreadsheet_safe(text, raw);
    let lists = predictions.lists.iter();
    let rows = lists.flat_map(|list| list.relations.iter().map(|pair| (&*list.query, pair)));
    ColumnSet::<(&str, &RelationProbabilities)>::new()
        .csv_field("query", |(query, _)| cell(query))
        .csv_field("a", |(_, pair)| cell(&pair.a))
        .csv_field("b", |(_, pair)| cell(&pair.b))
        .csv_field("less", |(_, pair)| pair.less)
        .csv_field("equal", |(_, pair)| pair.equal)
        .csv_field("greater", |(_, pair)| pair.greater)
        .write_csv(rows, writer)
}

fn grade_columns() -> ColumnSet<'static, ItemGrades> {
    ColumnSet::<ItemGrades>::new()
        .field("query", text("Query"), |item| item.query.clone())
        .field("item", text("Item"), |item| item.item.clone())
        .field("graders", integer("Graders"), |item| item.graders)
        .csv_field("broad", |item| item.grades.broad)
        .csv_field("fine", |item| item.grades.fine)
        .table_field(text("Broad (median)"), |item| {
            let broad = item.grades.broad;
            broad.map_or_else(String::new, |broad| broad.to_string())
        })
        .table_field(text("Fine (mean)"), |item| {
            let fine = item.grades.fine;
            fine.map_or_else(String::new, |fine| format!("{fine:.2}"))
        })
}

/// Shows the median broad grade and the mean fine grade of each item.
impl View for Vec<ItemGrades> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        grade_columns().write_csv(self, writer)
    }

    fn document(&self) -> Document {
        Document::new().table(grade_columns().to_table(self))
    }
}

fn truth_columns() -> ColumnSet<'static, (String, usize, Vec<String>)> {
    ColumnSet::<(String, usize, Vec<String>)>::new()
        .field("query", text("Query"), |(query, ..)| query.clone())
        .field("group", integer("Group"), |(_, group, _)| *group)
        .field("items", text("Items"), |(.., items)| items.join(", "))
}

/// Returns the groups of a ground truth as (query, number of the group from 1, items).
fn truth_groups(truth: &GroundTruth) -> impl Iterator<Item = (String, usize, Vec<String>)> {
    truth.iter().flat_map(|(query, judged)| {
        let groups = judged.list().to_named_groups(judged.names());
        (1..)
            .zip(groups)
            .map(|(number, items)| (query.to_owned(), number, items))
    })
}

/// Shows the lists of a ground truth, one row per group.
impl View for GroundTruth {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        truth_columns().write_csv(truth_groups(self), writer)
    }

    fn document(&self) -> Document {
        Document::new().table(truth_columns().to_table(truth_groups(self)))
    }
}

/// Writes decided pairs as `query,left,right,winner`; the winner is left, right or tie.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_left_right_pairs(
    pairs: &[PairDecision],
    writer: &mut dyn io::Write,
) -> io::Result<()> {
    ColumnSet::<PairDecision>::new()
        .csv_field("query", |pair| pair.query.clone())
        .csv_field("left", |pair| pair.a.clone())
        .csv_field("right", |pair| pair.b.clone())
        .csv_field("winner", |pair| match pair.relation {
            Relation::Less => "left",
            Relation::Equal => "tie",
            Relation::Greater => "right",
        })
        .write_csv(pairs, writer)
}

/// Writes decided pairs as `topic a b winner` (Clarke, Vtyurina and Smucker 2021). The format
/// cannot represent ties, so equal pairs are omitted.
///
/// # Errors
/// Returns the I/O error if writing fails.
pub fn write_winner_pairs(pairs: &[PairDecision], writer: &mut dyn io::Write) -> io::Result<()> {
    for pair in pairs {
        let PairDecision { query, a, b, .. } = pair;
        match pair.relation {
            Relation::Less => writeln!(writer, "{query} {a} {b} {a}")?,
            Relation::Greater => writeln!(writer, "{query} {a} {b} {b}")?,
            Relation::Equal => {}
        }
    }
    Ok(())
}

/// Returns the first name with white space among the pairs that [`write_winner_pairs`] writes. It
/// cannot represent such a name.
pub fn first_name_with_blanks(pairs: &[PairDecision]) -> Option<&str> {
    let unequal = pairs.iter().filter(|pair| pair.relation != Relation::Equal);
    let mut names = unequal.flat_map(|pair| [&*pair.query, &*pair.a, &*pair.b]);
    names.find(|name| name.contains(char::is_whitespace))
}
