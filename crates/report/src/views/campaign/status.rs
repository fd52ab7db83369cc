//! View of the progress of a campaign, list by list.

use std::io;

use partita_judging::campaign::{CampaignStatus, JudgmentCounts, ListStatus};
use partita_named::NamedEnum;

use super::{money, percent};
use crate::phrases::{count_noun, join, list_names, plural};
use crate::table::{integer, text};
use crate::{ColumnSet, Document, View};

/// Returns the columns of the table of lists; `with_expected_share` adds the share of pairs that
/// new votes are expected to decide as they stand in the list.
fn columns(with_expected_share: bool) -> ColumnSet<'static, ListStatus> {
    let columns = ColumnSet::<ListStatus>::new()
        .field("query", text("Query"), |list| list.query.clone())
        .field("items", integer("Items"), |list| list.items)
        .field("groups", integer("Groups"), |list| list.groups)
        .csv_field("settled", |list| list.settled)
        .csv_field("pairs", |list| list.pairs)
        .csv_field("decided", |list| list.decided)
        .csv_field("open", |list| list.open)
        .table_field(text("Pairs"), |list| {
            format!("{}/{}", list.decided, list.pairs)
        })
        .csv_field("asked", |list| list.asked)
        .csv_field("returned", |list| list.returned)
        .csv_field("votes", |list| list.votes)
        .csv_field("wanted", |list| list.wanted)
        .csv_field("expected_votes", |list| list.expected_votes)
        .table_field(integer("Votes"), |list| list.votes)
        .table_field(text("To come"), |list| {
            let about = if list.expected_votes == 0.0 { "" } else { "~" };
            format!("{about}{:.0}", list.expected_votes)
        })
        .table_field(text("State"), |list| match (list.settled, list.open) {
            (false, _) if list.closed => "closed",
            (false, 0) if list.pairs == 0 && wants_rankings_or_grades(&list.judged) => {
                if has_all_rankings_and_grades(&list.judged) {
                    "judged"
                } else {
                    "waiting for judgments"
                }
            }
            (true, 0) => "settled",
            (true, _) => "settled, being checked",
            (false, _) if list.unasked_votes > 0 => "more to ask",
            (false, _) => "waiting for answers",
        });
    if !with_expected_share {
        return columns;
    }
    columns
        .csv_field("expected_right", |list| list.expected_right)
        .table_field(text("Right"), |list| {
            list.expected_right.map_or_else(String::new, percent)
        })
}

/// Returns true if the campaign asks for rankings or grades of the list.
fn wants_rankings_or_grades(counts: &JudgmentCounts) -> bool {
    counts.rankings_wanted != Some(0) || counts.grades_wanted > 0
}

/// Returns true if the list has as many rankings and grades as the campaign asks for. Rankings
/// without a limit are never complete.
fn has_all_rankings_and_grades(counts: &JudgmentCounts) -> bool {
    (counts.rankings_wanted).is_some_and(|wanted| counts.rankings >= wanted)
        && counts.grades >= counts.grades_wanted
}

/// Shows the progress of each list of the campaign, one row per list.
impl View for CampaignStatus {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        columns(has_expected_shares(self)).write_csv(&self.lists, writer)
    }

    fn document(&self) -> Document {
        Document::new()
            .table(columns(has_expected_shares(self)).to_table(&self.lists))
            .notes(notes(self))
    }
}

/// Returns true if at least one list has an estimate of the share of its pairs that a new panel
/// would order in the same way.
fn has_expected_shares(status: &CampaignStatus) -> bool {
    let mut lists = status.lists.iter();
    lists.any(|list| list.expected_right.is_some())
}

/// Returns the notes below the table: sentences on the campaign as a whole.
fn notes(status: &CampaignStatus) -> Vec<String> {
    let settled = status.lists.iter().filter(|list| list.settled).count();
    let excluded = match status.excluded.len() {
        0 => String::new(),
        excluded => format!(" ({excluded} excluded)"),
    };
    let counts = status.answers.iter();
    let counts = counts.map(|(flag, count)| format!("{count} {}", flag.name()));
    let answers = match join(counts, ", ") {
        none if none.is_empty() => "none yet".to_owned(),
        answers => answers,
    };
    let mut notes = vec![
        format!(
            "Campaign `{}`: {settled} of {} settled after {} by {}{excluded}.",
            status.campaign,
            plural(status.lists.len(), "list"),
            count_noun(status.batches as usize, "batch", "batches"),
            plural(status.assessors, "assessor"),
        ),
        match status.cost {
            None => format!("Answers: {answers}."),
            Some(cost) => format!(
                "Answers: {answers}; {} spent.",
                money(cost, status.currency)
            ),
        },
    ];
    if status.expected_votes > 0.0 {
        let votes = plural(status.expected_votes.round() as usize, "vote");
        let cost = status.expected_cost;
        let cost = cost.map_or_else(String::new, |cost| {
            format!(", for {}", money(cost, status.currency))
        });
        notes.push(format!("Still to come, by rehearsal: about {votes}{cost}."));
    }
    let total = |count: fn(&JudgmentCounts) -> usize| -> usize {
        status.lists.iter().map(|list| count(&list.judged)).sum()
    };
    let rankings = total(|all| all.rankings);
    let rankings_wanted = (status.lists.iter())
        .map(|list| list.judged.rankings_wanted)
        .sum::<Option<usize>>();
    let grades = total(|all| all.grades);
    let grades_wanted = Some(total(|all| all.grades_wanted));
    for (what, given, wanted) in [
        ("Rankings", rankings, rankings_wanted),
        ("Grades", grades, grades_wanted),
    ] {
        match wanted {
            Some(0) => {}
            Some(wanted) => notes.push(format!("{what}: {given}, of {wanted} wanted.")),
            None => notes.push(format!(
                "{what}: {given}, by everybody who comes until the campaign is closed."
            )),
        }
    }
    if status.closed {
        notes.push("The campaign is closed: nothing more is asked.".to_owned());
    } else if status.paused {
        notes.push("The campaign is paused: nothing is asked until it is resumed.".to_owned());
    }
    if let Some(stuck) = &status.blocked {
        let pairs = plural(stuck.pairs.len(), "pair");
        let others = if stuck.blocks_campaign {
            "nothing goes on without more people"
        } else {
            "other pairs can go on"
        };
        notes.push(format!(
            "{pairs} of {} want{} the votes of more people than the {} who {} answered so far; {others}.",
            list_names(&stuck.queries, 5),
            if stuck.pairs.len() == 1 { "s" } else { "" },
            count_noun(stuck.people, "person", "people"),
            if stuck.people == 1 { "has" } else { "have" },
        ));
    }
    if has_expected_shares(status) {
        notes.push(format!(
            "Right: the share of pairs that {} new votes are expected to decide as they stand in the list.",
            status.votes_per_pair
        ));
    }
    let quality = status.held_out;
    if let Some(agreement) = quality.agreement {
        notes.push(format!(
            "Held out: of {} on {}, {} say what the lists say and {} the opposite; agreement {agreement:.3}.",
            plural(quality.votes as usize, "vote"),
            plural(quality.pairs, "random pair"),
            quality.same,
            quality.opposite,
        ));
    }
    notes
}
