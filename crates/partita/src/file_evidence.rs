//! Reading of the judgments that lists are built from: rankings, preferences, grades or the log of
//! a campaign, recognised by content.

use partita_core::judgment::{BroadGrade, Judgment};
use partita_core::summarize_names;
use partita_core::work::{Work, WorkError};
use partita_formats::campaign::grades;
use partita_formats::preferences::{self, PreferencesFile, PreferencesReadOptions};
use partita_formats::rankings::{self, RankingsInput, RankingsReadOptions};
use partita_formats::truth::{self, TruthFile, TruthFormat, TruthReadOptions};
use partita_formats::{EvidenceKind, FileKind, FormatError, Source, Warning, diagnostic};
use partita_judging::campaign::{
    Campaign, CampaignEvidence, ExportRequest, GradeSummary, InputError, JudgmentKind,
};
use partita_judging::{AssessorGrade, Grades};
use partita_named::NamedEnum as _;

use crate::file_store::{FileStoreError, TornLine, read_campaign_log};

/// Judgments of several assessors, from which lists can be built.
#[derive(Debug)]
pub enum Evidence {
    /// Rankings of the items of queries.
    Rankings(RankingsInput),
    /// Answers to the question which of two items is closer to the query.
    Preferences(Box<PreferencesFile>),
    /// Grades of the items of queries.
    Grades(Grades),
    /// Campaign, which has its own lists, decision rule, strategy and excluded assessors.
    Campaign {
        /// State of the campaign at the end of its log.
        campaign: Box<Campaign>,
        /// Kind of judgment to use; `None` for the first kind of the campaign.
        kind: Option<JudgmentKind>,
    },
}

/// Options for reading judgments.
#[derive(Clone, Debug, Default)]
pub struct EvidenceReadOptions {
    /// Kind of judgments in the files; `None` to detect it. The log of a campaign stands for its
    /// judgments of this kind.
    pub kind: Option<EvidenceKind>,
    /// Options for reading rankings.
    pub rankings: RankingsReadOptions,
    /// Options for reading preferences.
    pub preferences: PreferencesReadOptions,
}

