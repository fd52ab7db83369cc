//! Any test, answered sample by sample as `compare` answers it.

use super::{Evidence, PairTest, Setting, Verdicts, pairs};
use crate::Scores;
use crate::compare::Settings;
use crate::reliability::batch::Batch;
use crate::test::{OnSystems, Question};
use crate::truth::Alpha;
use crate::work::InTurn;

struct Answered {
    test: &'static OnSystems,
    scores: Scores,
    settings: Settings,
}

pub(super) fn prepare(
    test: &'static OnSystems,
    scores: &Scores,
    setting: Setting,
) -> Box<dyn PairTest> {
    Box::new(Answered {
        test,
        scores: scores.clone(),
        settings: Settings {
            alpha: Alpha::new(setting.alpha).expect("a level lies between 0 and 1"),
            tails: setting.tails,
            seed: setting.seed,
            ..Settings::default()
        },
    })
}

impl PairTest for Answered {
    fn decide(&self, batch: &Batch, verdicts: &mut Verdicts) {
        verdicts.set_by_evidence(self, batch, self.settings.alpha.value());
    }

    fn evidence(&self, batch: &Batch, lane: usize) -> Vec<Evidence> {
        let systems: Vec<usize> = (0..self.scores.systems().len()).collect();
        let queries: Vec<usize> = batch.sample(lane).iter().map(|&q| q as usize).collect();
        let sample = self.scores.arranged(&queries, &systems);
        let columns: Vec<Vec<f64>> = systems.iter().map(|&s| sample.column(s)).collect();
        let pairs: Vec<(usize, usize)> = pairs(systems.len()).collect();
        let even = |(a, b): &(usize, usize)| Evidence {
            p: 1.0,
            lead: sample.mean(*a) - sample.mean(*b),
        };
        // A difference alone has no spread to judge it by.
        if queries.len() < 2 {
            return pairs.iter().map(even).collect();
        }
        let question = Question {
            scores: &sample,
            columns: &columns,
            pairs: &pairs,
            settings: &self.settings,
            correction: partita_stats::adjust::Adjustment::None,
            work: &InTurn,
        };
        let answer = (self.test.answer)(&question)
            .expect("scores are finite, the settings are valid and nobody stops the work");
        let evidence = answer.pairs.iter().map(|pair| Evidence {
            p: pair.p,
            lead: f64::from(pair.direction as i8),
        });
        evidence.collect()
    }
}
