//! Jobs on a file of scores: comparison of systems, reliability study and plan.

use partita_core::comparison::{ComparisonError, ComparisonRequest, ComparisonResults, compare};
use partita_core::plan::{Plan, PlanError, PlanInput, PlanRequest, plan};
use partita_core::reliability::{ReliabilityError, ReliabilityRequest, ReliabilityStudy, study};
use partita_core::work::Work;
use partita_formats::scores::{self, ScoresInput, ScoresReadOptions};
use partita_formats::{Diagnostic, DiagnosticCode, FormatError, Source, Warning, strata};
use partita_report::views::comparison::remark_texts;
use partita_report::views::plan::remark_text;

/// Result of a job on a file, with warnings.
#[derive(Clone, Debug)]
pub struct JobResult<R> {
    /// Result of the job.
    pub result: R,
    /// Warnings about the files and remarks on the result.
    pub warnings: Vec<Warning>,
}

/// Error of a job on a file of scores. `E` is the error of the job itself.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoresJobError<E: std::error::Error> {
    /// A file cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The request is invalid or does not fit the scores.
    #[error(transparent)]
    Job(E),
}

/// Error of the comparison of the systems in a file of scores.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoresComparisonError {
    /// The request is invalid.
    #[error(transparent)]
    Request(#[from] ComparisonError),
    /// The scores by one measure cannot be compared.
    #[error("{measure}: {error}")]
    Measure {
        /// Name of the measure.
        measure: String,
        /// Number of measures in the file.
        measures: usize,
        /// Systems with scores by the measure.
        systems: Vec<String>,
        /// Reason.
        error: ComparisonError,
    },
}

/// Compares the systems in a file of scores by each measure.
///
/// ```
/// use partita::comparison::ComparisonRequest;
/// use partita::formats::Source;
/// use partita::formats::scores::ScoresReadOptions;
/// use partita::work::SequentialWork;
///
/// let scores = "query,new,old\nq1,0.3,0.2\nq2,0.6,0.4\nq3,0.5,0.3\nq4,0.9,0.8\n";
/// let source = Source::from_bytes("scores.csv", scores);
/// let request: ComparisonRequest = partita::read_request(r#"{"test": "t", "alpha": 0.1}"#)?;
/// let reading = ScoresReadOptions::default();
/// let compared = partita::compare_scores(&request, &source, &reading, &SequentialWork)?;
/// assert_eq!(compared.result.comparisons[0].significant, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`ScoresJobError`] for an invalid request, a file that cannot be read, scores that
/// cannot be compared, or cancelled work.
pub fn compare_scores(
    request: &ComparisonRequest,
    source: &Source,
    reading: &ScoresReadOptions,
    work: &dyn Work,
) -> Result<JobResult<ComparisonResults>, ScoresJobError<ScoresComparisonError>> {
    let resolved = request.resolve();
    let (test, options) = resolved.map_err(|error| ScoresJobError::Job(error.into()))?;
    let file = scores::read(source, reading)?;
    let mut warnings = file.warnings;
    let mut comparisons = Vec::new();
    for table in &file.tables {
        let scores = &table.scores;
        let comparison = compare(scores, test, &options, work).map_err(|error| {
            ScoresJobError::Job(ScoresComparisonError::Measure {
                measure: scores.measure().to_owned(),
                measures: file.tables.len(),
                systems: scores.systems().to_vec(),
                error,
            })
        })?;
        let remarks = remark_texts(&comparison).into_iter();
        let remarks = remarks.map(|text| remark(source, format!("{}: {text}", scores.measure())));
        warnings.extend(remarks);
        comparisons.push(comparison);
    }
    Ok(JobResult {
        result: ComparisonResults { comparisons },
        warnings,
    })
}

/// Studies how often other queries lead to the same conclusions about the systems in a file of
/// scores. A file of strata replaces the strata in the file of scores.
///
/// # Errors
/// Returns [`ScoresJobError`] for an invalid request, a file that cannot be read, scores that
/// cannot be studied, or cancelled work.
pub fn study_scores(
    request: &ReliabilityRequest,
    source: &Source,
    reading: &ScoresReadOptions,
    strata: Option<&Source>,
    work: &dyn Work,
) -> Result<JobResult<ReliabilityStudy>, ScoresJobError<ReliabilityError>> {
    let file = scores::read(source, reading)?;
    let (mut tables, mut warnings) = (file.tables, file.warnings);
    if let Some(source) = strata {
        let groups = strata::read(source)?;
        for table in &mut tables {
            table.strata = Some(scores::match_strata(source, &groups, &table.scores)?);
        }
        warnings.extend(groups.warnings);
    }
    Ok(JobResult {
        result: study(request, &tables, work).map_err(ScoresJobError::Job)?,
        warnings,
    })
}

/// Plans an evaluation from a file of scores, which may have scores by each assessor.
///
/// # Errors
/// Returns [`ScoresJobError`] for an invalid request, a file that cannot be read, or scores that
/// cannot be planned with.
pub fn plan_scores(
    request: &PlanRequest,
    source: &Source,
    reading: &ScoresReadOptions,
) -> Result<JobResult<Plan>, ScoresJobError<PlanError>> {
    let file = scores::read_any(source, reading)?;
    let (inputs, warnings): (Vec<PlanInput<'_>>, _) = match &file {
        ScoresInput::Plain(file) => {
            let tables = file.tables.iter();
            let inputs = tables.map(|table| PlanInput::Scores(&table.scores));
            (inputs.collect(), &file.warnings)
        }
        ScoresInput::ByAssessor(file) => (
            file.tables.iter().map(PlanInput::ByAssessor).collect(),
            &file.warnings,
        ),
    };
    let plan = plan(request, &inputs).map_err(ScoresJobError::Job)?;
    let mut warnings = warnings.clone();
    for measure in &plan.measures {
        let notes = measure.notes.iter();
        warnings.extend(notes.map(|note| remark(source, remark_text(&measure.measure, note))));
    }
    Ok(JobResult {
        result: plan,
        warnings,
    })
}

/// Creates the warning that contains a remark on a result.
fn remark(source: &Source, text: String) -> Warning {
    Warning::in_file(source.name(), Diagnostic::new(DiagnosticCode::Remark, text))
}
