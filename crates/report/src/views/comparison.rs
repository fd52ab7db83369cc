//! View of comparisons of systems: leaderboard, pairs and notes.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use partita_core::comparison::{
    ComparedSystem, Comparison, ControlledErrorRate, MeanRankOrder, PairComparison, SystemTriple,
};
use partita_core::significance::{ComparedQuantity, TestGoal};
use partita_core::truth::{Intransitivity, Tails};
use partita_named::NamedEnum;
use partita_stats::adjustment::Adjustment;
use partita_stats::differences::Rounding;

use crate::phrases::{count_noun, format_p_value, join, list_names, plural};
use crate::table::{number, right, text};
use crate::{ColumnSet, Document, Table, View};

/// Maximum number of system names listed in a sentence.
const MAX_NAMED_SYSTEMS: usize = 5;

/// Maximum number of intransitive triples of systems that are named.
const MAX_NAMED_TRIPLES: usize = 2;

/// Maximum number of pairs of systems whose table is shown without a request.
const MAX_PAIRS_BY_DEFAULT: usize = 45;

/// Comparisons of the same systems by one or more measures.
pub struct ComparisonView<'a> {
    /// Comparisons, one per measure.
    pub comparisons: &'a [Comparison],
    /// True to show every pair, regardless of their number.
    pub all_pairs: bool,
    /// True to show all settings of the comparison.
    pub with_settings: bool,
    /// True if the user chose no test. The document then explains why the default test is used.
    pub test_is_default: bool,
}

/// Pair of systems with the comparison that it belongs to.
type PairRow<'a> = (&'a Comparison, &'a PairComparison);

fn rows(comparison: &Comparison) -> impl Iterator<Item = PairRow<'_>> {
    comparison.pairs.iter().map(move |pair| (comparison, pair))
}

impl View for ComparisonView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let rows = self.comparisons.iter().flat_map(rows);
        pair_columns(None).write_csv(rows, writer)
    }

    fn document(&self) -> Document {
        let all = self.comparisons;
        let against = |one: &Comparison| !one.settings.baselines.is_empty();
        let against = all.iter().any(against);
        let mut document = Document::new();
        document = match all {
            _ if against => document.tables(all.iter().map(pairs_table)),
            [one] => {
                let caption = format!("Systems by {}", one.measure);
                document.table(
                    leaderboard_columns(one)
                        .to_table(&one.systems)
                        .with_caption(caption),
                )
            }
            _ => self.side_by_side(document),
        };
        document = document
            .notes(per_comparison(all, |one| Some(outcome_note(one))))
            .notes(per_comparison(all, |one| Some(test_note(one))))
            .notes(per_comparison(all, |one| {
                (one.groups.is_some() && !against).then(|| letters_legend(one))
            }));
        if all.len() == 1 && !against {
            let ranks =
                "Possible ranks, 1 for the best: those that the significant differences leave.";
            document = document.hint(ranks);
        }
        let triples = per_comparison(all, non_transitivity_note);
        let rates = per_comparison(all, |one| Some(error_rates(one)));
        let rounded = per_comparison(all, rounding);
        let is_rounded = !rounded.is_empty();
        document = (triples.into_iter().chain(rates).chain(rounded)).fold(document, Document::hint);
        if is_rounded {
            document = document.hint("--unrounded takes them as they are.");
        }
        if self.test_is_default {
            document = document.hint(format!(
                "{DEFAULT_TEST_REASON} --like mirex and --like urbano-2011 follow older procedures."
            ));
        }
        if self.with_settings {
            document = document.notes(per_comparison(all, |one| Some(settings_note(one))));
        }
        let few = all.len() == 1
            && all
                .iter()
                .all(|one| one.pairs.len() <= MAX_PAIRS_BY_DEFAULT);
        if against {
            document.notes(per_comparison(all, intervals_note))
        } else if self.all_pairs || few {
            (document.tables(all.iter().map(pairs_table)))
                .notes(per_comparison(all, intervals_note))
        } else {
            document.hint("--pairs prints every pair with its difference and p-value.")
        }
    }
}

