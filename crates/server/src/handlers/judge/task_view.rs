//! Tasks as presented to assessors. A view reveals neither item ids nor whether a question is gold,
//! that is, has a known answer.

use partita::judging::campaign::{FineScale, JudgmentKind, Stimulus};
use partita::stats::random::{shuffle, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::campaign::state::{CampaignState, OpenTask};
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction};
use crate::writer::UnixMillis;

/// Task as presented to an assessor. It has the fields of its kind of judgment.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TaskView {
    /// Key of the task in the database; not part of the response.
    #[serde(skip)]
    row_key: i64,
    /// Task id, to be sent with the answer.
    task: String,
    /// Kind of judgment that the task asks for.
    kind: JudgmentKind,
    /// Time when the lease of the task expires, in RFC 3339.
    #[schemars(extend("format" = "date-time"))]
    expires: String,
    /// True if the query differs from that of the assessor's previous task, or there was none.
    new_query: bool,
    /// Stimulus that presents the query.
    query: StimulusView,
    /// First item of a pair question.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<StimulusView>,
    /// Second item of a pair question.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<StimulusView>,
    /// Items of a ranking task, in displayed order.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<RankingItemView>>,
    /// Last saved draft of the ranking; `null` if none was saved. Present only in ranking tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<Option<RankingDraft>>,
    /// Item of a grading task.
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<StimulusView>,
    /// Scales of a grading task.
    #[serde(skip_serializing_if = "Option::is_none")]
    scales: Option<GradingScalesView>,
}

/// Stimulus presented to an assessor: at least one of audio, image and text.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct StimulusView {
    /// Audio clip of the stimulus.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<ClipView>,
    /// Image of the stimulus.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<ImageView>,
    /// Text of the stimulus.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Audio clip presented to an assessor.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ClipView {
    /// URL of the clip. The last segment is the SHA-256 of its bytes.
    url: String,
    /// MIME type of the clip.
    #[serde(rename = "type")]
    kind: String,
    /// Duration of the clip in seconds, if known.
    seconds: Option<f64>,
}

/// Image presented to an assessor.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ImageView {
    /// URL of the image.
    url: String,
    /// MIME type of the image.
    #[serde(rename = "type")]
    kind: String,
    /// Alternative text of the image, for assessors who cannot see it.
    alt: Option<String>,
}

/// Item of a ranking task, presented under a key instead of its id.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RankingItemView {
    /// Key that identifies the item in the answer: `k1`, `k2` and so on in displayed order.
    pub(crate) key: String,
    /// Stimulus that presents the item.
    show: StimulusView,
}

/// Draft of a ranking, saved before it is submitted.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankingDraft {
    /// Version of the draft. A higher version replaces a lower one.
    pub(crate) version: i64,
    /// Groups of item keys, most similar first. Items of a group are tied.
    pub(crate) groups: Vec<Vec<String>>,
    /// Keys of items left unranked.
    pub(crate) unranked: Vec<String>,
}

/// Scales on which an item is graded.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GradingScalesView {
    /// Broad grades of similarity, least similar first.
    broad: [&'static str; 3],
    /// Scale of fine grades.
    fine: FineScale,
}

impl CampaignState {
    /// Builds the view of a stimulus, with the URLs of its media files.
    fn stimulus_view(&self, stimulus: &Stimulus) -> StimulusView {
        let about = |id: &String| {
            let known = self.media.get(id).cloned();
            known.unwrap_or_else(|| ("application/octet-stream".to_owned(), None))
        };
        let url = |id: &String| format!("/media/{id}");
        StimulusView {
            audio: stimulus.audio.as_ref().map(|id| ClipView {
                url: url(id),
                kind: about(id).0,
                seconds: about(id).1.map(|millis| millis as f64 / 1_000.0),
            }),
            image: stimulus.image.as_ref().map(|id| ImageView {
                url: url(id),
                kind: about(id).0,
                alt: stimulus.alt.clone(),
            }),
            text: stimulus.text.clone(),
        }
    }

