//! Views and CSV of the lists, answers and decided pairs of a campaign.

use std::io;

use partita_core::{AssessorRankings, GroundTruth, Preference};
use partita_formats::escape_formula;
use partita_judging::campaign::{
    AnswerWithStatus, CampaignPredictions, ExportedLists, GradeAnswer, ItemGrades, PairDecision,
};
use partita_judging::{Relation, RelationProbabilities};
use partita_named::NamedEnum;

use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

/// Lists of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct CampaignListsView<'a>(pub &'a ExportedLists);

/// Query, and number and items of one of its groups.
type Row<'a> = (&'a str, usize, &'a [String]);

impl CampaignListsView<'_> {
    fn columns(&self) -> ColumnSet<'_, Row<'_>> {
        ColumnSet::new()
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

impl View for CampaignListsView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        self.columns()
            .write_csv(self.rows().flat_map(|(_, rows)| rows), writer)
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
        Document::new().table(self.columns().to_grouped_table(groups))
    }
}

/// CSV of the answers of a campaign with their status.
#[derive(Clone, Copy, Debug)]
pub struct AnswersCsv<'a> {
    /// Name of the campaign.
    pub campaign: &'a str,
    /// Answers.
    pub answers: &'a [AnswerWithStatus],
    /// True to write names unchanged, even if a spreadsheet would read them as formulas.
    pub raw: bool,
}

impl AnswersCsv<'_> {
    /// Writes one row per answer.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let cell = |text: &str| spreadsheet_safe(text, self.raw);
        ColumnSet::new()
            .csv_field("campaign", |_: &AnswerWithStatus| cell(self.campaign))
            .csv_field("id", |answer| answer.id.as_deref().map(cell))
            .csv_field("query", |answer| cell(&answer.query))
            .csv_field("a", |answer| cell(&answer.a))
            .csv_field("b", |answer| cell(&answer.b))
            .csv_field("assessor", |answer| cell(&answer.assessor))
            .csv_field("answer", |answer| {
                answer.answer.preference().map(Preference::name)
            })
            .csv_field("seconds", |answer| answer.seconds)
            .csv_field("time", |answer| answer.time)
            .csv_field("batch", |answer| cell(&answer.batch))
            .csv_field("flag", |answer| answer.flag.name())
            .write_csv(self.answers, writer)
    }
}

/// Escapes a name that a spreadsheet would read as a formula, unless `raw` is set.
fn spreadsheet_safe(text: &str, raw: bool) -> String {
    if raw {
        return text.to_owned();
    }
    escape_formula(text).into_owned()
}

/// CSV of the rankings that count in a campaign.
#[derive(Clone, Copy, Debug)]
pub struct RankingsCsv<'a> {
    /// Rankings by query.
    pub rankings: &'a [(String, AssessorRankings)],
    /// True to write names unchanged, even if a spreadsheet would read them as formulas.
    pub raw: bool,
}

impl RankingsCsv<'_> {
    /// Writes one row per item and assessor: query, assessor, item, rank.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let cell = |text: &str| spreadsheet_safe(text, self.raw);
        let mut rows = Vec::new();
        for (query, rankings) in self.rankings {
            let items = rankings.items();
            for (person, ranks) in rankings.rows().enumerate() {
                for (item, rank) in items.items().zip(ranks) {
                    let names = [query, rankings.assessor_name(person), items.name(item)];
                    rows.push((names.map(cell), *rank));
                }
            }
        }
        ColumnSet::new()
            .csv_field("query", |(names, _): &([String; 3], Option<f64>)| {
                names[0].clone()
            })
            .csv_field("assessor", |(names, _)| names[1].clone())
            .csv_field("item", |(names, _)| names[2].clone())
            .csv_field("rank", |(_, rank)| *rank)
            .write_csv(&rows, writer)
    }
}

/// CSV of the grades that count in a campaign.
#[derive(Clone, Copy, Debug)]
pub struct GradesCsv<'a> {
    /// Grades.
    pub grades: &'a [&'a GradeAnswer],
    /// True to write names unchanged, even if a spreadsheet would read them as formulas.
    pub raw: bool,
}

impl GradesCsv<'_> {
    /// Writes one row per grade: query, assessor, item, broad, fine.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let cell = |text: &str| spreadsheet_safe(text, self.raw);
        ColumnSet::new()
            .csv_field("query", |graded: &&GradeAnswer| cell(&graded.query))
            .csv_field("assessor", |graded| cell(&graded.assessor))
            .csv_field("item", |graded| cell(&graded.item))
            .csv_field("broad", |graded| graded.broad.map(NamedEnum::name))
            .csv_field("fine", |graded| graded.fine)
            .write_csv(self.grades, writer)
    }
}

/// CSV of the posterior predictive probabilities of each decision by a new panel, one row per pair.
#[derive(Clone, Copy, Debug)]
pub struct RelationProbabilitiesCsv<'a> {
    /// Posterior predictive probabilities per pair.
    pub odds: &'a CampaignPredictions,
    /// True to write names unchanged, even if a spreadsheet would read them as formulas.
    pub raw: bool,
}

