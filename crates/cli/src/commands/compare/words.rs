//! What there is to say of a comparison.

use partita_core::compare::{
    Comparison, Correction, CriticalDifference, Goal, Held, Pair, TestOption,
};
use partita_core::truth::{Paradox, Tails, Triple};
use partita_stats::signed_rank::{AUTO_EXACT, Method};

use super::CompareArgs;

/// How many of many are named.
const NAMED: usize = 5;

/// The first of these names, and how many more there are.
pub(super) fn some<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(most) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// A p-value as it is printed.
pub(super) fn p_value(p: f64) -> String {
    match p {
        p if p < 0.00005 => "<.0001".to_owned(),
        p => format!("{p:.4}"),
    }
}

/// What is so odd that it is said whatever the format.
pub(super) fn warnings(comparison: &Comparison) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(smallest) = comparison.hopeless {
        let drawn = match comparison.samples {
            Some(samples) => format!(" and {samples} samples"),
            None => String::new(),
        };
        let remedy = match comparison.samples {
            Some(_) => "; draw more with --samples, or take --test t, which draws none",
            None => "",
        };
        warnings.push(format!(
            "nothing can be significant: with {} queries, {} comparisons{drawn}, the smallest \
             adjusted p-value is {smallest:.4}{remedy}",
            comparison.queries,
            comparison.pairs.len(),
        ));
    }
    let against: Vec<String> = comparison
        .against_the_means()
        .map(|pair| {
            let name = |system: usize| &comparison.systems[system].name;
            format!("{} over {}", name(pair.b), name(pair.a))
        })
        .collect();
    if !against.is_empty() {
        warnings.push(format!(
            "the test calls a system better that has the lower mean, as it does not compare means: \
             {}",
            some(&against, NAMED)
        ));
    }
    if let Some(leaderboard) = &comparison.leaderboard {
        for circle in &leaderboard.order.circles {
            let names = circle
                .iter()
                .map(|&system| &comparison.systems[system].name);
            let names: Vec<&String> = names.collect();
            warnings.push(format!(
                "systems beat each other in a circle, so there is no order among them: {}",
                some(&names, 10)
            ));
        }
    }
    warnings
}

/// The notes below the tables.
pub(super) fn notes(args: &CompareArgs, comparison: &Comparison) -> Vec<String> {
    let mut notes = vec![test(comparison)];
    if args.testing.is_default() {
        notes.push(
            "For comparing means, the permutation and t-tests hold their level and have the most \
             power (Smucker et al. 2007; Urbano et al. 2019); --like mirex and --like paper-003 \
             follow older procedures."
                .to_owned(),
        );
    }
    notes.push(outcome(comparison));
    if comparison.leaderboard.is_some() {
        notes.push(legend(comparison).to_owned());
    }
    notes.extend(contradictions(comparison));
    notes.push(error_rates(comparison));
    if args.details {
        notes.push(format!("Settings: {:?}.", comparison.settings));
    }
    notes
}

fn test(comparison: &Comparison) -> String {
    let settings = &comparison.settings;
    let tails = match (comparison.test.goal, settings.tails) {
        (Goal::Equivalence, _) => format!("margin {}", settings.margin.unwrap_or(0.0)),
        (_, Tails::Two) => "two-tailed".to_owned(),
        (_, Tails::One) => "one-tailed both ways".to_owned(),
    };
    let drawn = match (comparison.samples, settings.method) {
        (Some(samples), _) => format!("; {samples} samples, seed {}", settings.seed),
        _ if !comparison.test.options.contains(&TestOption::Method) => String::new(),
        (_, Method::Auto) => format!("; exact up to {AUTO_EXACT} differences, else normal"),
        (_, Method::ExactConditional) => "; exact".to_owned(),
        (_, Method::Normal { .. }) => {
            "; normal, with corrections for ties and continuity".to_owned()
        }
    };
    format!(
        "Test: {} ({}), {tails}, alpha {}, {}{drawn}.",
        comparison.test.summary,
        comparison.test.name,
        settings.alpha.value(),
        correction(comparison),
    )
}

fn correction(comparison: &Comparison) -> &'static str {
    match comparison.correction {
        _ if comparison.test.simultaneous => "p-values hold for all pairs together",
        Correction::None => "no correction for the number of comparisons",
        chosen => match chosen.name() {
            "holm" => "Holm's correction",
            "bonferroni" => "Bonferroni's correction",
            "hochberg" => "Hochberg's correction",
            "bh" => "false discovery rate by Benjamini and Hochberg",
            _ => "false discovery rate by Benjamini and Yekutieli",
        },
    }
}