impl ComparisonView<'_> {
    /// Adds tables of systems by several measures: means, and ranks if ranks were compared or all
    /// settings are shown.
    fn side_by_side(&self, document: Document) -> Document {
        let means = side_by_side(self.comparisons, |system| {
            let letters = system.group.as_deref().unwrap_or_default();
            format!("{:.4} {letters}", system.mean)
        });
        let document = document.table(means.with_caption("Systems by measure: mean and group"));
        let of_ranks = |one: &Comparison| {
            let critical = one.critical_difference;
            critical.is_some_and(|critical| critical.of == ComparedQuantity::MeanRank)
        };
        if !self.with_settings && !self.comparisons.iter().any(of_ranks) {
            return document;
        }
        let ranks = side_by_side(self.comparisons, |system| match possible_ranks(system) {
            Some(possible) => format!("{:.2}, {possible}", system.mean_rank),
            None => format!("{:.2}", system.mean_rank),
        });
        let mean_rank = mean_rank(&self.comparisons[0]).to_lowercase();
        let caption = format!("Systems by measure: {mean_rank} and possible ranks");
        document.table(ranks.with_caption(caption))
    }
}

/// Returns the note of each comparison with its measure, or a single note without a measure if all
/// comparisons have the same note.
fn per_comparison(all: &[Comparison], note: impl Fn(&Comparison) -> Option<String>) -> Vec<String> {
    let notes = Vec::from_iter(all.iter().map(|one| (&one.measure, note(one))));
    match notes.first() {
        Some((_, first)) if notes.iter().all(|(_, note)| note == first) => {
            first.iter().cloned().collect()
        }
        _ => (notes.into_iter())
            .filter_map(|(measure, note)| Some(format!("{measure}: {}", note?)))
            .collect(),
    }
}

/// Explanation of the choice of the default test.
const DEFAULT_TEST_REASON: &str = "The permutation test is the default: for comparing means, it and the t-test have the \
     most power (Smucker et al. 2007; Urbano et al. 2019). They hold their level if differences are \
     symmetric or systems exchangeable; with skewed differences and few queries they reject too \
     often.";

/// Returns the table of pairs of systems. With a baseline, the difference in each row is that of
/// another system minus the baseline.
fn pairs_table(comparison: &Comparison) -> Table {
    let measure = &comparison.measure;
    let (caption, keys) = match &comparison.settings.baselines[..] {
        [] => (format!("Pairs by {measure}, A minus B"), 2),
        [baseline] => {
            let mut systems = comparison.systems.iter();
            let known = systems.find(|system| *system.name == **baseline);
            let mean = known.map_or(f64::NAN, |system| system.mean);
            (
                format!("Systems by {measure}, minus {baseline} (mean {mean:.4})"),
                1,
            )
        }
        _ => (format!("Systems by {measure}, minus each baseline"), 2),
    };
    let table = pair_columns(Some(comparison)).to_table(rows(comparison));
    table.with_caption(caption).with_key_columns(keys)
}

