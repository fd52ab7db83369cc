//! Snapshot of a campaign's state as plain data. Equal logs give byte-identical snapshots.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use partita_core::judgment::{Answer, Playback};
use schemars::JsonSchema;
use serde::Serialize;

use super::held_out::HeldOutAgreement;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::AnswerStatus;
use crate::campaign::engine::pair::{AnswerOrigin, PLAYED_PARTS, PairKey, pair_key};
use crate::campaign::log::event::PreferenceChoice;
use crate::lists::grades::ItemGrades;
use crate::votes::relation::{Relation, group_numbers};

partita_named::named_enum! {
    /// Progress of the votes on a requested pair.
    pub enum PairProgress: "state of a pair" {
        /// The strategy waits for votes on the pair
        Open = "open",
        /// The pair has its votes
        Decided = "decided",
        /// The pair has votes or waits for some, but the strategy no longer needs it
        Aside = "aside",
        /// Votes on the pair only check the list
        HeldOut = "held-out",
    }
}

/// Votes on a requested pair, and its decision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairSnapshot {
    /// First item.
    pub a: String,
    /// Second item.
    pub b: String,
    /// Number of answers about the pair that were requested.
    pub asked: u32,
    /// Number of requested answers about the pair that arrived, whatever their status.
    pub returned: u32,
    /// Numbers of votes for a, for neither and for b that the strategy sees.
    pub votes: [u32; 3],
    /// Numbers of held-out votes for a, for neither and for b, which the strategy does not see.
    pub held_out: [u32; 3],
    /// Progress of the votes on the pair.
    pub state: PairProgress,
    /// Relation of a to b by the votes: less if a is preferred. Provisional until the pair is
    /// decided; null without votes.
    pub relation: Option<Relation>,
    /// Relation of a to b in the current list: less if a is ranked higher.
    pub in_list: Relation,
    /// Mean agreement of two votes on the pair, from 0 (opposite) to 1 (the same), held-out votes
    /// included; null for fewer than two votes.
    pub agreement: Option<f64>,
    /// Number of the last batch that requested the pair.
    pub batch: u32,
}

/// Current state of the list of one query.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListSnapshot {
    /// Query name.
    pub query: String,
    /// Number of candidate items.
    pub items: usize,
    /// True if the strategy needs no more votes on the list.
    pub settled: bool,
    /// True if the organiser closed the list.
    #[serde(skip_serializing_if = "is_false")]
    pub closed: bool,
    /// Current list as groups of item names, the group closest to the query first.
    pub groups: Vec<Vec<String>>,
    /// Requested pairs of the list, in candidate order.
    pub pairs: Vec<PairSnapshot>,
    /// List built from the rankings of assessors, as groups of item names; null if nobody ranked
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranked: Option<Vec<Vec<String>>>,
    /// Summaries of the grades of the items; items without grades are omitted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graded: Vec<ItemGrades>,
}

/// Numbers of answers and votes of an assessor who answered or is excluded.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorSummary {
    /// Assessor name.
    pub assessor: String,
    /// Number of preference answers of the assessor in the log.
    pub answers: usize,
    /// Number of the assessor's answers that count as votes, held-out votes included.
    pub votes: usize,
    /// True if the assessor is excluded.
    pub excluded: bool,
}

/// Work of an assessor by the times that their answers state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AssessorWork {
    /// Time of the first answer, in seconds since 1970; `None` if unknown.
    pub first_answer: Option<f64>,
    /// Time of the last answer, in seconds since 1970; `None` if unknown.
    pub last_answer: Option<f64>,
    /// Total time taken for the answers, in seconds; `None` if no answer states it.
    pub seconds: Option<f64>,
}

impl AssessorWork {
    /// Adds an answer with its time and the seconds it took.
    fn add(&mut self, time: Option<f64>, seconds: Option<f64>) {
        if let Some(time) = time {
            self.first_answer = Some(self.first_answer.map_or(time, |first| first.min(time)));
            self.last_answer = Some(self.last_answer.map_or(time, |last| last.max(time)));
        }
        if let Some(seconds) = seconds {
            self.seconds = Some(self.seconds.unwrap_or(0.0) + seconds);
        }
    }
}

