//! Validation of campaign specifications: all errors at once, each with its position.

use std::collections::{HashMap, HashSet};

use partita_core::truth::Alpha;

use super::error::{CampaignSpecError, CampaignSpecErrorKind};
use super::judging_options::{DEFAULT_GRADERS, JudgingOptions};
use super::{CampaignSpec, EngineSettings, JudgmentKind, QuerySpec};
use crate::model::GroupingRule;
use crate::range_error::require;

/// Maximum number of votes per pair. More would make the tables of all possible vote counts too
/// large.
pub const MAX_VOTES_PER_PAIR: u32 = 30;

/// Maximum number of candidates per list. All pairs of a list are kept in memory.
pub const MAX_CANDIDATES: usize = 2_000;

/// Maximum length of the name of a campaign in URLs, in bytes.
const MAX_URL_NAME_BYTES: usize = 64;

impl CampaignSpec {
    /// Returns the errors for which the campaign cannot run.
    pub fn validate(&self) -> Vec<CampaignSpecError> {
        let mut errors = self.settings.validate();
        let mut add = |pointer: &str, kind| errors.push(CampaignSpecError::new(pointer, kind));
        let longest = self.lists.iter().map(|list| list.items.len()).max();
        if let (Some(top), Some(longest)) = (self.settings.top, longest)
            && top > longest
        {
            // Lists that are shorter than the head are settled as a whole, unless all are.
            let kind = CampaignSpecErrorKind::TopTooLong { top, longest };
            add("/settings/top", kind);
        }
        let what = "the number of people who grade an item or rank a list";
        let graders = self.judging.graders.unwrap_or(DEFAULT_GRADERS);
        if let Err(error) = require(what, graders.into(), "at least 1", graders > 0) {
            add("/judging/graders", error.into());
        }
        let votes = self.max_assessors_per_question();
        let invited = self.judging.invited_assessors;
        if let Some(people) = invited.filter(|&people| people < votes) {
            let kind = CampaignSpecErrorKind::TooFewPeople { votes, people };
            add("/judging/people", kind);
        }
        if self.kinds.is_empty() {
            add("/kinds", CampaignSpecErrorKind::NoKinds);
        }
        for (place, kind) in self.kinds.iter().enumerate() {
            if self.kinds[..place].contains(kind) {
                let pointer = format!("/kinds/{place}");
                add(&pointer, CampaignSpecErrorKind::KindTwice(*kind));
            }
        }
        if self.name.trim().is_empty() {
            add("/name", CampaignSpecErrorKind::NoName("the campaign"));
        }
        if self.lists.is_empty() {
            add("/lists", CampaignSpecErrorKind::NoQueries);
        }
        let mut queries = HashSet::new();
        for (place, list) in self.lists.iter().enumerate() {
            let at = format!("/lists/{place}");
            if list.query.is_empty() {
                add(
                    &format!("{at}/query"),
                    CampaignSpecErrorKind::NoName("a query"),
                );
            }
            if !queries.insert(&list.query) {
                let kind = CampaignSpecErrorKind::QueryTwice(list.query.clone());
                add(&format!("{at}/query"), kind);
            }
            list.validate(&mut |field, kind| add(&format!("{at}{field}"), kind));
        }
        errors.extend(self.gold.iter().flat_map(|gold| gold.validate(&self.lists)));
        errors
    }

    /// Returns the errors for which the campaign cannot be judged on pages. Adds the rules of pages
    /// to [`CampaignSpec::validate`]: a name for URLs, at least two candidates per list, a stimulus
    /// for every query and item, and valid options of the recruiter and of the judging process.
    pub fn validate_for_pages(&self) -> Vec<CampaignSpecError> {
        let mut errors = self.validate();
        let mut add = |pointer: String, kind| errors.push(CampaignSpecError::new(pointer, kind));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let fits_url = self.name.len() <= MAX_URL_NAME_BYTES && self.name.chars().all(plain);
        if !fits_url {
            add("/name".to_owned(), CampaignSpecErrorKind::NotAUrlName);
        }
        for (place, list) in self.lists.iter().enumerate() {
            if list.items.len() < 2 {
                let pointer = format!("/lists/{place}/items");
                add(pointer, CampaignSpecErrorKind::TooFewCandidates);
            }
        }
        for (pointer, show) in self.stimuli() {
            if show.is_empty() {
                add(pointer, CampaignSpecErrorKind::NoStimulus);
            }
        }
        errors.extend(self.title.validate());
        let texts = self.texts.iter();
        errors.extend(texts.flat_map(|(language, texts)| texts.validate(language)));
        errors.extend(self.judging.validate());
        let recruiter = self.recruiter.iter();
        errors.extend(recruiter.flat_map(|recruiter| recruiter.validate(&self.kinds)));
        errors
    }

    /// Returns the maximum number of assessors per question: votes per pair or graders per item. A
    /// kind of judgment without a limit needs one assessor.
    fn max_assessors_per_question(&self) -> u32 {
        let assessors = |kind: &JudgmentKind| match kind {
            JudgmentKind::Preference => self.settings.votes,
            kind => self.judging.graders_for(*kind).unwrap_or(1),
        };
        self.kinds.iter().map(assessors).max().unwrap_or(0)
    }
}

