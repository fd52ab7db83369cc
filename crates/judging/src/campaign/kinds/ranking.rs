//! Rankings and grades: how they come in, and what lists and gains they make.

use std::collections::BTreeMap;

use partita_core::truth::{Aggregation, BuildOptions, build};
use partita_core::work::SequentialWork;
use partita_core::{AssessorRankings, GroundTruth, Item, QueryTruth, TruthScale, ZeroGainPolicy};
use schemars::JsonSchema;
use serde::Serialize;

use crate::campaign::engine::answer_status::{InputError, check_assessor_name};
use crate::campaign::log::event::{BroadGrade, Event, GradeAnswer, RankingAnswer};
use crate::campaign::{Campaign, CampaignError, ExportRequest, JudgmentKind, RejectedRow};

/// What taking in rankings or grades would do.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgmentIntakePlan {
    /// What is to be recorded.
    pub events: Vec<Event>,
    /// How many say what the person said last.
    pub repeated: usize,
    /// What is not taken, by its place among what was handed in, from 0.
    pub refused: Vec<(usize, InputError)>,
}

/// What became of rankings or grades that were handed in.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JudgmentIntakeReport {
    /// What the campaign is called.
    pub campaign: String,
    /// What they are.
    pub kind: JudgmentKind,
    /// How many there were.
    pub rows: usize,
    /// How many are in the log that were not before.
    pub added: usize,
    /// How many say what the person had said last.
    pub repeated: usize,
    /// Those that were not taken.
    pub refused: Vec<RejectedRow>,
}

partita_named::named_enum! {
    /// Which grades make the gains.
    pub enum GradeScale: "scale of grades" {
        /// the median of not (0), somewhat (1) and very similar (2)
        Broad = "broad",
        /// the mean of the numbers
        Fine = "fine",
    }
}

/// How many rankings and grades of a list there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JudgmentCounts {
    /// The rankings that count.
    pub rankings: usize,
    /// The rankings that are wanted.
    pub rankings_wanted: usize,
    /// The grades that count.
    pub grades: usize,
    /// The grades that are wanted.
    pub grades_wanted: usize,
}

/// What people's grades of an item come to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ItemGrades {
    /// The query.
    pub query: String,
    /// The item.
    pub item: String,
    /// How many people graded it.
    pub graders: usize,
    /// What they said.
    #[serde(flatten)]
    pub grades: GradeSummary,
}

/// The middle of several grades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct GradeSummary {
    /// The median of the broad grades, of which not similar is 0, somewhat 1 and very similar 2.
    pub broad: Option<f64>,
    /// The mean of the fine grades.
    pub fine: Option<f64>,
}

impl Campaign {
    /// What taking in rankings or grades would do; other events are none of this. What a person said last
    /// is not written down again.
    pub fn plan_judgment_intake(&self, handed_in: Vec<Event>) -> JudgmentIntakePlan {
        let mut found = JudgmentIntakePlan {
            events: Vec::new(),
            repeated: 0,
            refused: Vec::new(),
        };
        let mut ids: BTreeMap<(String, String), Event> = BTreeMap::new();
        for (place, event) in handed_in.into_iter().enumerate() {
            match self.is_judged(&event, &mut ids) {
                Err(refusal) => found.refused.push((place, refusal)),
                Ok(true) => found.repeated += 1,
                Ok(false) => found.events.push(event),
            }
        }
        found
    }

    /// Whether a ranking or a grade says what the person said last.
    fn is_judged(
        &self,
        event: &Event,
        ids: &mut BTreeMap<(String, String), Event>,
    ) -> Result<bool, InputError> {
        let (query, person, id) = match event {
            Event::Ranked(ranked) => (&ranked.query, &ranked.assessor, &ranked.id),
            Event::Graded(graded) => (&graded.query, &graded.assessor, &graded.id),
            _ => return Err(InputError::NotAJudgment),
        };
        check_assessor_name(person)?;
        self.check(event).map_err(|error| match error {
            CampaignError::Input(refusal) => refusal,
            _ => unreachable!("a ranking or a grade is only refused for what it says"),
        })?;
        if let Some(id) = id {
            let reused = || InputError::IdReused {
                id: id.clone(),
                assessor: person.clone(),
            };
            let known = self.event_with_id(person, id);
            if let Some(known) = known {
                let same = self
                    .judgment(known)
                    .is_some_and(|known| says(&known, event));
                return if same { Ok(true) } else { Err(reused()) };
            }
            let key = (self.canonical_name(person), id.clone());
            if let Some(first) = ids.get(&key) {
                return if says(first, event) {
                    Ok(true)
                } else {
                    Err(reused())
                };
            }
            ids.insert(key, event.clone());
            return Ok(false);
        }
        let list = self.query(query)?;
        let person = self.canonical_name(person);
        Ok(match event {
            Event::Ranked(ranked) => {
                let rankings = self.rankings(list).into_iter();
                let mut own =
                    rankings.filter(|known| self.canonical_name(&known.assessor) == person);
                own.any(|known| same_ranking(known, ranked))
            }
            Event::Graded(graded) => {
                let grades = self.grades(list).into_iter();
                let mut own = grades.filter(|known| self.canonical_name(&known.assessor) == person);
                own.any(|known| same_grade(known, graded))
            }
            _ => false,
        })
    }