/// Preference answer in the log, with its current status.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnswerWithStatus {
    /// Query name.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Assessor who answered.
    pub assessor: String,
    /// Choice of the assessor.
    pub answer: PreferenceChoice,
    /// Time taken to answer, in seconds.
    pub seconds: Option<f64>,
    /// Time of the answer, in seconds since 1970.
    pub time: Option<f64>,
    /// Playback of the query, the first and the second item; null for a part that is no clip.
    pub playback: [Option<Playback>; 3],
    /// Time during which the page with the question was not visible, in seconds.
    pub hidden_seconds: Option<f64>,
    /// Id of the answer on the platform where it was given.
    pub id: Option<String>,
    /// Batch of the answer: the number of the campaign's batch that had requested the pair when the
    /// answer arrived; `adopted`, followed by the batch of its source if there is one, for an
    /// imported answer; `unasked` for an answer that was not requested; `gold` for an answer to a
    /// gold pair.
    pub batch: String,
    /// Status of the answer, which says whether it counts as a vote.
    pub flag: AnswerStatus,
}

/// Complete state of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignSnapshot {
    /// Name of the campaign.
    pub campaign: String,
    /// Number of events in the log.
    pub events: usize,
    /// Number of the last batch of pair requests; 0 if there is none.
    pub batches: u32,
    /// Number of preference answers per status.
    pub answers: BTreeMap<AnswerStatus, usize>,
    /// True if the strategy needs no more votes on any list.
    pub settled: bool,
    /// True while the campaign is paused.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// True if the organiser closed the whole campaign.
    #[serde(skip_serializing_if = "is_false")]
    pub closed: bool,
    /// Agreement of the lists with the held-out votes, which the strategy does not see.
    pub held_out: HeldOutAgreement,
    /// Assessors who answered or are excluded.
    pub assessors: Vec<AssessorSummary>,
    /// Lists in the order of the campaign's specification.
    pub lists: Vec<ListSnapshot>,
}

/// Returns true if `value` is false, so that serde omits the field.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "this is how serde hands it over"
)]
fn is_false(value: &bool) -> bool {
    !value
}

impl Campaign {
    /// Returns the complete state of the campaign.
    pub fn snapshot(&self) -> CampaignSnapshot {
        CampaignSnapshot {
            campaign: self.spec.name.clone(),
            events: self.events,
            batches: self.last_batch,
            answers: self.answer_status_counts(),
            settled: (0..self.lists.len()).all(|list| self.is_list_settled(list)),
            paused: self.is_paused(),
            closed: self.is_closed(),
            held_out: self.held_out_agreement(),
            assessors: self.assessor_summaries(),
            lists: (0..self.list_count())
                .map(|list| self.list_snapshot(list))
                .collect(),
        }
    }

    /// Returns the number of preference answers per status. Statuses without answers are omitted.
    pub fn answer_status_counts(&self) -> BTreeMap<AnswerStatus, usize> {
        let mut counts = BTreeMap::new();
        for flag in self.answer_statuses() {
            *counts.entry(flag).or_insert(0) += 1;
        }
        counts
    }

    /// Returns the numbers of answers and votes of the assessors who answered, in the order of
    /// their first answers, then of the excluded assessors who never answered, by name.
    pub fn assessor_summaries(&self) -> Vec<AssessorSummary> {
        let answered = self.assessors.items();
        let answered = answered.map(|assessor| self.assessors.name(assessor));
        let silent = (self.excluded.iter().map(String::as_str))
            .filter(|assessor| self.assessors.get(assessor).is_none());
        let mut states: Vec<AssessorSummary> = answered
            .chain(silent)
            .map(|assessor| AssessorSummary {
                assessor: assessor.to_owned(),
                answers: 0,
                votes: 0,
                excluded: self.is_excluded(assessor),
            })
            .collect();
        for stored in self.lists.iter().flat_map(|list| &list.answers) {
            let state = &mut states[stored.assessor.index()];
            state.answers += 1;
            state.votes += usize::from(stored.status.is_vote());
        }
        for (_, checked, _) in &self.records.gold_answers {
            let person = self.assessor_index(&checked.assessor);
            let person = person.expect("every assessor who answered has an index");
            states[person.index()].answers += 1;
        }
        states
    }