/// Returns the columns of the pairs of systems: for CSV, or for the table of the comparison
/// `table_of`.
fn pair_columns<'a>(table_of: Option<&Comparison>) -> ColumnSet<'a, PairRow<'a>> {
    // Rounding removes floating-point errors from the percentage, such as 0.95 × 100.
    let percent = (1e6 * table_of.map_or(0.0, |shown| shown.confidence)).round() / 1e4;
    let is_corrected =
        |shown: &Comparison| shown.pairs.iter().any(|pair| pair.p != pair.p_adjusted);
    let p = if table_of.is_some_and(is_corrected) {
        "p adjusted"
    } else {
        "p"
    };
    let equivalence = table_of.is_some_and(|shown| shown.goal == TestGoal::Equivalence);
    let interval = right(format!("{percent}% interval"));
    let record = right("Won, tied, lost");
    let baselines = table_of.map_or(0, |shown| shown.settings.baselines.len());
    let systems = table_of.into_iter().flat_map(|shown| &shown.systems);
    let means: HashMap<Arc<str>, f64> = systems
        .map(|system| (system.name.clone(), system.mean))
        .collect();
    let (a, b) = match baselines {
        0 => ("A", "B"),
        _ => ("System", "Baseline"),
    };
    ColumnSet::<PairRow>::new()
        .csv_field("measure", |(c, _)| c.measure.clone())
        .field("a", text(a), |(_, pair)| &*pair.a)
        .csv_field("b", |(_, pair)| &*pair.b)
        .add_if(baselines != 1, |columns| {
            columns.table_field(text(b), |(_, pair)| &*pair.b)
        })
        .add_if(!equivalence, |columns| {
            columns.table_field(text("Better"), |(_, pair)| pair.better.as_deref())
        })
        .add_if(equivalence, |columns| {
            let answer = |equivalent| if equivalent { "yes" } else { "no" };
            columns.table_field(text("Equivalent"), move |(_, pair)| {
                pair.equivalent.map(answer)
            })
        })
        .add_if(baselines > 0, |columns| {
            columns.table_field(number("Mean", 4), move |(_, pair)| {
                means.get(&pair.a).copied()
            })
        })
        .field("difference", number("Difference", 4), |(_, pair)| {
            pair.difference
        })
        .csv_field("lower", |(_, pair)| pair.lower)
        .csv_field("upper", |(_, pair)| pair.upper)
        .table_field(interval, |(_, pair)| {
            let ends = pair.lower.zip(pair.upper);
            ends.map(|(lower, upper)| format!("[{lower:.4}, {upper:.4}]"))
        })
        .table_field(number(p, 4), |(_, pair)| {
            pair.p_adjusted.map(format_p_value)
        })
        .field("d", number("d", 2), |(_, pair)| pair.d)
        .field("a12", number("A12", 2), |(_, pair)| pair.a12)
        .csv_field("wins", |(_, pair)| pair.wins)
        .csv_field("ties", |(_, pair)| pair.ties)
        .csv_field("losses", |(_, pair)| pair.losses)
        .table_field(record, |(_, pair)| {
            format!("{}, {}, {}", pair.wins, pair.ties, pair.losses)
        })
        .csv_field("mean_rank_difference", |(_, pair)| {
            pair.mean_rank_difference
        })
        .csv_field("p", |(_, pair)| pair.p)
        .csv_field("p_adjusted", |(_, pair)| pair.p_adjusted)
        .csv_field("significant", |(_, pair)| pair.significant)
        .csv_field("better", |(_, pair)| pair.better.as_deref())
        .csv_field("equivalent", |(_, pair)| pair.equivalent)
        .csv_field("test", |(c, _)| c.test.clone())
}

/// Returns the columns of the leaderboard: systems with means, groups and ranks.
fn leaderboard_columns(comparison: &Comparison) -> ColumnSet<'_, ComparedSystem> {
    let mut all = comparison.systems.iter();
    let ranked = all.any(|system| system.best_rank.is_some());
    ColumnSet::<ComparedSystem>::new()
        .table_field(text("System"), |system| system.name.to_string())
        .table_field(number("Mean", 4), |system| system.mean)
        .add_if(comparison.groups.is_some(), |columns| {
            columns.table_field(text("Group"), |system| system.group.clone())
        })
        .table_field(number(mean_rank(comparison), 2), |system| system.mean_rank)
        .add_if(ranked, |columns| {
            columns.table_field(right("Possible ranks"), possible_ranks)
        })
}

/// Returns the header of the column of mean ranks, which says which end is best.
fn mean_rank(comparison: &Comparison) -> &'static str {
    match comparison.settings.ranks {
        MeanRankOrder::OneIsBest => "Mean rank (1 is best)",
        MeanRankOrder::HighestIsBest => "Mean rank (highest is best)",
    }
}

/// Returns the range of ranks that the significant differences leave possible for a system.
fn possible_ranks(system: &ComparedSystem) -> Option<String> {
    match system.best_rank.zip(system.worst_rank)? {
        (best, worst) if best == worst => Some(best.to_string()),
        (best, worst) => Some(format!("{best} to {worst}")),
    }
}

/// Returns a table with one row per system and one column per measure.
fn side_by_side(comparisons: &[Comparison], cell: impl Fn(&ComparedSystem) -> String) -> Table {
    let systems = comparisons.iter().flat_map(|each| &each.systems);
    let names = systems.map(|system| &*system.name);
    let mut seen = HashSet::new();
    let names = names.filter(|name| seen.insert(*name));
    let columns = ColumnSet::<&str>::new().table_field(text("System"), |name| *name);
    let columns = comparisons.iter().fold(columns, |columns, comparison| {
        let systems = comparison.systems.iter();
        let known = systems.map(|system| (&*system.name, cell(system)));
        let known: HashMap<&str, String> = known.collect();
        columns.table_field(text(&comparison.measure), move |name| {
            known.get(name).map(|cell| cell.trim_end().to_owned())
        })
    });
    columns.to_table(names)
}