    /// The ranking or the grade that an event is, by its number.
    fn judgment(&self, event: usize) -> Option<Event> {
        let (rankings, grades) = (&self.records.rankings, &self.records.grades);
        let ranked = rankings.binary_search_by_key(&event, |(event, _)| *event);
        let graded = grades.binary_search_by_key(&event, |(event, _)| *event);
        match (ranked, graded) {
            (Ok(place), _) => Some(Event::Ranked(rankings[place].1.clone())),
            (_, Ok(place)) => Some(Event::Graded(grades[place].1.clone())),
            _ => None,
        }
    }

    /// The ranks that people gave to the items of a list, tied items sharing the mean of theirs; nothing if
    /// nobody ranked it.
    pub fn list_rankings(&self, list: usize) -> Option<AssessorRankings> {
        let rankings = self.rankings(list);
        let items = &self.lists[list].items;
        let names = rankings
            .iter()
            .map(|ranked| self.canonical_name(&ranked.assessor));
        let names: Vec<String> = names.collect();
        let mut entries = Vec::new();
        for (ranked, person) in rankings.iter().zip(&names) {
            let mut ranks: BTreeMap<&str, f64> = BTreeMap::new();
            let mut before = 0;
            for group in &ranked.groups {
                let rank = before as f64 + (group.len() as f64 + 1.0) / 2.0;
                ranks.extend(group.iter().map(|item| (item.as_str(), rank)));
                before += group.len();
            }
            for item in items.items().map(|item| items.name(item)) {
                entries.push((person.as_str(), item, ranks.get(item).copied()));
            }
        }
        (!entries.is_empty()).then(|| {
            AssessorRankings::new(entries).expect("a ranking that was checked has each item once")
        })
    }

    /// The lists that people's rankings make, as `truth build` makes them of rankings: by any-1. Lists that
    /// nobody ranked are left out.
    pub fn ranking_truth(&self, request: &ExportRequest) -> Result<GroundTruth, InputError> {
        let lists = self.list_indices(&request.queries)?.into_iter();
        let ranks: Vec<(&str, AssessorRankings)> = lists
            .filter_map(|list| Some((self.query_name(list), self.list_rankings(list)?)))
            .collect();
        let queries: Vec<(&str, &AssessorRankings)> =
            ranks.iter().map(|(query, ranks)| (*query, ranks)).collect();
        let mut settings = BuildOptions::default();
        settings.recipe.aggregation = Aggregation::Any1;
        let built = build(&queries, &settings, false, &SequentialWork);
        Ok(built.expect("work in turn is never stopped").truth)
    }

    /// The list that people's rankings of one query make, by any-1; nothing if nobody ranked it.
    pub(crate) fn ranked_groups(&self, list: usize) -> Option<Vec<Vec<String>>> {
        self.list_rankings(list)?;
        let request = ExportRequest {
            queries: vec![self.query_name(list).to_owned()],
            settled: false,
        };
        let truth = self.ranking_truth(&request).expect("the query is known");
        let judged = truth.query_truth(0);
        let name = |item: &Item| judged.names().name(*item).to_owned();
        let groups = judged.list().groups();
        Some(
            groups
                .map(|group| group.iter().map(name).collect())
                .collect(),
        )
    }

    /// How many rankings and grades of a list count, and how many are wanted of each by the kinds that the
    /// campaign asks for.
    pub fn judgment_counts(&self, list: usize) -> JudgmentCounts {
        let settings = self.spec();
        let wanted = |kind: JudgmentKind, count: usize| {
            let asked = settings.kinds.contains(&kind);
            usize::from(asked) * settings.graders as usize * count
        };
        let items = self.lists[list].items.len();
        JudgmentCounts {
            rankings: self.rankings(list).len(),
            rankings_wanted: wanted(JudgmentKind::Ranking, 1),
            grades: self.grades(list).len(),
            grades_wanted: wanted(JudgmentKind::Grading, items),
        }
    }

