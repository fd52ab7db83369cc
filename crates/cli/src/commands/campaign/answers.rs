//! Answers to analyse: those of a campaign, or a file of answers.

use clap::{ArgGroup, Args};
use partita::formats::preferences::PreferencesFile;
use partita::judging::campaign::{AssessorFilter, Campaign};

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

    /// Returns the place of the campaign; `None` if a file of answers is given.
    pub(super) fn place(&self) -> Result<Option<CampaignPlace<'_>>, CliError> {
        let place = self.which.as_deref().map(|which| self.server.place(which));
        place.transpose()
    }

    /// Reads the answers to these queries, or to all if none is named. Answers of excluded
    /// assessors are left out.
    pub(super) fn read(&self, queries: &[String]) -> Result<PreferencesFile, CliError> {
        match self.place()? {
            None => self.file.read(self.file.file()?, queries),
            Some(place) => {
                let campaign = read_campaign(&place)?;
                preferences_of(&place, &campaign, AssessorFilter::NotExcluded, queries)
            }
        }
    }
}

/// Reads the campaign. For a file of another kind, the hint names the option of files of answers.
pub(super) fn read_campaign(place: &CampaignPlace<'_>) -> Result<Campaign, CliError> {
    place.read().map_err(|error| match &error {
        CliError::Input { message, .. } if message.contains("this looks like") => {
            error.with_hint("use `--preferences FILE` for a file of answers")
        }
        _ => error,
    })
}

/// Returns answers of a campaign as if they came from a file.
pub(super) fn preferences_of(
    place: &CampaignPlace<'_>,
    campaign: &Campaign,
    whose: AssessorFilter,
    queries: &[String],
) -> Result<PreferencesFile, CliError> {
    let answers = campaign.preferences(whose, queries)?;
    let file = partita::preferences_from_log(place.name(), answers);
    file.map_err(|error| CliError::input(error.to_string()))
}