/// Returns a sentence on the test, its significance level and its correction.
fn test_note(comparison: &Comparison) -> String {
    let settings = &comparison.settings;
    let how = match (comparison.goal, settings.tails) {
        (TestGoal::Equivalence, _) => {
            let margin = settings.margin.expect("the equivalence test has a margin");
            format!("margin {margin}")
        }
        (_, Tails::Two) => "two-tailed".to_owned(),
        (_, Tails::One) => "one-tailed both ways".to_owned(),
    };
    let drawn = match comparison.samples {
        Some(samples) => format!("; {samples} resamples, seed {}", settings.seed),
        None => String::new(),
    };
    format!(
        "Test: {} ({}), {how}, alpha {}, {}{drawn}.",
        comparison.summary,
        comparison.test,
        comparison.alpha,
        correction(comparison),
    )
}

/// Returns the correction for multiple comparisons in words.
pub(crate) fn correction(comparison: &Comparison) -> &'static str {
    match comparison.correction {
        _ if comparison.simultaneous_p => "p-values hold for all pairs together",
        Adjustment::None => "no correction for the number of comparisons",
        Adjustment::Holm => "Holm's correction",
        Adjustment::Bonferroni => "Bonferroni's correction",
        Adjustment::Hochberg => "Hochberg's correction",
        Adjustment::BenjaminiHochberg => "false discovery rate by Benjamini and Hochberg",
        Adjustment::BenjaminiYekutieli => "false discovery rate by Benjamini and Yekutieli",
    }
}

/// Returns a sentence on the number of significant pairs.
fn outcome_note(comparison: &Comparison) -> String {
    let untested = comparison.untested_pairs().count();
    let pairs = comparison.pairs.len() - untested;
    let of_pairs = match untested {
        0 => format!("{pairs} pairs of systems"),
        _ => format!("{pairs} tested pairs of systems"),
    };
    let what = match (comparison.goal, pairs, comparison.significant) {
        (_, 0, _) => "No pair of systems was tested".to_owned(),
        (TestGoal::Difference, 1, some) if untested > 0 => {
            let negation = if some == 0 { "not " } else { "" };
            format!("The one tested pair of systems does {negation}differ significantly")
        }
        (TestGoal::Equivalence, 1, some) if untested > 0 => {
            let outcome = if some == 0 {
                "was not shown to be"
            } else {
                "is"
            };
            format!("The one tested pair of systems {outcome} equivalent")
        }
        (TestGoal::Difference, 1, 0) => "The two systems do not differ significantly".to_owned(),
        (TestGoal::Difference, 1, _) => "The two systems differ significantly".to_owned(),
        (TestGoal::Equivalence, 1, 0) => {
            "The two systems were not shown to be equivalent".to_owned()
        }
        (TestGoal::Equivalence, 1, _) => "The two systems are equivalent".to_owned(),
        (TestGoal::Difference, _, some) => {
            format!("{some} of {of_pairs} differ significantly")
        }
        (TestGoal::Equivalence, _, some) => {
            format!("{some} of {of_pairs} are equivalent")
        }
    };
    let mut text = format!(
        "{what} on {}.",
        count_noun(comparison.queries, "query", "queries")
    );
    if let Some(omnibus) = &comparison.omnibus {
        text += &format!(
            " Friedman: chi-squared {:.4} on {} degrees of freedom, p {}.",
            omnibus.chi_squared,
            omnibus.df,
            format_p_value(omnibus.p)
        );
    }
    if let Some(critical) = &comparison.critical_difference {
        let of = match critical.of {
            ComparedQuantity::MeanRank => "mean ranks",
            ComparedQuantity::Mean => "means",
        };
        text += &format!(" Critical difference of {of}: {:.4}.", critical.value);
    }
    text
}

/// Returns a sentence on intervals that are not corrected for the number of comparisons; `None` if
/// they are, or if there is one pair.
fn intervals_note(comparison: &Comparison) -> Option<String> {
    let several = comparison.pairs.len() > 1 && !comparison.simultaneous;
    several.then(|| {
        "Intervals are for each pair by itself, not corrected for the number of comparisons."
            .to_owned()
    })
}

