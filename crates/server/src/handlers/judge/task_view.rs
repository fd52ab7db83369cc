//! A task as a judge sees it: no name of an item, and no sign of whether its answer is known.

use partita_judging::campaign::{JudgmentKind, Question};
use partita_stats::random::{shuffle, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::campaign::document::{FineScale, Stimulus};
use crate::campaign::state::{CampaignState, OpenTask};
use crate::store::statement as sql;
use crate::store::{StoreError, Transaction, fetch_optional};
use crate::writer::UnixMillis;

/// A task.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TaskView {
    /// Where it is kept.
    #[serde(skip)]
    place: i64,
    /// What to say with the answer.
    task: String,
    /// What is asked.
    kind: JudgmentKind,
    /// Until when it is kept for this person.
    #[schemars(extend("format" = "date-time"))]
    expires: String,
    /// Whether the query is another than that of the task before.
    new_query: bool,
    /// The query.
    query: StimulusView,
    /// The first item of a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<StimulusView>,
    /// The second.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<StimulusView>,
    /// The items to be ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<RankingItemView>>,
    /// The ranking as it was saved on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<Option<RankingDraft>>,
    /// The item to be graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<StimulusView>,
    /// The scales to grade it on.
    #[serde(skip_serializing_if = "Option::is_none")]
    scales: Option<GradingScalesView>,
}

/// What is heard, seen or read.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct StimulusView {
    /// A clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<ClipView>,
    /// A picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<ImageView>,
    /// A text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// A clip.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ClipView {
    /// Where it is; the last part is the SHA-256 of its bytes.
    url: String,
    /// Its type.
    #[serde(rename = "type")]
    kind: String,
    /// How long it lasts, if that is known.
    seconds: Option<f64>,
}

/// A picture.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ImageView {
    /// Where it is.
    url: String,
    /// Its type.
    #[serde(rename = "type")]
    kind: String,
    /// What it shows, for people who do not see it.
    alt: Option<String>,
}

/// An item to be ranked.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RankingItemView {
    /// What it is called in the answer.
    pub(crate) key: String,
    /// What is shown of it.
    show: StimulusView,
}

/// A ranking on its way.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RankingDraft {
    /// Its number: a later one replaces it.
    pub(crate) version: i64,
    /// The keys, the closest first; those of a group are equal.
    pub(crate) groups: Vec<Vec<String>>,
    /// The keys that are left out.
    pub(crate) unranked: Vec<String>,
}

/// The scales of a grade.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GradingScalesView {
    /// The words of the Broad scale, from the least similar on.
    broad: [&'static str; 3],
    /// The Fine scale.
    fine: FineScale,
}

impl CampaignState {
    fn shown(&self, show: &Stimulus) -> StimulusView {
        let about = |id: &String| {
            let known = self.media.get(id).cloned();
            known.unwrap_or_else(|| ("application/octet-stream".to_owned(), None))
        };
        let url = |id: &String| format!("/media/{id}");
        StimulusView {
            audio: show.audio.as_ref().map(|id| ClipView {
                url: url(id),
                kind: about(id).0,
                seconds: about(id).1.map(|millis| millis as f64 / 1_000.0),
            }),
            image: show.image.as_ref().map(|id| ImageView {
                url: url(id),
                kind: about(id).0,
                alt: show.alt.clone(),
            }),
            text: show.text.clone(),
        }
    }

    fn shown_of(&self, query: &str, item: Option<&str>) -> StimulusView {
        let show = self.document.stimulus(&self.document_index, query, item);
        self.shown(show.expect("the engine asks about what the document has"))
    }
}

/// The items of a query in the order in which a ranking shows them, each with its key: another order in each
/// task, so that neither tells anything.
pub(crate) fn shuffled_items(room: &CampaignState, task: &OpenTask) -> Vec<(String, String)> {
    let query = task.question.query();
    let list = room.document.lists.iter().find(|list| list.query == query);
    let list = list.expect("the engine asks about what the document has");
    let mut items: Vec<&str> = list.items.iter().map(|item| item.item.as_str()).collect();
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

/// A task as its judge sees it.
pub(crate) fn task_view(room: &CampaignState, task: &OpenTask) -> TaskView {
    let query = task.question.query();
    let mut view = TaskView {
        place: task.row_key,
        task: task.id.clone(),
        kind: task.question.kind(),
        expires: UnixMillis(task.expires).to_rfc3339(),
        new_query: task.is_new_query,
        query: room.shown_of(query, None),
        a: None,
        b: None,
        items: None,
        draft: None,
        item: None,
        scales: None,
    };
    match &task.question {
        Question::Preference { a, b, .. } => {
            view.a = Some(room.shown_of(query, Some(a)));
            view.b = Some(room.shown_of(query, Some(b)));
        }
        Question::Grade { item, .. } => {
            view.item = Some(room.shown_of(query, Some(item)));
            view.scales = Some(GradingScalesView {
                broad: ["NS", "SS", "VS"],
                fine: room.document.judging.fine,
            });
        }
        Question::Ranking { .. } => {
            let items = shuffled_items(room, task)
                .into_iter()
                .map(|(key, item)| RankingItemView {
                    key,
                    show: room.shown_of(query, Some(&item)),
                });
            view.items = Some(items.collect());
        }
    }
    view
}

impl TaskView {
    /// Puts in what was saved of a ranking on the way.
    pub(crate) async fn take_draft(
        &mut self,
        transaction: &mut dyn Transaction,
    ) -> Result<(), StoreError> {
        if self.kind != JudgmentKind::Ranking {
            return Ok(());
        }
        let saved = fetch_optional(transaction, &sql::DRAFT_GET, vec![self.place.into()]).await?;
        let draft = saved.map(|mut row| {
            let (_, body) = (row.int()?, row.text()?);
            let draft = serde_json::from_str(&body);
            draft.map_err(|error| StoreError::Corrupted(error.to_string()))
        });
        self.draft = Some(draft.transpose()?);
        Ok(())
    }
}