    /// Whether a list lacks rankings, or one of its items lacks grades, and more can come.
    pub(crate) fn has_missing_judgments(&self, list: usize) -> bool {
        let counts = self.judgment_counts(list);
        if self.is_list_closed(list) {
            return false;
        }
        if counts.rankings < counts.rankings_wanted {
            return true;
        }
        let graders = self.spec().graders as usize;
        let grades = self.grades(list);
        let of_item = |item: &str| grades.iter().filter(|graded| graded.item == item).count();
        let items = &self.lists[list].items;
        counts.grades_wanted > 0
            && items
                .items()
                .any(|item| of_item(items.name(item)) < graders)
    }

    /// What people's grades of each item come to, by the order of the candidates; items that nobody graded
    /// are left out.
    pub fn item_grades(&self, request: &ExportRequest) -> Result<Vec<ItemGrades>, InputError> {
        let lists = self.list_indices(&request.queries)?.into_iter();
        Ok(lists.flat_map(|list| self.graded_items_of(list)).collect())
    }

    pub(crate) fn graded_items_of(&self, list: usize) -> Vec<ItemGrades> {
        let grades = self.grades(list);
        let items = &self.lists[list].items;
        let mut found = Vec::new();
        for item in items.items().map(|item| items.name(item)) {
            let of_item: Vec<&&GradeAnswer> =
                grades.iter().filter(|graded| graded.item == item).collect();
            if of_item.is_empty() {
                continue;
            }
            let broad = of_item.iter().filter_map(|graded| graded.broad);
            let fine = of_item.iter().filter_map(|graded| graded.fine);
            found.push(ItemGrades {
                query: self.query_name(list).to_owned(),
                item: item.to_owned(),
                graders: of_item.len(),
                grades: GradeSummary {
                    broad: median(broad.map(BroadGrade::gain).collect()),
                    fine: mean(&fine.collect::<Vec<f64>>()),
                },
            });
        }
        found
    }

    /// The gains that people's grades make on a scale. Items without a grade on it are left out.
    pub fn grade_truth(
        &self,
        request: &ExportRequest,
        scale: GradeScale,
    ) -> Result<GroundTruth, InputError> {
        let mut queries: Vec<(String, Vec<(String, f64)>)> = Vec::new();
        for item in self.item_grades(request)? {
            let gain = match scale {
                GradeScale::Broad => item.grades.broad,
                GradeScale::Fine => item.grades.fine,
            };
            let Some(gain) = gain else { continue };
            match queries.last_mut().filter(|(query, _)| *query == item.query) {
                Some((_, gains)) => gains.push((item.item, gain)),
                None => queries.push((item.query, vec![(item.item, gain)])),
            }
        }
        let judged = queries.into_iter().map(|(query, gains)| {
            let gains = gains.iter().map(|(item, gain)| (item.as_str(), *gain));
            let judged = QueryTruth::from_grades(gains, ZeroGainPolicy::LeaveOut);
            (
                query,
                judged.expect("grades are finite and each item is graded once"),
            )
        });
        Ok(GroundTruth::new(TruthScale::Grades, judged.collect())
            .expect("a campaign has each query once"))
    }
}

/// Whether two rankings or two grades say the same.
fn says(one: &Event, other: &Event) -> bool {
    match (one, other) {
        (Event::Ranked(one), Event::Ranked(other)) => same_ranking(one, other),
        (Event::Graded(one), Event::Graded(other)) => same_grade(one, other),
        _ => false,
    }
}

fn same_ranking(one: &RankingAnswer, other: &RankingAnswer) -> bool {
    let groups = |ranked: &RankingAnswer| -> Vec<Vec<String>> {
        let groups = ranked.groups.iter().cloned();
        let sorted = groups.map(|mut group| {
            group.sort();
            group
        });
        sorted.collect()
    };
    one.query == other.query && groups(one) == groups(other)
}

fn same_grade(one: &GradeAnswer, other: &GradeAnswer) -> bool {
    one.query == other.query
        && one.item == other.item
        && one.broad == other.broad
        && one.fine == other.fine
}

/// The middle of these numbers, or the mean of the two in the middle.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    let (low, high) = ((numbers.len().checked_sub(1)?) / 2, numbers.len() / 2);
    Some((numbers[low] + numbers[high]) / 2.0)
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
