//! Additional evidence for screening: clip durations, gold questions and repeated questions.

use std::collections::{BTreeMap, HashMap};

use partita_core::{Item, Preference, Preferences, QueryPreferences};

use super::answers::{lower_number_first, mirrored_if};
use crate::campaign::{Campaign, Stimulus};

/// Gold question: a pair with a known correct answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldQuestion {
    /// Query name.
    pub query: String,
    /// Name of the first item of the pair.
    pub a: String,
    /// Name of the second item of the pair.
    pub b: String,
    /// Correct answer; any other is wrong.
    pub expected: Preference,
}

/// Answer that does not count as a vote: to a gold question or to a repeated question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncountedAnswer {
    /// Query name.
    pub query: String,
    /// Item shown first.
    pub a: String,
    /// Item shown second.
    pub b: String,
    /// Assessor name.
    pub assessor: String,
    /// Preference between a and b.
    pub answer: Preference,
}

/// Number of questions that an assessor answered or reported, and of those reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportCounts {
    /// Number of questions that the assessor answered or reported.
    pub questions: usize,
    /// Number of questions that the assessor reported as impossible to judge.
    pub reports: usize,
}

/// Evidence for screening besides the votes: clip durations, gold questions and repeated questions.
#[derive(Clone, Debug, Default)]
pub struct ScreeningEvidence {
    /// Total duration in seconds of the clips that each answer's question plays, by query number
    /// and answer index; empty if unknown.
    pub clips: Vec<Vec<Option<f64>>>,
    /// Pairs with a known correct answer, besides pairs that contain the query itself.
    pub gold: Vec<GoldQuestion>,
    /// Answers to gold questions that do not count as votes.
    pub gold_answers: Vec<UncountedAnswer>,
    /// Second answers to pairs that were shown to the same assessor again. Only the first answers
    /// are votes.
    pub repeats: Vec<UncountedAnswer>,
    /// Numbers of reports that a question could not be judged, by assessor.
    pub reports: BTreeMap<String, ReportCounts>,
}

impl ScreeningEvidence {
    /// Adds the duration of each question's clips: those of both items, and that of the query if it
    /// has one. Existing values take precedence. Returns the number of answers with a known and
    /// with an unknown duration.
    pub fn add_durations(
        &mut self,
        preferences: &Preferences,
        seconds: &HashMap<String, f64>,
    ) -> [usize; 2] {
        let mut counts = [0, 0];
        self.clips.resize(preferences.queries().len(), Vec::new());
        for (query, clips) in preferences.queries().iter().zip(&mut self.clips) {
            clips.resize(query.votes().len(), None);
            let of_query = seconds.get(query.name()).copied().unwrap_or(0.0);
            let of = |item: Item| seconds.get(query.items().name(item));
            for (given, clips) in query.votes().iter().zip(clips) {
                if clips.is_none() {
                    *clips = of(given.a).zip(of(given.b)).map(|(a, b)| a + b + of_query);
                }
                counts[usize::from(clips.is_none())] += 1;
            }
        }
        counts
    }

    /// Adds the duration of each question's clips, as [`add_durations`](Self::add_durations), from
    /// the durations of the clips that a campaign plays: `seconds` by the name of the audio file in
    /// its specification. A question whose clips are not all known gets no duration.
    pub fn add_campaign_durations(
        &mut self,
        preferences: &Preferences,
        campaign: &Campaign,
        seconds: &HashMap<String, f64>,
    ) {
        self.clips.resize(preferences.queries().len(), Vec::new());
        for (query, clips) in preferences.queries().iter().zip(&mut self.clips) {
            let mut lists = campaign.spec().lists.iter();
            let Some(list) = lists.find(|list| list.query == query.name()) else {
                continue;
            };
            // `Some(0.0)` for a part without a clip, `None` for a clip of unknown duration.
            let duration = |show: &Stimulus| match &show.audio {
                Some(audio) => seconds.get(audio).copied(),
                None => Some(0.0),
            };
            let of_query = duration(&list.show);
            let items = list.items.iter();
            let of_items: HashMap<&str, Option<f64>> = items
                .map(|item| (&*item.item, duration(&item.show)))
                .collect();
            let of = |item: Item| *of_items.get(query.items().name(item))?;
            clips.resize(query.votes().len(), None);
            for (given, clips) in query.votes().iter().zip(clips) {
                let sum = of_query.zip(of(given.a).zip(of(given.b)));
                let sum = sum.map(|(query, (a, b))| query + a + b);
                *clips = clips.or(sum.filter(|sum| *sum > 0.0));
            }
        }
    }