fn outcome(comparison: &Comparison) -> String {
    let what = match comparison.test.goal {
        Goal::Difference => "pairs differ significantly",
        Goal::Equivalence => "pairs are equivalent",
    };
    let mut text = format!(
        "{} of {} {what} on {} queries.",
        comparison.significant(),
        comparison.pairs.len(),
        comparison.queries
    );
    if let Some(omnibus) = &comparison.omnibus {
        text.push_str(&format!(
            " Friedman: chi-squared {:.4} on {} degrees of freedom, p {}.",
            omnibus.chi_squared,
            omnibus.df,
            p_value(omnibus.p)
        ));
    }
    match comparison.critical_difference {
        Some(CriticalDifference::OfRanks(difference)) => {
            text.push_str(&format!(
                " Critical difference of mean ranks: {difference:.4}."
            ));
        }
        Some(CriticalDifference::OfMeans(difference)) => {
            text.push_str(&format!(" Critical difference of means: {difference:.4}."));
        }
        None => {}
    }
    text
}

fn legend(comparison: &Comparison) -> &'static str {
    match comparison.test.goal {
        Goal::Difference => {
            "Systems that share a letter do not differ significantly. Ranks: the best and worst \
             that the significant differences leave."
        }
        Goal::Equivalence => "Systems that share a letter are equivalent.",
    }
}

/// What cannot be read off letters: where tests contradict each other.
fn contradictions(comparison: &Comparison) -> Vec<String> {
    let mut notes = Vec::new();
    let Some(leaderboard) = &comparison.leaderboard else {
        return notes;
    };
    let triples = &leaderboard.triples;
    if !triples.is_empty() {
        let named = triples.worst.iter().take(NAMED);
        let named: Vec<String> = named.map(|triple| describe(comparison, triple)).collect();
        let such_as = match triples.total() > NAMED as u64 {
            true => "such as ",
            false => "",
        };
        notes.push(format!(
            "Not transitive: {} triples, {such_as}{}.",
            triples.total(),
            named.join("; ")
        ));
    }
    notes
}

/// A triple in signs: `~` where systems do not differ, `>` where the first is better.
pub(super) fn describe(comparison: &Comparison, triple: &Triple<usize>) -> String {
    let [a, b, c] = triple.items.map(|system| &comparison.systems[system].name);
    match triple.paradox {
        Paradox::EqualsDiffer => format!("{a} ~ {b} ~ {c}, but {a} > {c}"),
        Paradox::ChainBreaks => format!("{a} > {b} > {c}, but {a} ~ {c}"),
        Paradox::Cycle => format!("{a} > {b} > {c} > {a}"),
    }
}

fn error_rates(comparison: &Comparison) -> String {
    let rates = &comparison.error_rates;
    let alpha = comparison.settings.alpha.value();
    let by = match comparison.test.simultaneous {
        true => comparison.test.name,
        false => correction(comparison),
    };
    let held = match rates.held {
        Held::Nothing => "nothing is corrected, so these rates stand".to_owned(),
        Held::ExperimentWide => format!("{by} holds the experiment-wide rate at {alpha}"),
        Held::FalseDiscovery => {
            format!("{by} holds the share of false ones among all that are claimed at {alpha}")
        }
    };
    let each = match rates.comparisons_each {
        1 => "one".to_owned(),
        each => each.to_string(),
    };
    let twice = match comparison.settings.tails {
        Tails::Two => "",
        Tails::One => " (of either direction: both together err up to twice as often)",
    };
    let (truth, claim) = match comparison.test.goal {
        Goal::Difference => ("no systems differed", "a difference"),
        Goal::Equivalence => ("all systems differed by the margin", "equivalence"),
    };
    format!(
        "Error rates: if {truth}, independent tests at {alpha} would claim \
         {claim} at least once with probability {:.4} in the whole experiment of {} \
         comparisons, and {:.4} in the {each} of a participant{twice}; {held}.",
        rates.experiment_wide, rates.comparisons, rates.per_participant
    )
}

/// The name of the better system of a pair.
pub(super) fn better<'a>(comparison: &'a Comparison, pair: &Pair) -> Option<&'a str> {
    pair.better
        .map(|system| comparison.systems[system].name.as_str())
}