/// Error of reading judgments, or a ground truth that may be a campaign.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceReadError {
    /// A file cannot be read, or its kind is not clear.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The log of a campaign cannot be read.
    #[error(transparent)]
    Log(#[from] FileStoreError),
    /// The campaign does not ask for the requested judgments.
    #[error("{file}: the campaign asks for {}, not for {wanted}", list_kinds(.asked))]
    NotAsked {
        /// Name of the log file.
        file: String,
        /// Kinds of judgment that the campaign asks for.
        asked: Vec<JudgmentKind>,
        /// Requested kind of judgment.
        wanted: JudgmentKind,
    },
    /// A query does not belong to the campaign.
    #[error("{file}: {error}")]
    Query {
        /// Name of the log file.
        file: String,
        /// Reason why the query is refused.
        error: InputError,
    },
    /// The work was cancelled or failed.
    #[error(transparent)]
    Work(#[from] WorkError),
}

fn list_kinds(kinds: &[JudgmentKind]) -> String {
    let names: Vec<String> = kinds.iter().map(ToString::to_string).collect();
    names.join(" and ")
}

/// Reads judgments and returns them with warnings. Only rankings may be in several files.
///
/// ```
/// use partita::formats::Source;
/// use partita::{Evidence, read_evidence};
///
/// let file = Source::from_bytes("g.csv", "query,assessor,item,broad\nq1,ann,x,VS\n");
/// let (evidence, warnings) = read_evidence(&[file], &Default::default())?;
/// assert!(matches!(evidence, Evidence::Grades(_)) && warnings.is_empty());
/// # Ok::<(), partita::EvidenceReadError>(())
/// ```
///
/// # Errors
/// Returns [`EvidenceReadError`] for a file that cannot be read, holds no judgments, or can be read
/// as several kinds of judgments, and for several files of other judgments than rankings.
pub fn read_evidence(
    sources: &[Source],
    options: &EvidenceReadOptions,
) -> Result<(Evidence, Vec<Warning>), EvidenceReadError> {
    let mut kinds = Vec::with_capacity(sources.len());
    for source in sources {
        let is_log = FileKind::detect(source) == Some(FileKind::Log);
        kinds.push(match options.kind {
            Some(kind) if !is_log => kind,
            Some(_) => EvidenceKind::Log,
            None => EvidenceKind::detect(source)?,
        });
    }
    if let [_, second, ..] = sources
        && kinds.iter().any(|kind| *kind != EvidenceKind::Rankings)
    {
        let problem = diagnostic!(Contradiction: "several files must all be rankings");
        return Err(FormatError::in_file(second.name(), problem).into());
    }
    let source = &sources[0];
    Ok(match kinds[0] {
        EvidenceKind::Rankings => {
            let mut read = rankings::read(sources, &options.rankings)?;
            let warnings = std::mem::take(&mut read.warnings);
            (Evidence::Rankings(read), warnings)
        }
        EvidenceKind::Preferences => {
            let mut read = preferences::read(source, &options.preferences)?;
            let warnings = std::mem::take(&mut read.warnings);
            (Evidence::Preferences(Box::new(read)), warnings)
        }
        EvidenceKind::Grades => {
            let (grades, warnings) = read_grades(source, options.rankings.query.as_deref())?;
            (Evidence::Grades(grades), warnings)
        }
        EvidenceKind::Log => {
            let (campaign, torn) = read_campaign_log(source)?;
            let warnings = torn.map(|line| ignored_line_warning(source.name(), &line));
            let evidence = Evidence::Campaign {
                campaign: Box::new(campaign),
                kind: options.kind.and_then(judgment_kind),
            };
            (evidence, warnings.into_iter().collect())
        }
    })
}

/// Returns the kind of judgment in a campaign that a kind of evidence names.
fn judgment_kind(kind: EvidenceKind) -> Option<JudgmentKind> {
    match kind {
        EvidenceKind::Rankings => Some(JudgmentKind::Ranking),
        EvidenceKind::Preferences => Some(JudgmentKind::Preference),
        EvidenceKind::Grades => Some(JudgmentKind::Grading),
        EvidenceKind::Log => None,
    }
}

/// Returns the kind of evidence whose files hold judgments of this kind; `None` if no file format
/// holds such judgments.
pub fn evidence_kind(kind: JudgmentKind) -> Option<EvidenceKind> {
    let mut kinds = EvidenceKind::VARIANTS.iter().copied();
    kinds.find(|evidence| judgment_kind(*evidence) == Some(kind))
}

/// Returns the warning about an incomplete last line, which is ignored when a log is read.
pub fn ignored_line_warning(file: &str, line: &TornLine) -> Warning {
    let remedy = "it is ignored, and the next command that writes moves it to a file of its own";
    torn_line_warning(file, line, remedy)
}

/// Returns the warning about an incomplete last line of a log. `remedy` says what becomes of it.
pub fn torn_line_warning(file: &str, line: &TornLine, remedy: &str) -> Warning {
    let problem = diagnostic!(UnfinishedLine { bytes = line.bytes, remedy }:
        "the last line is unfinished ({bytes} bytes): a command was stopped while writing, or is \
         writing now; {remedy}");
    Warning::in_file(file, problem).at_line(line.line as u64)
}

/// Reads a table of grades. Each grade must be valid, and an assessor may grade an item once.
/// `only_query` names the query of a table without a column of queries.
fn read_grades(
    source: &Source,
    only_query: Option<&str>,
) -> Result<(Grades, Vec<Warning>), FormatError> {
    let read = grades::read(source, only_query)?;
    let mut grades = Grades::default();
    for row in read.rows {
        let row = row?;
        let position = row.position.clone();
        let wrong = |problem| {
            let error = FormatError::in_file(source.name(), problem);
            match &position {
                Some(position) => error.at_line(position.line),
                None => error,
            }
        };
        let ([item], Some(assessor), Some(query)) = (&row.items[..], &row.assessor, &row.query)
        else {
            unreachable!("rows of grades name a query, an item and an assessor");
        };
        let given = AssessorGrade {
            assessor: assessor.as_str(),
            item: item.as_str(),
            grade: check_grade(&row.judgment, item).map_err(wrong)?,
        };
        grades
            .add(query, given)
            .map_err(|error| wrong(diagnostic!(Duplicate { error }: "{error}")))?;
    }
    if grades.is_empty() {
        let problem = diagnostic!(NoRows: "there is a header, but no grade after it");
        return Err(FormatError::in_file(source.name(), problem));
    }
    Ok((grades, read.warnings))
}

/// Checks that the judgment on an item has a grade, and that the fine grade is in its range.
fn check_grade(
    judgment: &Judgment,
    item: &str,
) -> Result<GradeSummary, partita_formats::Diagnostic> {
    let Judgment::Grade { broad, fine } = *judgment else {
        unreachable!("rows of grades have grades as judgments");
    };
    if let Some(found) = fine.filter(|fine| !(0.0..=100.0).contains(fine)) {
        return Err(diagnostic!(OutOfRange { found }:
            "a fine grade is a number from 0 to 100, not {found}"));
    }
    if broad.is_none() && fine.is_none() {
        return Err(diagnostic!(MissingValue { item }:
            "the grade of `{item}` is neither broad nor fine"));
    }
    Ok(GradeSummary {
        broad: broad.map(BroadGrade::gain),
        fine,
    })
}

/// Reads a ground truth. The log of a campaign gives the lists that the campaign has now, from the
/// first kind of judgment that it asks for.
///
/// # Errors
/// Returns [`EvidenceReadError`] if the file cannot be read, or is no ground truth and no log.
pub fn read_truth(
    source: &Source,
    options: &TruthReadOptions,
    work: &dyn Work,
) -> Result<TruthFile, EvidenceReadError> {
    let is_plain = options.format.is_none() && options.label.is_none();
    if !is_plain || FileKind::detect(source) != Some(FileKind::Log) {
        return Ok(truth::read(source, options)?);
    }
    let (campaign, torn) = read_campaign_log(source)?;
    let evidence = campaign_evidence(source.name(), &campaign, None, &[])?;
    let mut warnings: Vec<Warning> = torn
        .map(|line| ignored_line_warning(source.name(), &line))
        .into_iter()
        .collect();
    warnings.extend(unsettled_lists_warning(&evidence, "used"));
    Ok(TruthFile {
        truth: evidence.ground_truth(None, options.zero, work)?,
        format: match evidence {
            CampaignEvidence::Grades(_) => TruthFormat::Gains,
            CampaignEvidence::Lists(_) | CampaignEvidence::Rankings(_) => TruthFormat::Groups,
        },
        warnings,
    })
}

/// Returns the judgments of a campaign, by default of the first kind that it asks for, with an error
/// that names its log. If queries are named, only these are included.
///
/// # Errors
/// Returns [`EvidenceReadError`] if the campaign does not ask for this kind of judgment, or for a
/// query that does not belong to it.
pub fn campaign_evidence(
    file: &str,
    campaign: &Campaign,
    kind: Option<JudgmentKind>,
    queries: &[String],
) -> Result<CampaignEvidence, EvidenceReadError> {
    let asked = &campaign.spec().kinds;
    let wanted = kind.unwrap_or(asked[0]);
    let file = file.to_owned();
    if !asked.contains(&wanted) {
        let asked = asked.clone();
        return Err(EvidenceReadError::NotAsked {
            file,
            asked,
            wanted,
        });
    }
    let request = ExportRequest {
        queries: queries.to_vec(),
        settled: false,
    };
    let evidence = campaign.evidence(wanted, &request);
    evidence.map_err(|error| EvidenceReadError::Query { file, error })
}

/// Returns the warning about lists on which a campaign needs more votes, or `None` if there are
/// none. It names the campaign, wherever its log is. `action` says what is done with the lists, such
/// as `written`.
pub fn unsettled_lists_warning(evidence: &CampaignEvidence, action: &str) -> Option<Warning> {
    let CampaignEvidence::Lists(lists) = evidence else {
        return None;
    };
    (!lists.unfinished.is_empty()).then(|| {
        let open = summarize_names(&lists.unfinished, 10);
        let problem = diagnostic!(OpenLists { action, lists = open }:
            "lists that are not settled yet, {action} as they are now: {lists}");
        Warning::in_file(&lists.campaign, problem)
    })
}
