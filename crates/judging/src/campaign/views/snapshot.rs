//! The state of a campaign as plain data, the same bytes for the same log.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::held_out::HeldOutAgreement;
use crate::campaign::Campaign;
use crate::campaign::engine::answer_status::AnswerStatus;
use crate::campaign::engine::pair::{AnswerOrigin, PairKey, pair_key};
use crate::campaign::kinds::ranking::ItemGrades;
use crate::campaign::log::event::PreferenceChoice;
use crate::votes::relation::{Relation, group_numbers};

partita_named::named_enum! {
    /// How far a pair has come.
    pub enum PairProgress: "state of a pair" {
        /// The strategy waits for votes on it
        Open = "open",
        /// It has its votes
        Decided = "decided",
        /// It has votes or waits for some, but the list goes another way now
        Aside = "aside",
        /// It only checks the list
        HeldOut = "held-out",
    }
}

/// A pair that was asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairSnapshot {
    /// One item.
    pub a: String,
    /// The other.
    pub b: String,
    /// The answers that were asked for.
    pub asked: u32,
    /// The answers to it that came back, whatever became of them.
    pub returned: u32,
    /// The votes for a, for neither and for b.
    pub votes: [u32; 3],
    /// The votes that are kept from the strategy.
    pub held_out: [u32; 3],
    /// How far it has come.
    pub state: PairProgress,
    /// How a relates to b by its votes: less if a is preferred. Until the pair is decided this is
    /// what the votes so far would say; nothing if there are none.
    pub relation: Option<Relation>,
    /// How a relates to b in the list as it is now.
    pub in_list: Relation,
    /// How far the people agree.
    pub agreement: Option<f64>,
    /// The batch in which it was asked last.
    pub batch: u32,
}

/// A list as it is now.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListSnapshot {
    /// The query.
    pub query: String,
    /// The number of candidates.
    pub items: usize,
    /// Whether the strategy wants to know nothing more.
    pub settled: bool,
    /// Whether the organiser closed it.
    #[serde(skip_serializing_if = "is_not")]
    pub closed: bool,
    /// The list.
    pub groups: Vec<Vec<String>>,
    /// The pairs that were asked.
    pub pairs: Vec<PairSnapshot>,
    /// The list that rankings make, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranked: Option<Vec<Vec<String>>>,
    /// What the grades of each item come to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graded: Vec<ItemGrades>,
}

/// Somebody who answered or is excluded.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AssessorSummary {
    /// Who.
    pub assessor: String,
    /// How many answers are in the log.
    pub answers: usize,
    /// How many of them are votes, held-out ones included.
    pub votes: usize,
    /// Whether the organiser left the votes out.
    pub excluded: bool,
}

/// An answer with what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnswerWithStatus {
    /// The query.
    pub query: String,
    /// The item shown first.
    pub a: String,
    /// The item shown second.
    pub b: String,
    /// Who answered.
    pub assessor: String,
    /// What was said.
    pub answer: PreferenceChoice,
    /// How many seconds it took.
    pub seconds: Option<f64>,
    /// When it was given, in seconds since 1970.
    pub time: Option<f64>,
    /// What the platform calls it.
    pub id: Option<String>,
    /// The batch that it belongs to: the number of the campaign's own batch in which its pair had been
    /// asked when it came; `adopted` and the batch of its own, if it has one, for an answer that was
    /// adopted; `unasked` for one that came unasked; `gold` for one to a question whose answer is known.
    pub batch: String,
    /// What became of it.
    pub flag: AnswerStatus,
}

/// All that follows from a log.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CampaignSnapshot {
    /// What the campaign is called.
    pub campaign: String,
    /// The number of events.
    pub events: usize,
    /// The number of the last batch.
    pub batches: u32,
    /// How many answers became what.
    pub answers: BTreeMap<AnswerStatus, usize>,
    /// Whether all lists are settled.
    pub settled: bool,
    /// Whether nothing is asked for the time being.
    #[serde(skip_serializing_if = "is_not")]
    pub paused: bool,
    /// Whether the organiser closed the whole campaign.
    #[serde(skip_serializing_if = "is_not")]
    pub closed: bool,
    /// How well the lists predict held-out votes.
    pub held_out: HeldOutAgreement,
    /// The people.
    pub assessors: Vec<AssessorSummary>,
    /// The lists.
    pub lists: Vec<ListSnapshot>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "this is how serde hands it over"
)]
fn is_not(so: &bool) -> bool {
    !so
}

