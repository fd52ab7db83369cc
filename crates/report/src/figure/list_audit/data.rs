//! Data of the figure of an audited list: the list, and the rankings or preferences that contradict
//! it.

use std::collections::HashMap;

use partita_core::evidence::CheckedList;
use partita_core::truth::{
    Audit, AuditedPair, ItemIntervals, ListPlacements, RankTestDetail, TruthCheck,
    TruthCheckSettings,
};
use partita_core::{AssessorRankings, Item, NamedGroups, Preference, QueryPreferences};
use partita_judging::{PreferenceCheck, VoteDetail};

use super::super::three_decimals;
use crate::phrases::{count_noun, plural};

/// Maximum rank that can be drawn; a larger rank is drawn as this one.
const LARGEST_RANK: f64 = 1e9;

/// Audited list with the pairs of items that contradict it; pairs are given by item index.
pub(super) struct ListFigureData<'a> {
    pub(super) query: &'a str,
    pub(super) groups: &'a NamedGroups,
    pub(super) items: Vec<ListFigureItem<'a>>,
    pub(super) group_ends: Vec<usize>,
    /// Pairs that contradict the list, earlier item first: pairs in the same group whose items
    /// differ, and pairs in different groups whose items do not.
    pub(super) pairs: [Vec<(usize, usize)>; 2],
    /// Number of pairs of items that were tested (rankings) or compared (preferences): in the same
    /// group, and in different groups.
    pub(super) compared: [usize; 2],
    /// Sentence on the size of the list and its agreement with the assessors.
    pub(super) summary: String,
    /// Footnote on the criterion by which two items differ, and on pairs without a decision.
    pub(super) note: String,
    /// Confidence level of the intervals of the items' places; `None` if the assessors were not
    /// resampled (bootstrap).
    pub(super) confidence: Option<f64>,
}

/// Item of the list with the judgments on it.
pub(super) struct ListFigureItem<'a> {
    pub(super) name: &'a str,
    pub(super) evidence: ItemEvidence,
    /// Place of the item in the list, followed by the ends of its bootstrap interval.
    pub(super) places: Option<(f64, f64, f64)>,
}

/// Judgments of the assessors on one item.
pub(super) enum ItemEvidence {
    /// Ranks given by the assessors.
    Ranks(Vec<f64>),
    /// Number of votes on the item's pairs: for the item, for neither, and for the other item.
    Votes([usize; 3]),
}

impl ItemEvidence {
    /// Returns the number of ranks or votes on the item.
    pub(super) fn judgment_count(&self) -> usize {
        match self {
            Self::Ranks(ranks) => ranks.len(),
            Self::Votes(votes) => votes.iter().sum(),
        }
    }
}

impl<'a> ListFigureData<'a> {
    /// Creates the data of a list audited by rankings.
    pub(super) fn from_rankings(
        rankings: &AssessorRankings,
        list: &'a CheckedList<RankTestDetail>,
        check: &TruthCheck,
    ) -> Self {
        let evidence = |name: &str| {
            let item = rankings.items().get(name);
            let item = item.expect("the rankings contain every item of the list");
            let ranks = rankings.rows().filter_map(|row| row[item.index()]);
            ItemEvidence::Ranks(ranks.map(|rank| rank.min(LARGEST_RANK)).collect())
        };
        let TruthCheckSettings { tails, alpha, .. } = &check.settings;
        let mut note = format!(
            "{tails}-tailed Mann-Whitney U tests, alpha {}",
            alpha.value()
        );
        if list.counts.untestable_pairs > 0 {
            let pairs = plural(list.counts.untestable_pairs, "pair");
            note += &format!("; {pairs} cannot be tested and are not drawn");
        }
        let consistency = &list.measures.consistency;
        let agreement = consistency
            .adr1
            .zip(consistency.adr2)
            .map(|(adr_1, adr_2)| {
                let [adr_1, adr_2] = [adr_1, adr_2].map(three_decimals);
                format!("ADR-1 consistency {adr_1}, ADR-2 consistency {adr_2}")
            });
        let trusted = list.trust.as_ref().map(|trust| &trust.places);
        let confidence = check.trust.as_ref().map(|trust| trust.confidence);
        let mut drawn = Self::new(&list.query, &list.list, &list.audit, evidence);
        // The number of testable pairs is the same for one-tailed and two-tailed tests.
        let counts = &list.counts.summary.one_tailed;
        drawn.compared = [counts.same_group_compared, counts.different_group_compared];
        drawn
            .with_texts(agreement, note)
            .with_place_intervals(trusted, confidence)
    }