/// Returns a sentence that explains the letters in the column of groups.
fn letters_legend(comparison: &Comparison) -> String {
    if comparison.goal == TestGoal::Equivalence {
        return "Systems that share a letter are equivalent.".to_owned();
    }
    let ranks = match comparison.settings.ranks {
        MeanRankOrder::OneIsBest => "",
        MeanRankOrder::HighestIsBest => " Of mean ranks the highest is best, as MIREX has it.",
    };
    format!("Systems that share a letter do not differ significantly.{ranks}")
}

/// Returns a note on intransitive triples of systems, such as a ~ b ~ c, but a > c; `None` if there
/// are none.
fn non_transitivity_note(comparison: &Comparison) -> Option<String> {
    let triples = comparison.non_transitive_count.filter(|count| *count > 0)?;
    let named = comparison.non_transitive.iter().flatten();
    let named = join(named.take(MAX_NAMED_TRIPLES).map(triple_text), "; ");
    let such_as = if triples > MAX_NAMED_TRIPLES as u64 {
        "such as "
    } else {
        ""
    };
    Some(format!(
        "Not transitive: {}, {such_as}{named}.",
        plural(triples as usize, "triple")
    ))
}

/// Formats an intransitive triple of systems: `~` between systems that do not differ, `>` after the
/// better system.
fn triple_text(triple: &SystemTriple) -> String {
    let [a, b, c] = &triple.systems;
    match triple.kind {
        Intransitivity::EqualsDiffer => format!("{a} ~ {b} ~ {c}, but {a} > {c}"),
        Intransitivity::ChainBreaks => format!("{a} > {b} > {c}, but {a} ~ {c}"),
        Intransitivity::Cycle => format!("{a} > {b} > {c} > {a}"),
    }
}

/// Returns a sentence on the probability of a false claim in the whole experiment and per
/// participant.
fn error_rates(comparison: &Comparison) -> String {
    let (rates, alpha) = (&comparison.error_rates, comparison.alpha);
    let by = if comparison.simultaneous_p {
        comparison.test.as_str()
    } else {
        correction(comparison)
    };
    let held = match rates.controlled.zip(rates.controlled_at) {
        None => "nothing is corrected, so these rates stand".to_owned(),
        Some((held, held_at)) => {
            let what = match held {
                ControlledErrorRate::ExperimentWide => "the experiment-wide rate",
                ControlledErrorRate::FalseDiscovery => {
                    "the share of false ones among all that are claimed"
                }
            };
            let both = if held_at > alpha {
                ", since each of both directions errs at alpha"
            } else {
                ""
            };
            format!("{by} holds {what} at {held_at}{both}")
        }
    };
    let each = match rates.comparisons_per_participant {
        1 => "one".to_owned(),
        each => each.to_string(),
    };
    let twice = match comparison.settings.tails {
        Tails::Two => "",
        Tails::One => " (of either direction: both together err up to twice as often)",
    };
    let (truth, claim) = match comparison.goal {
        TestGoal::Difference => ("no systems differed", "a difference"),
        TestGoal::Equivalence => ("all systems differed by the margin", "equivalence"),
    };
    format!(
        "Error rates: if {truth}, independent tests at {alpha} would claim \
         {claim} at least once with probability {:.4} in the whole experiment of \
         {}, and {:.4} in the {each} of a participant{twice}; {held}.",
        rates.experiment_wide,
        plural(rates.comparisons, "comparison"),
        rates.per_participant
    )
}

/// Returns a note on the score differences that are treated as ties because only rounding errors
/// distinguish them, if there are any.
fn rounding(comparison: &Comparison) -> Option<String> {
    let ties = Some(comparison.rounding.ties).filter(|ties| *ties > 0)?;
    Some(format!(
        "Rounding: {ties} differences are taken as equal to another one of their pair, or to 0, \
         since binary fractions alone tell them apart."
    ))
}

