//! Conversion of the answers in a campaign log to the content of an answers file.

use partita_core::{Preferences, Vote};
use partita_formats::preferences::PreferencesFile;
use partita_formats::{Warning, diagnostic};
use partita_judging::campaign::{Campaign, CampaignPreferences};

/// Error for a campaign without answers; holds the name of its log file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: nobody has answered yet")]
pub struct NoAnswersError(pub String);

/// Converts the answers of a campaign to the value that reading a file of preferences would give,
/// without backgrounds, clip durations and repeated answers. Warnings name the campaign, wherever its
/// log is; the error names `name`.
///
/// # Errors
/// Returns [`NoAnswersError`] for a campaign without answers.
pub fn preferences_from_log(
    name: &str,
    answers: CampaignPreferences,
) -> Result<PreferencesFile, NoAnswersError> {
    if answers.preferences.is_empty() {
        return Err(NoAnswersError(name.to_owned()));
    }
    let warnings = [
        ("blank answers that do not count", answers.blanks),
        (
            "answers that do not count, since the same person answered before",
            answers.duplicates,
        ),
        (
            "answers of excluded people, which are left out",
            answers.excluded,
        ),
    ];
    let warnings = warnings.into_iter().filter(|(_, count)| *count > 0);
    let warnings = warnings.map(|(what, count)| {
        let problem = diagnostic!(UncountedAnswers { what, count }: "{what}: {count}");
        Warning::in_file(&answers.campaign, problem)
    });
    let clips = answers.preferences.queries().iter();
    let clips = clips.map(|query| vec![None; query.votes().len()]);
    Ok(PreferencesFile {
        batches: answers.batches,
        backgrounds: vec![None; answers.preferences.assessors().len()],
        clips: clips.collect(),
        repeats: Preferences::new(),
        warnings: warnings.collect(),
        preferences: answers.preferences,
    })
}

/// Returns the second answer of each assessor about each pair that they answered more than once,
/// without excluded assessors. If `queries` is not empty, only these are included.
pub fn repeated_answers_in_log(campaign: &Campaign, queries: &[String]) -> Preferences {
    let (mut firsts, mut repeats) = (Preferences::new(), Preferences::new());
    for state in campaign.answers_with_status() {
        let is_wanted = (queries.is_empty() || queries.contains(&state.query))
            && !campaign.is_excluded(&state.assessor);
        if let (true, Some(answer)) = (is_wanted, state.answer.preference()) {
            let given = Vote::new(&state.a, &state.b, &state.assessor, answer);
            if firsts.add(&state.query, given).is_err() {
                // Third and later answers to a pair are dropped: `add` rejects them.
                let _ = repeats.add(&state.query, given);
            }
        }
    }
    repeats
}
