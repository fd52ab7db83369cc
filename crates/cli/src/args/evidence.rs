//! Options for the judgments that lists are built from or checked against.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use partita::formats::{EvidenceKind, Warning};
use partita::judging::campaign::{GradeScale, JudgmentKind, judgment_noun};
use partita::named::NamedEnum;
use partita::{Evidence, EvidenceReadOptions, evidence_kind, read_evidence};

use super::input::{check_single_stdin, open_all};
use super::preferences::PreferencesArgs;
use super::rankings::{QueryArgs, RankingsArgs};
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Options that were given on the command line, by the names of their fields. It must be the first
/// field of a command's arguments, because later fields take their values out of the matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenOptions(Vec<String>);

impl GivenOptions {
    /// Returns true if the option was given on the command line.
    fn contains(&self, option: &str) -> bool {
        self.0.iter().any(|given| given == option)
    }

    /// Returns the first of these options that was given.
    pub(crate) fn find(&self, options: &[&'static str]) -> Option<&'static str> {
        options.iter().copied().find(|option| self.contains(option))
    }
}

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given =
            |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        let given = matches.ids().filter(is_given);
        Ok(Self(given.map(ToString::to_string).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Options for grades.
#[derive(Clone, Debug, Args)]
pub(crate) struct GradesArgs {
    /// Grades of the items by several assessors: query, assessor, item, broad, fine; `-` is standard
    /// input
    #[arg(long, value_name = "FILE")]
    grades: Option<String>,
    /// Grades used as gains: broad (the median of 0, 1 and 2) or fine (the mean) [default: fine if
    /// there are any]
    #[arg(long, value_name = "SCALE", value_parser = named_value_parser::<GradeScale>())]
    pub(crate) scale: Option<GradeScale>,
}

/// Options of a command that name judgments.
pub(crate) struct EvidenceArgs<'a> {
    pub(crate) given: &'a GivenOptions,
    pub(crate) files: &'a [String],
    pub(crate) queries: &'a QueryArgs,
    pub(crate) rankings: &'a RankingsArgs,
    pub(crate) preferences: &'a PreferencesArgs,
    pub(crate) grades: &'a GradesArgs,
    /// Further options that contradict the log of a campaign, by the names of their fields.
    pub(crate) not_for_logs: &'a [&'static str],
}

/// Judgments with the name of their first file.
pub(crate) struct NamedEvidence {
    pub(crate) name: String,
    pub(crate) evidence: Evidence,
    pub(crate) warnings: Vec<Warning>,
}

/// Options about what a campaign decided itself, by the names of their fields.
const SET_BY_CAMPAIGN: [&str; 17] = [
    "aggregate",
    "as_ranks",
    "batch_gap",
    "build_alpha",
    "currency",
    "decide",
    "exact",
    "fee",
    "like",
    "map",
    "matters",
    "minimum_fee",
    "rankings_format",
    "reward",
    "strategy",
    "surcharge",
    "unranked",
];

impl EvidenceArgs<'_> {
    /// Returns true if the judgments come from standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.names().any(|name| name == "-")
    }

    /// Returns the names of the files.
    fn names(&self) -> impl Iterator<Item = &str> {
        let files = self.files.iter().chain(self.rankings.files());
        let files = files.chain(&self.preferences.preferences);
        files.chain(&self.grades.grades).map(String::as_str)
    }

    /// Returns the kind of judgments that an option names or implies.
    fn stated_kind(&self) -> Option<EvidenceKind> {
        let by_option = [
            ("rankings", EvidenceKind::Rankings),
            ("preferences", EvidenceKind::Preferences),
            ("grades", EvidenceKind::Grades),
            ("rankings_format", EvidenceKind::Rankings),
            ("map", EvidenceKind::Preferences),
        ];
        let mut stated = by_option.into_iter();
        let found = stated.find(|(option, _)| self.given.contains(option));
        found.map(|(_, kind)| kind)
    }