/// Returns all settings of a comparison as text, including those that the test does not use.
fn settings_note(comparison: &Comparison) -> String {
    let settings = &comparison.settings;
    let baselines = if settings.baselines.is_empty() {
        "all pairs are compared".to_owned()
    } else {
        format!(
            "pairs with {} are compared",
            list_names(&settings.baselines, 20)
        )
    };
    let rounding = match settings.rounding {
        Rounding::Relative => {
            "differences and ranked scores are rounded to twelve digits before ties are looked for"
        }
        Rounding::None => "nothing is rounded before ties are looked for",
    };
    let margin = settings.margin.map(|margin| margin.to_string());
    let margin = margin.as_deref().unwrap_or("none");
    let samples = settings.samples.map(|samples| samples.to_string());
    let samples = samples.as_deref().unwrap_or("as many as are needed");
    format!(
        "Settings: {baselines}; {rounding}; zeros {} (Wilcoxon); threshold {} (sign test); margin \
         {margin} (equivalence); resamples {samples}; seed {}. {} {}.",
        settings.zeros.name(),
        settings.threshold,
        settings.seed,
        comparison.description,
        comparison.reference,
    )
}

/// Returns a sentence on the pairs that were not tested because their differences do not vary, if
/// there are any.
fn untested_remark(comparison: &Comparison) -> Option<String> {
    let untested = Vec::from_iter(comparison.untested_pairs());
    let first = untested.first()?;
    let names = |pair: &PairComparison| format!("{} and {}", pair.a, pair.b);
    let pairs = match untested.len() {
        1 => format!(
            "the difference of {} is {:.4} on every query",
            names(first),
            first.difference
        ),
        count => format!(
            "the differences of {count} pairs do not vary over the queries ({})",
            list_names(
                &Vec::from_iter(untested.iter().map(|pair| names(pair))),
                MAX_NAMED_SYSTEMS
            )
        ),
    };
    let letters = match comparison.settings.baselines[..] {
        [] => ", and without all pairs there are no letters",
        _ => "",
    };
    Some(format!(
        "{pairs}, so the test {} can tell nothing about {}: no p-value and no interval{letters}; \
         the permutation test needs no variance",
        comparison.test,
        if untested.len() == 1 { "it" } else { "them" },
    ))
}

/// Returns the texts of the remarks on a comparison, which every output format reports as warnings.
pub fn remark_texts(comparison: &Comparison) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(smallest) = comparison.smallest_possible_p {
        let (drawn, remedy) = match comparison.samples {
            Some(samples) => (
                format!(" and {}", plural(samples, "resample")),
                match comparison.samples_wanted {
                    Some(wanted) => format!(
                        "; the bound on the work of a test allows no more, unless you ask for \
                         {wanted} resamples; a test that draws none, such as t, would help too"
                    ),
                    None => "; more resamples would help, or a test that draws none, such as t"
                        .to_owned(),
                },
            ),
            None => (String::new(), String::new()),
        };
        let adjusted = match comparison.correction {
            Adjustment::None => "",
            _ => "adjusted ",
        };
        remarks.push(format!(
            "nothing can be significant: with {}, {}{drawn}, the smallest {adjusted}p-value is \
             {}{remedy}",
            count_noun(comparison.queries, "query", "queries"),
            plural(comparison.error_rates.comparisons, "comparison"),
            format_p_value(smallest),
        ));
    } else if let Some((samples, wanted)) = comparison.samples.zip(comparison.samples_wanted) {
        remarks.push(format!(
            "{} were drawn instead of {wanted}, since the bound on the work of a test was reached; \
             small p-values are coarse, unless you ask for {wanted} resamples",
            plural(samples, "resample"),
        ));
    }
    remarks.extend(untested_remark(comparison));
    let against = comparison.against_the_means();
    let against = against.filter_map(|pair| {
        let better = pair.better.as_ref()?;
        let other = if *better == pair.a { &pair.b } else { &pair.a };
        Some(format!("{better} over {other}"))
    });
    let against = Vec::from_iter(against);
    if !against.is_empty() {
        remarks.push(format!(
            "the test calls a system better that has the lower mean, as it does not compare means: \
             {}",
            list_names(&against, MAX_NAMED_SYSTEMS)
        ));
    }
    for circle in comparison.hasse.iter().flat_map(|hasse| &hasse.cycles) {
        remarks.push(format!(
            "systems beat each other in a circle, so there is no order among them: {}",
            list_names(circle, 10)
        ));
    }
    remarks
}