    /// Builds the view of the stimulus of a query, or of one of its items.
    fn stimulus_view_of(&self, query: &str, item: Option<&str>) -> StimulusView {
        let stimulus = self.campaign().stimulus(query, item);
        let stimulus = stimulus.expect("the engine asks only about items of the campaign");
        if stimulus.is_empty() {
            // A campaign that began as a file without stimuli. Its question sheets show names too.
            let text = Some(item.unwrap_or(query).to_owned());
            return self.stimulus_view(&Stimulus {
                text,
                ..Stimulus::default()
            });
        }
        self.stimulus_view(stimulus)
    }
}

/// Returns the key and the id of each item of a ranking task, in displayed order. The order is a
/// pseudorandom permutation seeded by the task id, so that neither position nor key reveals
/// anything about an item.
pub(crate) fn shuffled_items(
    campaign_state: &CampaignState,
    task: &OpenTask,
) -> Vec<(String, String)> {
    shuffled_items_among(campaign_state, task, |_| true)
}

/// Returns [`shuffled_items`] as they were while the list had only the items for which `is_known`
/// returns true.
pub(crate) fn shuffled_items_among(
    campaign_state: &CampaignState,
    task: &OpenTask,
    is_known: impl Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let query = &task.question.query;
    let list = campaign_state.campaign().list_index(query);
    let list = list.expect("the engine asks only about lists of the campaign");
    let list = &campaign_state.spec().lists[list];
    let mut items: Vec<&str> = list.items.iter().map(|item| item.item.as_str()).collect();
    items.retain(|item| is_known(item));
    let digest = Sha256::digest(task.id.as_bytes());
    let seed = digest
        .iter()
        .take(8)
        .fold(0, |seed, &byte| seed << 8 | u64::from(byte));
    shuffle(&mut stream(seed, &[]), &mut items);
    let keyed = items.into_iter().enumerate();
    keyed
        .map(|(place, item)| (format!("k{}", place + 1), item.to_owned()))
        .collect()
}

impl TaskView {
    /// Builds the view of a task without its draft.
    pub(crate) fn new(campaign_state: &CampaignState, task: &OpenTask) -> Self {
        let query = &task.question.query;
        let mut view = Self {
            row_key: task.row_key,
            task: task.id.clone(),
            kind: task.question.kind,
            expires: UnixMillis(task.expires).to_rfc3339(),
            new_query: task.is_new_query,
            query: campaign_state.stimulus_view_of(query, None),
            a: None,
            b: None,
            items: None,
            draft: None,
            item: None,
            scales: None,
        };
        match (task.question.kind, &task.question.items[..]) {
            (JudgmentKind::Preference, [a, b]) => {
                view.a = Some(campaign_state.stimulus_view_of(query, Some(a)));
                view.b = Some(campaign_state.stimulus_view_of(query, Some(b)));
            }
            (JudgmentKind::Grading, [item]) => {
                view.item = Some(campaign_state.stimulus_view_of(query, Some(item)));
                view.scales = Some(GradingScalesView {
                    broad: ["NS", "SS", "VS"],
                    fine: campaign_state.spec().judging.fine,
                });
            }
            _ => {
                let items = shuffled_items(campaign_state, task)
                    .into_iter()
                    .map(|(key, item)| RankingItemView {
                        key,
                        show: campaign_state.stimulus_view_of(query, Some(&item)),
                    });
                view.items = Some(items.collect());
            }
        }
        view
    }

    /// Loads the saved draft of a ranking task into the view. Does nothing for other tasks.
    pub(crate) async fn load_draft(
        &mut self,
        transaction: &mut dyn Transaction,
    ) -> Result<(), StoreError> {
        if self.kind != JudgmentKind::Ranking {
            return Ok(());
        }
        let saved = transaction
            .fetch_optional(&sql::DRAFT_GET, vec![self.row_key.into()])
            .await?;
        let draft = saved.map(|mut row| {
            let (_, body) = (row.int()?, row.text()?);
            let draft = serde_json::from_str(&body);
            draft.map_err(StoreError::corrupted)
        });
        self.draft = Some(draft.transpose()?);
        Ok(())
    }
}