impl EngineSettings {
    /// Returns the errors of each setting by itself.
    fn validate(&self) -> Vec<CampaignSpecError> {
        let are_few = |votes: u32| (1..=MAX_VOTES_PER_PAIR).contains(&votes);
        let check = |key: &str, what, found: f64, expected, holds| {
            let error = require(what, found, expected, holds).err()?;
            Some(CampaignSpecError::new(format!("/settings/{key}"), error))
        };
        let (share, confidence, settled) = (self.held_out, self.confidence, self.settled);
        let alpha = self.alpha.unwrap_or(Alpha::TYPKE.value());
        let top = self.top.unwrap_or(1);
        let checks = [
            check(
                "votes",
                "the number of votes on a pair",
                self.votes.into(),
                "from 1 to 30",
                are_few(self.votes),
            ),
            check(
                "held_out_votes",
                "the number of votes on a held-out pair",
                self.held_out_votes.into(),
                "from 1 to 30",
                are_few(self.held_out_votes),
            ),
            check(
                "held_out",
                "the share of pairs held out",
                share,
                "from 0 to 1",
                (0.0..=1.0).contains(&share),
            ),
            check(
                "confidence",
                "the confidence",
                confidence,
                "above 0 and at most 1",
                confidence > 0.0 && confidence <= 1.0,
            ),
            check(
                "settled",
                "the share at which a list is settled",
                settled,
                "above 0 and below 1",
                settled > 0.0 && settled < 1.0,
            ),
            check(
                "alpha",
                "alpha",
                alpha,
                "between 0 and 1",
                Alpha::new(alpha).is_some(),
            ),
            check(
                "top",
                "the number of items at the head",
                top as f64,
                "at least 1",
                top > 0,
            ),
        ];
        let matters = GroupingRule::with_matters(self.matters).err();
        let price = self.price.and_then(|price| price.validated().err());
        let others = [("/settings/matters", matters), ("/settings/price", price)];
        let others = others
            .into_iter()
            .filter_map(|(pointer, error)| Some(CampaignSpecError::new(pointer, error?)));
        checks.into_iter().flatten().chain(others).collect()
    }
}

impl QuerySpec {
    /// Passes on the errors of the candidates, with their pointers in the list: there are at most
    /// [`MAX_CANDIDATES`], names are given once and not empty, and `same_as` names another item
    /// without leading back to the first.
    fn validate(&self, add: &mut dyn FnMut(&str, CampaignSpecErrorKind)) {
        if self.items.len() > MAX_CANDIDATES {
            let kind = CampaignSpecErrorKind::TooLong {
                query: self.query.clone(),
                items: self.items.len(),
                most: MAX_CANDIDATES,
            };
            add("/items", kind);
        }
        let mut index_by_name = HashMap::new();
        for (place, candidate) in self.items.iter().enumerate() {
            let pointer = format!("/items/{place}/item");
            if candidate.item.is_empty() {
                add(&pointer, CampaignSpecErrorKind::NoName("a candidate"));
            }
            if index_by_name
                .insert(candidate.item.as_str(), place)
                .is_some()
            {
                let (query, item) = (self.query.clone(), candidate.item.clone());
                add(&pointer, CampaignSpecErrorKind::ItemTwice { query, item });
            }
        }
        let twins: Vec<Option<usize>> = (self.items.iter())
            .map(|candidate| index_by_name.get(candidate.same_as.as_deref()?).copied())
            .collect();
        let in_circle = find_circles(&twins);
        for (place, candidate) in self.items.iter().enumerate() {
            let Some(other) = &candidate.same_as else {
                continue;
            };
            let (query, item, other) = (self.query.clone(), candidate.item.clone(), other.clone());
            let pointer = format!("/items/{place}/same_as");
            if twins[place].is_none() {
                let kind = CampaignSpecErrorKind::UnknownDuplicate { query, item, other };
                add(&pointer, kind);
            } else if in_circle[place] {
                let kind = CampaignSpecErrorKind::CircularDuplicate { query, item, other };
                add(&pointer, kind);
            }
        }
    }
}

/// Returns a flag per element, true if following the references from it leads back to it. Takes
/// linear time, because every element is visited at most twice.
fn find_circles(next: &[Option<usize>]) -> Vec<bool> {
    let mut in_circle = vec![false; next.len()];
    // Number of the walk that visited an element first.
    let mut visited_by: Vec<Option<usize>> = vec![None; next.len()];
    for start in 0..next.len() {
        let mut place = Some(start);
        while let Some(at) = place.filter(|&at| visited_by[at].is_none()) {
            visited_by[at] = Some(start);
            place = next[at];
        }
        let mut place = place.filter(|&at| visited_by[at] == Some(start));
        while let Some(at) = place.filter(|&at| !in_circle[at]) {
            in_circle[at] = true;
            place = next[at];
        }
    }
    in_circle
}

impl JudgingOptions {
    /// Returns the errors of the options that only pages use.
    fn validate(&self) -> Vec<CampaignSpecError> {
        let fine = self.fine;
        let scale = fine.min >= 0.0 && fine.max <= 100.0 && fine.min < fine.max;
        let rules = [
            ("lease_seconds", self.lease_seconds > 0, "at least 1"),
            ("ahead", (1..=20).contains(&self.ahead), "from 1 to 20"),
            ("per_person", self.per_person != Some(0), "at least 1"),
            ("fine", scale, "a scale between 0 and 100"),
            ("fine/step", fine.step > 0.0, "above 0"),
        ];
        let broken = rules.into_iter().filter(|(_, holds, _)| !holds);
        let error = |key, expected| {
            let kind = CampaignSpecErrorKind::Option(expected);
            CampaignSpecError::new(format!("/judging/{key}"), kind)
        };
        broken.map(|(key, _, what)| error(key, what)).collect()
    }
}