impl RelationProbabilitiesCsv<'_> {
    /// Writes one row per pair: query, a, b, less, equal, greater.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let cell = |text: &str| spreadsheet_safe(text, self.raw);
        let lists = self.odds.lists.iter();
        let rows = lists.flat_map(|list| list.relations.iter().map(|pair| (&list.query, pair)));
        let rows: Vec<(&String, &RelationProbabilities)> = rows.collect();
        ColumnSet::new()
            .csv_field("query", |(query, _): &(&String, &RelationProbabilities)| {
                cell(query)
            })
            .csv_field("a", |(_, pair)| cell(&pair.a))
            .csv_field("b", |(_, pair)| cell(&pair.b))
            .csv_field("less", |(_, pair)| pair.less)
            .csv_field("equal", |(_, pair)| pair.equal)
            .csv_field("greater", |(_, pair)| pair.greater)
            .write_csv(&rows, writer)
    }
}

/// Summary of the grades of each item.
#[derive(Clone, Copy, Debug)]
pub struct ItemGradesView<'a>(pub &'a [ItemGrades]);

fn graded_sheet() -> ColumnSet<'static, ItemGrades> {
    ColumnSet::new()
        .field("query", text("Query"), |item: &ItemGrades| {
            item.query.clone()
        })
        .field("item", text("Item"), |item| item.item.clone())
        .field("graders", integer("Graders"), |item| item.graders)
        .csv_field("broad", |item| item.grades.broad)
        .csv_field("fine", |item| item.grades.fine)
        .table_field(text("Broad (median)"), |item| {
            item.grades
                .broad
                .map_or_else(String::new, |broad| broad.to_string())
        })
        .table_field(text("Fine (mean)"), |item| {
            item.grades
                .fine
                .map_or_else(String::new, |fine| format!("{fine:.2}"))
        })
}

impl View for ItemGradesView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        graded_sheet().write_csv(self.0, writer)
    }

    fn document(&self) -> Document {
        Document::new().table(graded_sheet().to_table(self.0))
    }
}

/// Lists built from rankings.
#[derive(Clone, Copy, Debug)]
pub struct RankingTruthView<'a>(pub &'a GroundTruth);

impl RankingTruthView<'_> {
    fn rows(&self) -> Vec<(String, usize, Vec<String>)> {
        let mut rows = Vec::new();
        for (query, judged) in self.0.iter() {
            let groups = judged.list().groups();
            for (number, group) in (1..).zip(groups) {
                let names = group
                    .iter()
                    .map(|&item| judged.names().name(item).to_owned());
                rows.push((query.to_owned(), number, names.collect()));
            }
        }
        rows
    }
}

fn ranked_sheet() -> ColumnSet<'static, (String, usize, Vec<String>)> {
    ColumnSet::new()
        .field(
            "query",
            text("Query"),
            |(query, ..): &(String, usize, Vec<String>)| query.clone(),
        )
        .field("group", integer("Group"), |(_, group, _)| *group)
        .field("items", text("Items"), |(.., items)| items.join(", "))
}

impl View for RankingTruthView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        ranked_sheet().write_csv(self.rows(), writer)
    }

    fn document(&self) -> Document {
        Document::new().table(ranked_sheet().to_table(self.rows()))
    }
}

/// CSV of decided pairs in formats of other programs.
#[derive(Clone, Copy, Debug)]
pub struct PairDecisionsCsv<'a>(pub &'a [PairDecision]);

impl PairDecisionsCsv<'_> {
    /// Writes `query,left,right,winner`; the winner is left, right or tie.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_left_right(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        ColumnSet::new()
            .csv_field("query", |pair: &PairDecision| pair.query.clone())
            .csv_field("left", |pair| pair.a.clone())
            .csv_field("right", |pair| pair.b.clone())
            .csv_field("winner", |pair| match pair.relation {
                Relation::Less => "left",
                Relation::Equal => "tie",
                Relation::Greater => "right",
            })
            .write_csv(self.0, writer)
    }

    /// Writes `topic a b winner` (Clarke, Vtyurina and Smucker 2021). The format cannot represent
    /// ties, so equal pairs are omitted.
    ///
    /// # Errors
    /// Returns the I/O error if writing fails.
    pub fn write_winners(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        for pair in self.0 {
            let PairDecision { query, a, b, .. } = pair;
            match pair.relation {
                Relation::Less => writeln!(writer, "{query} {a} {b} {a}")?,
                Relation::Greater => writeln!(writer, "{query} {a} {b} {b}")?,
                Relation::Equal => {}
            }
        }
        Ok(())
    }

    /// Returns the first name with white space, which [`Self::write_winners`] cannot represent.
    pub fn first_name_with_blanks(&self) -> Option<&str> {
        let all = self.0.iter();
        let pairs = all.filter(|pair| pair.relation != Relation::Equal);
        let mut names = pairs.flat_map(|pair| [&*pair.query, &*pair.a, &*pair.b]);
        names.find(|name| name.contains(char::is_whitespace))
    }
}
