//! Answers to analyse: those of a campaign, or a file of answers.

use clap::{ArgGroup, Args};
use partita::formats::Source;
use partita::formats::preferences::PreferencesFile;
use partita::judging::Price;
use partita::judging::campaign::{AssessorFilter, Campaign, CampaignPreferences, log};

use super::campaign_log::campaign_from_source;
use super::campaign_place::{CampaignPlace, ServerArgs};
use crate::args::preferences::PreferencesArgs;
use crate::output::error::CliError;

/// Campaign or file whose answers are analysed.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("answers").required(true).args(["which", "preferences"]),
    mut_arg("data", |data| data.conflicts_with("preferences")),
    mut_arg("database", |database| database.conflicts_with("preferences"))
)]
pub(crate) struct AnswersArgs {
    /// Log of a campaign (`-` is standard input), or with --data or --database its name on the
    /// server
    which: Option<String>,
    #[command(flatten)]
    pub(super) file: PreferencesArgs,
    #[command(flatten)]
    server: ServerArgs,
}

impl AnswersArgs {
    /// Returns the campaign or the file, as the user named it.
    pub(super) fn name(&self) -> Result<&str, CliError> {
        match &self.which {
            Some(which) => Ok(which),
            None => self.file.file(),
        }
    }

    /// Opens the campaign or the file. A log is a campaign also as the file of `--preferences`.
    pub(super) fn open(&self) -> Result<AnswerSource, CliError> {
        if let Some(which) = &self.which {
            let place = self.server.place(which)?;
            return Ok(AnswerSource::Campaign {
                campaign: Box::new(read_campaign(&place)?),
                name: place.name().to_owned(),
                arguments: place.arguments(),
            });
        }
        let source = Source::open(self.file.file()?)?;
        if !log::is_log(&source.first_bytes(64)?) {
            return Ok(AnswerSource::Table(source));
        }
        let name = source.name().to_owned();
        Ok(AnswerSource::Campaign {
            campaign: Box::new(campaign_from_source(&source)?),
            arguments: name.clone(),
            name,
        })
    }

    /// Reads the answers of an open source to these queries, or to all if none is named. Answers of
    /// excluded assessors are left out.
    pub(super) fn read(
        &self,
        source: &AnswerSource,
        queries: &[String],
    ) -> Result<PreferencesFile, CliError> {
        match source {
            AnswerSource::Table(source) => self.file.reading.read_table(source, queries),
            AnswerSource::Campaign { name, campaign, .. } => {
                let answers = campaign.preferences(AssessorFilter::NotExcluded, queries)?;
                preferences_of(name, answers)
            }
        }
    }
}

/// Open source of answers to analyse.
pub(super) enum AnswerSource {
    Campaign {
        campaign: Box<Campaign>,
        /// Name of the campaign or of its log, as the user gave it.
        name: String,
        /// Arguments that name the campaign in a command.
        arguments: String,
    },
    /// Table of answers.
    Table(Source),
}

impl AnswerSource {
    /// Returns the price of an answer, if the source is a campaign that has one.
    pub(super) fn price(&self) -> Option<Price> {
        match self {
            Self::Campaign { campaign, .. } => campaign.spec().settings.price,
            Self::Table(_) => None,
        }
    }
}

/// Reads the campaign. For a file of another kind, the hint names the option of files of answers.
fn read_campaign(place: &CampaignPlace<'_>) -> Result<Campaign, CliError> {
    place.read().map_err(|error| match &error {
        CliError::Input { message, .. } if message.contains("this looks like") => {
            error.with_hint("use `--preferences FILE` for a file of answers")
        }
        _ => error,
    })
}

/// Returns answers of the campaign `name` as if they came from a file.
pub(super) fn preferences_of(
    name: &str,
    answers: CampaignPreferences,
) -> Result<PreferencesFile, CliError> {
    let file = partita::preferences_from_log(name, answers);
    file.map_err(|error| CliError::input(error.to_string()))
}