    /// Creates the data of a list audited by preferences.
    pub(super) fn from_preferences(
        answers: &QueryPreferences,
        list: &'a CheckedList<VoteDetail>,
        check: &PreferenceCheck,
    ) -> Self {
        let mut votes: HashMap<Item, [usize; 3]> = HashMap::new();
        for given in answers.votes() {
            for (item, answer) in [
                (given.a, given.preference),
                (given.b, given.preference.mirrored()),
            ] {
                let place = match answer {
                    Preference::A => 0,
                    Preference::Equal => 1,
                    Preference::B => 2,
                };
                votes.entry(item).or_default()[place] += 1;
            }
        }
        let evidence = |name: &str| {
            let item = answers.items().get(name);
            let votes = item.and_then(|item| votes.get(&item));
            ItemEvidence::Votes(votes.copied().unwrap_or_default())
        };
        let settings = &check.settings;
        let mut note = format!("pairs decided by {}", settings.decide);
        if let Some(alpha) = settings.alpha {
            note += &format!(" at alpha {}", alpha.value());
        }
        if list.counts.undecided > 0 {
            note += &format!(
                "; nobody compared {}",
                plural(list.counts.undecided, "pair")
            );
        }
        let agreement = list.counts.consistent.map(|share| {
            format!(
                "{:.1}% of the compared pairs stand as decided",
                100.0 * share
            )
        });
        let trusted = list.trust.as_ref().map(|trust| &trust.places);
        let confidence = check.trust.map(|trust| trust.confidence);
        let mut drawn = Self::new(&list.query, &list.list, &list.audit, evidence);
        drawn.compared = [
            list.counts.same_group_compared,
            list.counts.different_group_compared,
        ];
        drawn
            .with_texts(agreement, note)
            .with_place_intervals(trusted, confidence)
    }

    fn new<E>(
        query: &'a str,
        groups: &'a NamedGroups,
        audit: &Audit<E>,
        evidence: impl Fn(&str) -> ItemEvidence,
    ) -> Self {
        let names = groups.iter().flatten().map(String::as_str);
        let indices: HashMap<&str, usize> = names.zip(0..).collect();
        let pairs = |audited: &[AuditedPair<E>]| {
            let audited = audited.iter();
            audited
                .map(|pair| (indices[&*pair.a], indices[&*pair.b]))
                .collect()
        };
        let items = groups.iter().flatten().map(|name| ListFigureItem {
            name,
            evidence: evidence(name),
            places: None,
        });
        let ends = groups.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        Self {
            query,
            groups,
            items: items.collect(),
            group_ends: ends.collect(),
            pairs: [pairs(&audit.intra), pairs(&audit.inter)],
            compared: [0; 2],
            summary: String::new(),
            note: String::new(),
            confidence: None,
        }
    }

    /// Sets the summary and the footnote.
    fn with_texts(mut self, agreement: Option<String>, note: String) -> Self {
        let (items, groups) = (self.items.len(), self.group_ends.len());
        self.summary = format!(
            "{} in {}",
            plural(items, "item"),
            count_noun(groups, "group", "groups")
        );
        if let Some(agreement) = agreement {
            self.summary += &format!("; {agreement}");
        }
        Self { note, ..self }
    }

    /// Sets the place of each item and its bootstrap interval.
    fn with_place_intervals(
        mut self,
        places: Option<&ListPlacements>,
        confidence: Option<f64>,
    ) -> Self {
        let places = places.iter().flat_map(|places| &places.items);
        let ends =
            |found: &ItemIntervals| Some((found.place, found.place_lower?, found.place_upper?));
        let known: HashMap<&str, _> = places.map(|found| (&*found.item, ends(found))).collect();
        for item in &mut self.items {
            item.places = known.get(item.name).copied().flatten();
        }
        self.confidence = confidence.filter(|_| !known.is_empty());
        self
    }

    /// Returns the range of item indices of each group, end exclusive.
    pub(super) fn group_ranges(&self) -> impl Iterator<Item = (usize, usize)> {
        let starts = std::iter::once(0).chain(self.group_ends.iter().copied());
        starts.zip(self.group_ends.iter().copied())
    }

    /// Returns the place of each group of the list: the mean of the places of its items.
    pub(super) fn group_places(&self) -> impl Iterator<Item = f64> {
        self.group_ranges()
            .map(|(from, to)| (from + 1 + to) as f64 / 2.0)
    }

    /// Returns true if the list was audited by preferences.
    pub(super) fn is_by_preferences(&self) -> bool {
        let mut items = self.items.iter();
        items.any(|item| matches!(item.evidence, ItemEvidence::Votes(_)))
    }
}