    /// Returns the work of each assessor who answered, by name. It includes answers of all kinds,
    /// also those that do not count.
    pub fn assessor_work(&self) -> HashMap<String, AssessorWork> {
        let mut work: HashMap<String, AssessorWork> = HashMap::new();
        for stored in self.lists.iter().flat_map(|list| &list.answers) {
            let assessor = self.assessors.name(stored.assessor).to_owned();
            let own = work.entry(assessor).or_default();
            own.add(stored.time, stored.seconds);
        }
        let gold = self
            .records
            .gold_answers
            .iter()
            .map(|(_, answer, _)| answer);
        let judgments = self.records.judgments.iter().map(|(_, answer)| answer);
        for answer in gold.chain(judgments) {
            let own = work
                .entry(self.canonical_name(&answer.assessor))
                .or_default();
            own.add(answer.time, answer.seconds);
        }
        work
    }

    /// Returns the current list as groups of owned item names, the group closest to the query
    /// first.
    pub(crate) fn named_groups(&self, list: usize) -> Vec<Vec<String>> {
        let owned = |group: Vec<&str>| group.into_iter().map(str::to_owned).collect();
        self.groups(list).into_iter().map(owned).collect()
    }

    /// Returns the current state of the list with this index.
    pub fn list_snapshot(&self, list: usize) -> ListSnapshot {
        ListSnapshot {
            query: self.lists[list].name.clone(),
            items: self.lists[list].items.len(),
            settled: self.is_list_settled(list),
            closed: self.is_list_closed(list),
            groups: self.named_groups(list),
            pairs: self.pair_snapshots(list),
            ranked: self.ranked_groups(list),
            graded: self.list_item_grades(list),
        }
    }

    /// Returns the requested pairs of a list with their votes and decisions, in candidate order.
    pub fn pair_snapshots(&self, list: usize) -> Vec<PairSnapshot> {
        let (number, list) = (list, &self.lists[list]);
        let context = self.list_context();
        let strategy = list.strategy(self.strategy.as_ref());
        let groups = group_numbers(self.current_list(number), list.members.len());
        let requests = list.requests(&context).iter();
        let wanted: BTreeSet<PairKey> = requests
            .map(|request| pair_key(request.a, request.b))
            .collect();
        let mut states = Vec::new();
        let pairs = list.pairs.sorted_by_key().into_iter();
        for ((a, b), pair) in pairs.filter(|(_, pair)| pair.requested_votes > 0) {
            let (votes, held) = (pair.tally.counted, pair.tally.held_out);
            let open = wanted.contains(&(a, b));
            let held_out = list.held_out_votes(&(a, b), &context);
            let wanted = pair.requested_votes.saturating_sub(held_out);
            let decided = strategy.decided_relation(votes);
            let state = match decided {
                _ if open => PairProgress::Open,
                Some(_) => PairProgress::Decided,
                None if wanted == 0 => PairProgress::HeldOut,
                None if votes.len() >= wanted => PairProgress::Decided,
                None => PairProgress::Aside,
            };
            let by_votes = decided.unwrap_or_else(|| self.rule().decide(votes));
            let by_votes = (!votes.is_empty()).then_some(by_votes);
            let in_list = Relation::from_group_numbers(groups[a.index()], groups[b.index()]);
            states.push(PairSnapshot {
                a: list.class_name(a).to_owned(),
                b: list.class_name(b).to_owned(),
                asked: pair.requested_answers,
                returned: pair.arrived_answers,
                votes: votes.counts(),
                held_out: held.counts(),
                state,
                relation: by_votes,
                in_list,
                agreement: votes.plus(held).agreement(),
                batch: pair.batch,
            });
        }
        states
    }

