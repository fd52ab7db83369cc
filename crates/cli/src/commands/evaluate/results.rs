//! Runs read, scored and brought together.

use indicatif::ProgressBar;
use partita_core::evaluation::{self, NoRelevant, Options, Resampling, RunScores};
use partita_core::measure::{self, Measure};
use partita_core::{GroundTruth, Run, Scale};
use partita_formats::query_groups::QueryGroups;
use partita_formats::{Source, Warning, run};
use partita_stats::bootstrap::Interval;
use rayon::prelude::*;

use super::{AskedQueries, EvaluateArgs};
use crate::failure::Failure;

/// What runs are scored against.
pub(super) struct Scored {
    pub(super) asked: AskedQueries,
    pub(super) groups: Option<QueryGroups>,
    pub(super) resampling: Option<Resampling>,
    pub(super) warnings: Vec<Warning>,
}

/// The scores of all runs.
pub(super) struct Results {
    pub(super) truth: GroundTruth,
    pub(super) groups: Option<QueryGroups>,
    pub(super) resampling: Option<Resampling>,
    /// The measures as the user wrote them, with their formulas.
    pub(super) measures: Vec<(String, String)>,
    pub(super) runs: Vec<RunResult>,
    pub(super) warnings: Vec<Warning>,
}

/// The scores of one run.
pub(super) struct RunResult {
    pub(super) scores: RunScores,
    /// The file that it was in.
    file: String,
    /// The intervals of the means, in the order of the measures.
    pub(super) intervals: Vec<Option<Interval>>,
    /// The rankings, where something further is made of them.
    pub(super) run: Option<Run>,
}

/// A run as it came from its file.
struct FromFile {
    own_name: Option<String>,
    source: usize,
    result: RunResult,
}

impl Scored {
    pub(super) fn with_runs(
        self,
        args: &EvaluateArgs,
        sources: &[Source],
    ) -> Result<Results, Failure> {
        let truth = self.asked.truth();
        let mut texts: Vec<String> = args.scoring.measures.clone();
        if texts.is_empty() {
            let defaults: &[&str] = match truth.scale() {
                Scale::Groups => &["ADR"],
                Scale::Grades => &["ADR", "nDCG@10", "AP", "RR"],
            };
            texts = defaults.iter().map(|&text| text.to_owned()).collect();
        }
        let mut seen = std::collections::HashSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        let measures = texts
            .iter()
            .map(|text| measure::parse(text, truth.highest_gain()))
            .collect::<Result<Vec<_>, _>>()?;
        // The rankings are kept only where something besides scores is made of them.
        let keep_rankings = args.printing.figure.is_some() || args.printing.per_query;
        let progress = progress_bar(sources.len());
        let read_and_score = |(number, source): (usize, &Source)| {
            let file = run::read(source, self.asked.whole(), &args.run_reading.options())?;
            let runs = file.runs.into_iter().map(|named| {
                let run = self.asked.narrow(named.run);
                let scores = self.score(&run, &measures, args.scoring.options())?;
                Ok(FromFile {
                    own_name: named.own_name,
                    source: number,
                    result: RunResult {
                        run: keep_rankings.then(|| args.scoring.as_scored(run, truth)),
                        ..scores
                    },
                })
            });
            let runs = runs.collect::<Result<Vec<_>, Failure>>()?;
            progress.inc(1);
            Ok((runs, file.warnings))
        };
        let files: Vec<Result<_, Failure>> = if let [source] = sources {
            // One file keeps one thread busy, and this one has memory to use again.
            vec![read_and_score((0, source))]
        } else {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(args.threads.map_or(0, usize::from))
                .build()
                .map_err(Failure::ours)?;
            pool.install(|| {
                let numbered = sources.par_iter().enumerate();
                numbered.map(read_and_score).collect()
            })
        };
        progress.finish_and_clear();
        let mut warnings = self.warnings;
        let mut found = Vec::new();
        for file in files {
            let (runs, remarks) = file?;
            found.extend(runs);
            warnings.extend(remarks);
        }
        let mut runs = name_runs(found, sources);
        for run in &runs {
            warnings.extend(remark_on_missing(run, truth, args.scoring.options()));
        }
        if let Some(sort) = &args.printing.sort {
            sort_runs(&mut runs, sort, &texts)?;
        }
        let formulas = measures.iter().map(|measure| measure.formula());
        Ok(Results {
            measures: texts.iter().cloned().zip(formulas).collect(),
            truth: self.asked.into_truth(),
            groups: self.groups,
            resampling: self.resampling,
            runs,
            warnings,
        })
    }