impl Campaign {
    /// All that follows from the log.
    pub fn snapshot(&self) -> CampaignSnapshot {
        CampaignSnapshot {
            campaign: self.settings.name.clone(),
            events: self.events,
            batches: self.batches,
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

    /// How many answers became what; what became of none is left out.
    pub fn answer_status_counts(&self) -> BTreeMap<AnswerStatus, usize> {
        let mut counts = BTreeMap::new();
        for flag in self.answer_statuses() {
            *counts.entry(flag).or_insert(0) += 1;
        }
        counts
    }

    /// The people: whoever answered, in the order of their first answers, then whoever is excluded
    /// and never answered, by name.
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
        for kept in self.lists.iter().flat_map(|list| &list.answers) {
            let state = &mut states[kept.assessor.index()];
            state.answers += 1;
            state.votes += usize::from(kept.flag.is_vote());
        }
        for (_, checked) in &self.records.checks {
            let person = self.person(&checked.answer.assessor);
            let person = person.expect("whoever answered is one of the people");
            states[person.index()].answers += 1;
        }
        states
    }

    /// The groups of a list as it is now.
    pub(crate) fn named_groups(&self, list: usize) -> Vec<Vec<String>> {
        let owned = |group: Vec<&str>| group.into_iter().map(str::to_owned).collect();
        self.groups(list).into_iter().map(owned).collect()
    }

    /// A list as it is now.
    pub fn list_snapshot(&self, list: usize) -> ListSnapshot {
        ListSnapshot {
            query: self.lists[list].name.clone(),
            items: self.lists[list].items.len(),
            settled: self.is_list_settled(list),
            closed: self.is_list_closed(list),
            groups: self.named_groups(list),
            pairs: self.pair_snapshots(list),
            ranked: self.ranked_groups(list),
            graded: self.graded_items_of(list),
        }
    }

    /// The pairs of a list that were asked, by the order of the candidates.
    pub fn pair_snapshots(&self, list: usize) -> Vec<PairSnapshot> {
        let (number, list) = (list, &self.lists[list]);
        let rules = self.rules();
        let strategy = list.strategy(self.strategy.as_ref());
        let groups = group_numbers(self.current_list(number), list.members.len());
        let requests = list.requests(&rules).iter();
        let wanted: BTreeSet<PairKey> = requests
            .map(|request| pair_key(request.a, request.b))
            .collect();
        let mut states = Vec::new();
        let pairs = list.pairs.in_order().into_iter();
        for ((a, b), pair) in pairs.filter(|(_, pair)| pair.votes > 0) {
            let (votes, held) = (pair.tally.counted, pair.tally.held_out);
            let open = wanted.contains(&(a, b));
            let held_out = list.held_out_votes(&(a, b), &rules);
            let wanted = pair.votes.saturating_sub(held_out);
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
                asked: pair.expected,
                returned: pair.returned,
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

    /// Every answer with what became of it, in the order of the log.
    pub fn answers_with_status(&self) -> Vec<AnswerWithStatus> {
        self.answer_states_of(|_| true)
    }

    /// The answers about some lists, by their numbers.
    pub(crate) fn answer_states_of(&self, wanted: impl Fn(usize) -> bool) -> Vec<AnswerWithStatus> {
        let mut states = Vec::with_capacity(self.answers);
        let lists = self.lists.iter().enumerate();
        for (_, list) in lists.filter(|(number, _)| wanted(*number)) {
            for kept in &list.answers {
                let state = AnswerWithStatus {
                    query: list.name.clone(),
                    a: list.items.name(kept.a).to_owned(),
                    b: list.items.name(kept.b).to_owned(),
                    assessor: self.assessors.name(kept.assessor).to_owned(),
                    answer: kept.answer.into(),
                    seconds: kept.seconds,
                    time: kept.time,
                    id: kept.id.clone(),
                    batch: match &kept.origin {
                        AnswerOrigin::Unasked => "unasked".to_owned(),
                        AnswerOrigin::Batch { number, .. } => number.to_string(),
                        AnswerOrigin::Adopted(None) => "adopted".to_owned(),
                        AnswerOrigin::Adopted(Some(batch)) => format!("adopted {batch}"),
                    },
                    flag: kept.flag,
                };
                states.push((kept.number, state));
            }
        }
        let of_list = |query: &str| self.list_index(query).is_some_and(&wanted);
        for (number, checked) in &self.records.checks {
            if of_list(&checked.answer.query) {
                states.push((*number, self.check_state(*number, checked)));
            }
        }
        states.sort_by_key(|(number, _)| *number);
        states.into_iter().map(|(_, state)| state).collect()
    }

    /// The votes of a list, those that only check it included.
    pub fn vote_count(&self, list: usize) -> u64 {
        let answers = self.lists[list].answers.iter();
        let votes = answers.filter(|kept| kept.flag.is_vote());
        votes.count() as u64
    }

    /// The answers to a list's pairs that were asked for, and those that came back.
    pub fn requested_and_returned(&self, list: usize) -> (u64, u64) {
        let pairs = self.lists[list].pairs.values();
        let asked = pairs.filter(|pair| pair.votes > 0);
        asked.fold((0, 0), |(asked, returned), pair| {
            let [more, back] = [pair.expected, pair.returned].map(u64::from);
            (asked + more, returned + back)
        })
    }
}
