//! What became of each batch of questions, and what it cost: what the commands on them share.

use partita_formats::preferences::{BatchRecord, PreferencesFile};
use partita_judging::{Agreement, BatchSummary, Price, summarise_batches};
use serde_json::{Value, json};

/// A batch with its cost.
pub(crate) struct PricedBatch<'f> {
    pub(crate) summary: BatchSummary,
    pub(crate) record: &'f BatchRecord,
    pub(crate) cost: f64,
}

/// Every batch of a file, with its cost. Blank answers were paid for.
pub(crate) fn priced<'f>(file: &'f PreferencesFile, price: &Price) -> Vec<PricedBatch<'f>> {
    let summaries = summarise_batches(&file.preferences).into_iter();
    let priced = summaries.zip(&file.batches).map(|(summary, record)| {
        let votes = record.returned.checked_div(summary.pairs).unwrap_or(0);
        let cost = price.of(record.returned, votes);
        PricedBatch {
            summary,
            record,
            cost,
        }
    });
    priced.collect()
}

impl PricedBatch<'_> {
    /// The batch as JSON, numbered from 1.
    pub(crate) fn json(&self, number: usize) -> Value {
        json!({
            "batch": number,
            "name": self.record.name,
            "pairs": self.summary.pairs,
            "answers": self.summary.answers,
            "blank": self.record.blanks,
            "assessors": self.summary.assessors,
            "returning": self.summary.returning,
            "median_seconds": self.summary.median_seconds,
            "seconds_to_completion": self.seconds_to_completion(),
            "seconds_since_asked": self.seconds_since_asked(),
            "agreement": self.summary.agreement,
            "cost": exact(self.cost),
        })
    }

    /// From the first answer to the last, which is how the paper's Table 2 counts.
    pub(crate) fn seconds_to_completion(&self) -> Option<f64> {
        Some(self.record.last? - self.record.first_answer?)
    }

    /// From the first question to the last answer.
    fn seconds_since_asked(&self) -> Option<f64> {
        Some(self.record.last? - self.record.first?)
    }
}

/// An amount without the noise of binary fractions.
pub(crate) fn exact(amount: f64) -> f64 {
    (amount * 1e9).round() / 1e9
}

/// A duration as hours and minutes.
pub(crate) fn clock(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor() as i64;
    match minutes / 60 {
        0 => format!("{minutes}m"),
        hours => format!("{hours}h {}m", minutes % 60),
    }
}

/// How far people agree, by every coefficient.
pub(crate) fn agreement_json(agreement: &Agreement) -> Value {
    json!({
        "pairs": agreement.pairs,
        "score": agreement.score,
        "krippendorff_alpha": agreement.alpha_nominal,
        "krippendorff_alpha_ordinal": agreement.alpha_ordinal,
        "fleiss_kappa": agreement.fleiss_kappa,
        "gwet_ac1": agreement.ac1,
        "gwet_ac2_linear": agreement.ac2,
    })
}