    fn score(
        &self,
        run: &Run,
        measures: &[Box<dyn Measure>],
        options: Options,
    ) -> Result<RunResult, Failure> {
        let scores = evaluation::evaluate(self.asked.truth(), run, measures, options);
        let intervals = scores
            .by_measure
            .iter()
            .map(|scores| match &self.resampling {
                Some(resampling) => scores.interval(resampling).map_err(Failure::ours),
                None => Ok(None),
            });
        Ok(RunResult {
            intervals: intervals.collect::<Result<_, _>>()?,
            scores,
            file: String::new(),
            run: None,
        })
    }
}

fn progress_bar(files: usize) -> ProgressBar {
    // A single file is done before a bar could be read. Where standard error is no terminal,
    // nothing is drawn.
    if files > 1 {
        ProgressBar::new(files as u64)
    } else {
        ProgressBar::hidden()
    }
}

fn name_runs(found: Vec<FromFile>, sources: &[Source]) -> Vec<RunResult> {
    let places: Vec<run::Found<'_>> = found
        .iter()
        .map(|run| run::Found {
            own_name: run.own_name.as_deref(),
            source: &sources[run.source],
        })
        .collect();
    let names = run::settle_names(&places);
    let name = |(name, found): (String, FromFile)| {
        let mut result = found.result;
        result.scores.run = name;
        sources[found.source].name().clone_into(&mut result.file);
        result
    };
    names.into_iter().zip(found).map(name).collect()
}

/// What there is to say of the queries before anything is scored.
pub(super) fn remarks_on_queries(
    truth: &GroundTruth,
    file: &str,
    groups: Option<&QueryGroups>,
    resampled: bool,
) -> Vec<Warning> {
    let remark = |message: String| Warning {
        file: file.to_owned(),
        line: None,
        message,
    };
    let mut remarks = Vec::new();
    if truth.query("all").is_some() {
        let message = "a query is called `all`, as the means are in CSV";
        remarks.push(remark(message.to_owned()));
    }
    if resampled && truth.len() < 2 {
        let message = "one query is too few to resample: there is no interval";
        remarks.push(remark(message.to_owned()));
    }
    if let Some(groups) = groups {
        let names = truth.iter().map(|(name, _)| name);
        let outside: Vec<&str> = names
            .filter(|&q| !groups.group_of.contains_key(q))
            .collect();
        if !outside.is_empty() {
            let (count, all) = (outside.len(), truth.len());
            let some = some_of(&outside);
            remarks.push(remark(format!(
                "queries in no group: {count} of {all}, namely {some}"
            )));
        }
    }
    remarks
}

/// What there is to say of a ground truth before anything is scored.
pub(super) fn remarks_on_truth(
    truth: &GroundTruth,
    file: &str,
    options: Options,
) -> Option<Warning> {
    let without = truth.iter().filter(|(_, judged)| judged.ideal().is_empty());
    let names: Vec<&str> = without.map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| Warning {
        file: file.to_owned(),
        line: None,
        message: format!(
            "queries without any relevant item: {} of {}, namely {}; {}",
            names.len(),
            truth.len(),
            some_of(&names),
            match options.no_relevant {
                NoRelevant::Skip => "they are left out",
                NoRelevant::Score => "there ADR is undefined, and other measures are 0",
            }
        ),
    })
}

