//! Signals raised by the statistics on an assessor's card.

use partita_core::Preference;

use super::assessor_card::{AssessorCard, Signal, SignalKind};
use super::options::ScreeningOptions;
use super::{repeats, similar_answers};

/// Returns the wording of an answer for messages, without item names.
fn answer_wording(answer: Preference) -> &'static str {
    match answer {
        Preference::A => "the first",
        Preference::Equal => "equal",
        Preference::B => "the second",
    }
}

/// Formats a share as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Formats a likelihood ratio for messages. Ratios above 1000 are not given exactly.
fn format_ratio(ratio: f64) -> String {
    match ratio {
        _ if ratio > 1000.0 => "more than 1000".to_owned(),
        _ if ratio < 10.0 => format!("{ratio:.1}"),
        _ => format!("{ratio:.0}"),
    }
}

/// Significance level of the test against random answers. An assessor whose p-value is lower counts
/// as attentive.
const ATTENTION_TEST_LEVEL: f64 = 0.01;

/// Returns the signals raised by the statistics on an assessor's card.
pub(super) fn signals(card: &AssessorCard, settings: &ScreeningOptions) -> Vec<Signal> {
    let mut signals = Vec::new();
    let mut raise = |kind, value, threshold, p: Option<f64>, why: String| {
        signals.push(Signal {
            kind,
            value,
            threshold,
            p,
            why,
        });
    };
    let enough = |answers: usize| answers >= settings.least_answers;
    let rare = |p: f64| p < settings.level;
    // If the items of most pairs are equal, attentive assessors also give nearly always the same
    // answer. They are not flagged for it.
    let is_attentive =
        (card.reliability).is_some_and(|found| found.p_random < ATTENTION_TEST_LEVEL);
    if let Some(frequent) = &card.frequent
        && let (Some(p), Some(expected)) = (frequent.p, frequent.expected)
        && enough(card.answers)
        && frequent.share >= settings.same_answer
        && rare(p)
        && !is_attentive
    {
        let why = format!(
            "`{}` is {} of this person's {} answers, and {} of all answers to the same pairs",
            answer_wording(frequent.answer),
            percent(frequent.share),
            card.answers,
            percent(expected)
        );
        let kind = SignalKind::SameAnswer;
        raise(kind, frequent.share, settings.same_answer, Some(p), why);
    }
    if let Some(times) = &card.times
        && let (Some(variation), Some(p)) = (times.variation, times.p)
        && enough(times.answers)
        && variation <= settings.time_variation
        && rare(p)
    {
        let why = format!(
            "the times of {} answers hardly vary: their median is {:.0} seconds, their standard deviation {} of the mean",
            times.answers,
            times.median,
            percent(variation)
        );
        let kind = SignalKind::SameTime;
        raise(kind, variation, settings.time_variation, Some(p), why);
    }
    if let Some(fast) = &card.fast {
        let share = fast.fast as f64 / fast.answers as f64;
        if enough(fast.answers) && share >= settings.too_fast {
            let why = format!(
                "{} of {} answers took less time than the clips last",
                fast.fast, fast.answers
            );
            raise(SignalKind::TooFast, share, settings.too_fast, None, why);
        }
    }
    if let Some(gold) = &card.gold {
        let share = gold.wrong as f64 / gold.answers as f64;
        if share >= settings.gold_missed && rare(gold.p) {
            let why = format!(
                "{} of {} answers to gold pairs are wrong; other people miss {}",
                gold.wrong,
                gold.answers,
                percent(gold.expected)
            );
            let kind = SignalKind::Gold;
            raise(kind, share, settings.gold_missed, Some(gold.p), why);
        }
    }
    if let Some(reported) = &card.reports {
        let share = reported.reports as f64 / reported.questions as f64;
        if enough(reported.questions) && share >= settings.many_reports && rare(reported.p) {
            let why = format!(
                "{} of {} questions were reported as impossible to judge; of those of others {} were",
                reported.reports,
                reported.questions,
                percent(reported.expected)
            );
            let (kind, least) = (SignalKind::ManyReports, settings.many_reports);
            raise(kind, share, least, Some(reported.p), why);
        }
    }
    if let Some(side) = &card.side {
        let strict = (side.first + side.second) as f64;
        let excess = (side.first as f64 - side.expected) / strict;
        if enough(side.first + side.second) && excess.abs() >= settings.side_excess && rare(side.p)
        {
            let (which, times, expected) = if excess > 0.0 {
                ("first", side.first, side.expected)
            } else {
                ("second", side.second, strict - side.expected)
            };
            let why = format!(
                "of {strict} answers that prefer an item, {times} prefer the one shown {which}; the \
                 answers of other people to the same pairs predict {expected:.0}"
            );
            let kind = SignalKind::Side;
            raise(kind, excess.abs(), settings.side_excess, Some(side.p), why);
        }
    }
    if let Some(found) = &card.agreement {
        let deficit = found.expected - found.agreement;
        if enough(found.answers) && deficit >= settings.agreement_deficit && rare(found.p) {
            let why = format!(
                "agreement with other people is {:.2}; they agree with each other by {:.2} (z = {:.1})",
                found.agreement, found.expected, found.z
            );
            let (kind, least) = (SignalKind::Disagreement, settings.agreement_deficit);
            raise(kind, deficit, least, Some(found.p), why);
        }
    }
    if let Some(found) = &card.reliability
        && enough(found.answers)
    {
        let (sharpness, expected) = (found.sharpness, found.expected);
        let sharp = format!(
            "sharpness {sharpness:.2}; other people have {expected:.2} on average, with a standard deviation of {:.2} (z = {:.1})",
            found.spread, found.z
        );
        let (ratio, least) = (found.likelihood_ratio, settings.unreliable);
        if ratio < least {
            let why = format!(
                "{sharp}. Such answers are {} times as likely from a person who does not listen as from an \
                 attentive one",
                format_ratio(1.0 / ratio)
            );
            raise(SignalKind::Unreliable, ratio, least, Some(found.p), why);
        }
        if rare(found.p_too_sharp) {
            let why = format!(
                "gives the majority's answer more often than an attentive person would: {sharp}"
            );
            let kind = SignalKind::Copying;
            raise(kind, sharpness, expected, Some(found.p_too_sharp), why);
        }
    }
    signals.extend(similar_answers::signal(card, settings));
    signals.extend(repeats::signal(card, settings));
    signals
}