    /// Returns all preference answers with their status, in log order.
    pub fn answers_with_status(&self) -> Vec<AnswerWithStatus> {
        self.answers_with_status_in(|_| true)
    }

    /// Returns the preference answers about the lists for whose index `wanted` returns true, with
    /// their status, in log order.
    pub(crate) fn answers_with_status_in(
        &self,
        wanted: impl Fn(usize) -> bool,
    ) -> Vec<AnswerWithStatus> {
        let mut states = Vec::with_capacity(self.answers);
        let lists = self.lists.iter().enumerate();
        for (_, list) in lists.filter(|(number, _)| wanted(*number)) {
            for stored in &list.answers {
                let state = AnswerWithStatus {
                    query: list.name.clone(),
                    a: list.items.name(stored.a).to_owned(),
                    b: list.items.name(stored.b).to_owned(),
                    assessor: self.assessors.name(stored.assessor).to_owned(),
                    answer: stored.answer.into(),
                    seconds: stored.seconds,
                    time: stored.time,
                    playback: stored.playback,
                    hidden_seconds: stored.hidden_seconds,
                    id: stored.id.clone(),
                    batch: match &stored.origin {
                        AnswerOrigin::Unasked => "unasked".to_owned(),
                        AnswerOrigin::Batch { number, .. } => number.to_string(),
                        AnswerOrigin::Adopted(None) => "adopted".to_owned(),
                        AnswerOrigin::Adopted(Some(batch)) => format!("adopted {batch}"),
                    },
                    flag: stored.status,
                };
                states.push((stored.number, state));
            }
        }
        let of_list = |query: &str| self.list_index(query).is_some_and(&wanted);
        for (number, checked, _) in &self.records.gold_answers {
            if of_list(&checked.question.query) {
                states.push((*number, self.gold_answer_with_status(*number, checked)));
            }
        }
        states.sort_by_key(|(number, _)| *number);
        states.into_iter().map(|(_, state)| state).collect()
    }

    /// Returns an answer to a gold pair with its status. `number` is its answer number.
    pub(crate) fn gold_answer_with_status(
        &self,
        number: usize,
        checked: &Answer,
    ) -> AnswerWithStatus {
        let [a, b] = checked
            .question
            .pair()
            .expect("validation checked that a gold answer is about a pair");
        AnswerWithStatus {
            query: checked.question.query.clone(),
            a: a.to_owned(),
            b: b.to_owned(),
            assessor: self.canonical_name(&checked.assessor),
            answer: checked.judgment.preference().into(),
            seconds: checked.seconds,
            time: checked.time,
            playback: PLAYED_PARTS.map(|part| checked.playback.get(&part).copied()),
            hidden_seconds: checked.hidden_seconds,
            id: checked.id.clone(),
            batch: "gold".to_owned(),
            flag: self.gold_answer_status(number, checked),
        }
    }

    /// Returns the number of votes on a list, held-out votes included.
    pub fn vote_count(&self, list: usize) -> u64 {
        let answers = self.lists[list].answers.iter();
        let votes = answers.filter(|stored| stored.status.is_vote());
        votes.count() as u64
    }

    /// Returns the number of answers about a list's pairs that were requested, and how many of them
    /// arrived.
    pub fn requested_and_returned(&self, list: usize) -> (u64, u64) {
        let pairs = self.lists[list].pairs.values();
        let asked = pairs.filter(|pair| pair.requested_votes > 0);
        asked.fold((0, 0), |(asked, returned), pair| {
            let [more, back] = [pair.requested_answers, pair.arrived_answers].map(u64::from);
            (asked + more, returned + back)
        })
    }
}