fn remark_on_missing(run: &RunResult, truth: &GroundTruth, options: Options) -> Option<Warning> {
    let missing = &run.scores.missing;
    if missing.is_empty() {
        return None;
    }
    let names: Vec<&str> = missing.iter().map(|&query| truth.name(query)).collect();
    let all = match missing.len() == truth.len() {
        true => " (all of them: do the names of the queries agree?)",
        false => "",
    };
    let fate = match options.missing {
        evaluation::MissingQueries::Empty => "they count as empty results",
        evaluation::MissingQueries::Skip => "they are left out",
    };
    Some(Warning {
        file: run.file.clone(),
        line: None,
        message: format!(
            "queries missing in the run `{}`: {} of {}{all}, namely {}; {fate}",
            run.scores.run,
            names.len(),
            truth.len(),
            some_of(&names)
        ),
    })
}

/// Names in a sentence: all of them if they are few.
fn some_of(names: &[&str]) -> String {
    const MOST: usize = 20;
    let mut text = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST {
        text.push_str(&format!(" and {} more", names.len() - MOST));
    }
    text
}

/// Sorts the runs by a measure, best first; where it is ADR and the inverted list was measured
/// too, that breaks ties.
fn sort_runs(runs: &mut [RunResult], sort: &str, measures: &[String]) -> Result<(), Failure> {
    let position = |name: &str| {
        let same = |known: &String| known.eq_ignore_ascii_case(name);
        measures.iter().position(same)
    };
    let Some(first) = position(sort) else {
        let message = format!("--sort names `{sort}`, which is not measured");
        return Err(Failure::input(message).hint(format!("it can be {}", measures.join(", "))));
    };
    let lower_is_better = |index: usize| {
        let definition = measure::definition_of(&measures[index]);
        definition.is_ok_and(|definition| definition.higher_is_better == Some(false))
    };
    let keys: Vec<usize> = std::iter::once(first).chain(position("ADRinv")).collect();
    let value = |run: &RunResult, index: usize| {
        let mean = run.scores.by_measure[index].mean();
        let goodness = mean.map(|mean| if lower_is_better(index) { -mean } else { mean });
        goodness.unwrap_or(f64::NEG_INFINITY)
    };
    runs.sort_by(|a, b| {
        let compare = |&index: &usize| value(b, index).total_cmp(&value(a, index));
        keys.iter()
            .map(compare)
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    Ok(())
}

/// The means of a run over a group of queries.
pub(super) struct GroupMeans<'a> {
    pub(super) name: &'a str,
    pub(super) queries: usize,
    /// In the order of the measures; `None` where no query has a score.
    pub(super) means: Vec<Option<f64>>,
}

/// What queries are called that no group holds.
const NO_GROUP: &str = "no group";

impl Results {
    /// The means of a run over each group of queries that has any; queries in no group come last.
    pub(super) fn group_means(&self, run: &RunResult) -> Vec<GroupMeans<'_>> {
        let Some(groups) = &self.groups else {
            return Vec::new();
        };
        let group_of: Vec<&str> = self
            .truth
            .iter()
            .map(|(query, _)| groups.group_of.get(query).map_or(NO_GROUP, String::as_str))
            .collect();
        let names = groups.groups.iter().map(String::as_str);
        names
            .chain(std::iter::once(NO_GROUP))
            .filter(|name| group_of.contains(name))
            .map(|name| {
                let inside = |query: &usize| group_of[*query] == name;
                let queries: Vec<usize> = (0..group_of.len()).filter(inside).collect();
                let mean = |scores: &evaluation::MeasureScores| {
                    evaluation::mean(queries.iter().map(|&query| scores.scores[query]))
                };
                GroupMeans {
                    name,
                    queries: queries.len(),
                    means: run.scores.by_measure.iter().map(mean).collect(),
                }
            })
            .collect()
    }
}