    /// Adds gold questions with their correct answers, `right`. Returns the number of questions
    /// whose query or items do not occur in `preferences`; these match no vote.
    pub fn add_gold(&mut self, preferences: &Preferences, right: &Preferences) -> usize {
        let mut unknown = 0;
        for right in right.queries() {
            let mut queries = preferences.queries().iter();
            let query = queries.find(|query| query.name() == right.name());
            for given in right.votes() {
                let [a, b] = [given.a, given.b].map(|item| right.items().name(item));
                let is_known = query.is_some_and(|query| {
                    [a, b].iter().all(|item| query.items().get(item).is_some())
                });
                unknown += usize::from(!is_known);
                self.gold.push(GoldQuestion {
                    query: right.name().to_owned(),
                    a: a.to_owned(),
                    b: b.to_owned(),
                    expected: given.preference,
                });
            }
        }
        unknown
    }

    /// Adds the gold pairs of a campaign and the assessors' answers to gold questions. Answers to
    /// gold pairs that were asked as regular questions are already among the votes. If `queries` is
    /// not empty, only these queries are used. Returns the number of gold answers added.
    pub fn add_campaign_gold(&mut self, campaign: &Campaign, queries: &[String]) -> usize {
        let wanted = |query: &String| queries.is_empty() || queries.contains(query);
        let mut gold: Vec<GoldQuestion> = Vec::new();
        let mut know = |query: &str, a: &str, b: &str, expected: Preference| {
            let [a, b, query] = [a, b, query].map(str::to_owned);
            let pair = GoldQuestion {
                query,
                a,
                b,
                expected,
            };
            if !gold.contains(&pair) {
                gold.push(pair);
            }
        };
        let settings = campaign.spec().gold.iter();
        for pair in settings.flat_map(|gold| &gold.pairs) {
            if let Some(expected) = pair.answer.preference() {
                know(&pair.query, &pair.a, &pair.b, expected);
            }
        }
        let before = self.gold_answers.len();
        for (answered, expected) in campaign.gold_answers() {
            let query = &answered.question.query;
            let choice = answered.judgment.preference().filter(|_| wanted(query));
            let (Some(answer), Some([a, b])) = (choice, answered.question.pair()) else {
                continue;
            };
            know(query, a, b, expected);
            self.gold_answers.push(UncountedAnswer {
                query: query.clone(),
                a: a.to_owned(),
                b: b.to_owned(),
                assessor: campaign.canonical_name(&answered.assessor),
                answer,
            });
        }
        gold.retain(|pair| wanted(&pair.query));
        self.gold.append(&mut gold);
        self.gold_answers.len() - before
    }

    /// Adds the numbers of questions of any kind that the assessors of a campaign answered and
    /// reported.
    pub fn add_campaign_reports(&mut self, campaign: &Campaign) {
        for (person, counts) in campaign.report_counts() {
            self.reports.insert(person.to_owned(), counts);
        }
    }

    /// Adds second answers of assessors to pairs that they had answered before.
    pub fn add_repeats(&mut self, repeats: &Preferences) {
        for query in repeats.queries() {
            self.repeats.extend(query.votes().iter().map(|given| {
                let name = |item: Item| query.items().name(item).to_owned();
                UncountedAnswer {
                    query: query.name().to_owned(),
                    a: name(given.a),
                    b: name(given.b),
                    assessor: repeats.assessors().name(given.assessor).to_owned(),
                    answer: given.preference,
                }
            }));
        }
    }

    /// Returns the correct answers to the gold pairs of a query, where a is the item with the lower
    /// number.
    pub(super) fn right_answers(
        &self,
        query: &QueryPreferences,
    ) -> HashMap<(Item, Item), Preference> {
        let gold = self.gold.iter().filter(|gold| gold.query == query.name());
        let right = gold.filter_map(|gold| {
            let items = [query.items().get(&gold.a)?, query.items().get(&gold.b)?];
            Some((
                lower_number_first(items),
                mirrored_if(gold.expected, items[0] > items[1]),
            ))
        });
        right.collect()
    }

    /// Returns the correct answer to a gold question, where a is the item shown first.
    pub(super) fn right_answer(&self, given: &UncountedAnswer) -> Option<Preference> {
        let mut gold = self.gold.iter().filter(|gold| gold.query == given.query);
        gold.find_map(|gold| match [&gold.a, &gold.b] {
            shown if shown == [&given.a, &given.b] => Some(gold.expected),
            shown if shown == [&given.b, &given.a] => Some(gold.expected.mirrored()),
            _ => None,
        })
    }
}