    /// Reads the judgments of the selected queries. Refuses options of other judgments.
    pub(crate) fn read(&self) -> Result<NamedEvidence, CliError> {
        let kind = self.stated_kind();
        if let Some(kind) = kind {
            self.refuse_other_options(kind)?;
        }
        check_single_stdin(self.names().map(Some))?;
        let names: Vec<String> = self.names().map(str::to_owned).collect();
        let sources = open_all(&names)?;
        let queries = &self.queries.query;
        let reading = &self.preferences.reading;
        let options = EvidenceReadOptions {
            kind,
            rankings: self.rankings.options(&sources, queries),
            preferences: reading.options(reading.map.clone().unwrap_or_default(), queries)?,
        };
        let (mut evidence, mut warnings) = read_evidence(&sources, &options)?;
        let name = sources[0].name().to_owned();
        match &mut evidence {
            Evidence::Rankings(read) => {
                self.refuse_other_options(EvidenceKind::Rankings)?;
                let found = std::mem::take(&mut read.queries);
                read.queries = self
                    .rankings
                    .select_queries(found, queries, &mut warnings)?;
            }
            Evidence::Preferences(_) => self.refuse_other_options(EvidenceKind::Preferences)?,
            Evidence::Grades(grades) => {
                self.refuse_other_options(EvidenceKind::Grades)?;
                grades.retain_queries(queries).map_err(|query| {
                    CliError::input(format!("{name}: there are no grades of query `{query}`"))
                })?;
            }
            Evidence::Campaign { campaign, kind } => {
                let kind = kind.unwrap_or(campaign.spec().kinds[0]);
                self.refuse_campaign_options(&name, kind)?;
            }
        }
        Ok(NamedEvidence {
            name,
            evidence,
            warnings,
        })
    }

    /// Refuses options that apply to other judgments only.
    fn refuse_other_options(&self, kind: EvidenceKind) -> Result<(), CliError> {
        let only = [
            ("as_ranks", EvidenceKind::Rankings),
            ("strategy", EvidenceKind::Preferences),
            ("matters", EvidenceKind::Preferences),
            ("scale", EvidenceKind::Grades),
        ];
        let mut others = only.into_iter().filter(|(_, of)| *of != kind);
        match others.find(|(option, _)| self.given.contains(option)) {
            Some((option, of)) => {
                let option = option.replace('_', "-");
                let message = format!(
                    "--{option} cannot be used with {}: it is for {}",
                    kind.summary(),
                    of.summary()
                );
                Err(CliError::input(message))
            }
            None => Ok(()),
        }
    }

    /// Refuses options that contradict a campaign, which has its own rule, strategy and lists.
    fn refuse_campaign_options(&self, log: &str, kind: JudgmentKind) -> Result<(), CliError> {
        let option = (self.given.find(&SET_BY_CAMPAIGN))
            .or_else(|| self.given.find(self.not_for_logs))
            .or_else(|| {
                // The tests of rankings are not a setting of a campaign.
                let is_vote = kind != JudgmentKind::Ranking;
                self.given.find(&["alpha"]).filter(|_| is_vote)
            });
        let Some(option) = option else {
            return Ok(());
        };
        Err(campaign_option_error(option, log, log, kind))
    }
}

/// Returns the error for an option that contradicts a campaign, given its name and the arguments
/// that name it in a command.
pub(crate) fn campaign_option_error(
    option: &str,
    name: &str,
    arguments: &str,
    kind: JudgmentKind,
) -> CliError {
    let option = option.replace('_', "-");
    let message = format!(
        "--{option} cannot be used with {name}: the log of a campaign has its own decision rule, \
         strategy and lists"
    );
    let error = CliError::input(message);
    if evidence_kind(kind).is_none() {
        return error;
    }
    let judgments = format!("{}s", judgment_noun(kind));
    error.with_hint(format!(
        "`partita campaign export {arguments} --{judgments}` writes the {judgments} to a file, which \
         this option applies to"
    ))
}
