//! Rankings of items by assessors, and the lists built from them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use partita_core::judgment::{Answer, AnswerRole, Judgment, JudgmentKind, Question};
use partita_core::{AssessorRankings, Item};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    JudgmentFieldError, JudgmentProtocol, LogTag, SubmissionFields, parse_fields, write_line,
};
use crate::campaign::engine::list::ListRecord;
use crate::campaign::engine::subject::SubjectItems;
use crate::campaign::input_error::InputError;
use crate::campaign::log::wrap_in_braces;
use crate::campaign::{Campaign, CampaignEvidence, ExportRequest};

pub(crate) static PROTOCOL: RankingProtocol = RankingProtocol;

/// Protocol of rankings of the items of a list.
pub(crate) struct RankingProtocol;

/// Ranking of the items of a list by one assessor.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RankingAnswer")]
struct RankingLine<'l> {
    /// Query name.
    #[serde(borrow)]
    query: Cow<'l, str>,
    /// Assessor who ranked.
    #[serde(borrow)]
    assessor: Cow<'l, str>,
    /// Groups of items, the closest to the query first. Items of a group are tied and share the
    /// mean of their ranks.
    groups: Cow<'l, [Vec<String>]>,
    /// Items left unranked explicitly. Items that occur neither here nor in a group are unranked
    /// too.
    #[serde(default)]
    unranked: Cow<'l, [String]>,
    #[serde(flatten)]
    source: SubmissionFields,
}

/// Order of the items of a list, as the page of an assessor sends it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RankingFields {
    /// Groups of item keys, most similar first. Items of a group are tied.
    groups: Vec<Vec<String>>,
    /// Keys of items left unranked.
    unranked: Vec<String>,
}

const RANKED: &str = "ranked";

impl JudgmentProtocol for RankingProtocol {
    fn kind(&self) -> JudgmentKind {
        JudgmentKind::Ranking
    }

    fn noun(&self) -> &'static str {
        "ranking"
    }

    /// Returns no limit: the more assessors rank a list, the better its order is known.
    fn default_graders(&self) -> Option<u32> {
        None
    }

    fn log_tags(&self) -> &'static [LogTag] {
        &[LogTag {
            name: RANKED,
            description: "An assessor ranked the items of a list. The last ranking per assessor \
                          and list counts.",
        }]
    }

    fn write(&self, answer: &Answer, _: AnswerRole, out: &mut Vec<u8>) {
        let (groups, unranked) = parts(&answer.judgment);
        let line = RankingLine {
            query: answer.question.query.as_str().into(),
            assessor: answer.assessor.as_str().into(),
            groups: groups.into(),
            unranked: unranked.into(),
            source: SubmissionFields::from_answer(answer),
        };
        write_line(RANKED, &line, out);
    }

    fn read(&self, _: &str, fields: &[u8]) -> Result<(Answer, AnswerRole), serde_json::Error> {
        let object = wrap_in_braces(fields);
        let line: RankingLine<'_> = serde_json::from_slice(&object)?;
        let judgment = Judgment::Ranking {
            groups: line.groups.into_owned(),
            unranked: line.unranked.into_owned(),
        };
        let answer = Answer::new(&line.assessor, Question::ranking(&line.query), judgment);
        Ok((line.source.describe(answer), AnswerRole::Vote))
    }

    fn line_schema(&self, _: &str, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<RankingLine<'_>>()
    }

    fn parse_judgment(&self, fields: Map<String, Value>) -> Result<Judgment, JudgmentFieldError> {
        let RankingFields { groups, unranked } = parse_fields(fields)?;
        Ok(Judgment::Ranking { groups, unranked })
    }

    fn judgment_schema(&self, generator: &mut SchemaGenerator) -> Schema {
        RankingFields::json_schema(generator)
    }

    fn subject_items(&self, _: &ListRecord, items: &[String]) -> Result<SubjectItems, InputError> {
        match items {
            [] => Ok(SubjectItems::new()),
            _ => Err(InputError::WrongKind),
        }
    }

    fn subjects(&self, _: &ListRecord) -> Vec<SubjectItems> {
        vec![SubjectItems::new()]
    }

    /// Returns true if there are two items of different content to put in order.
    fn can_be_asked(&self, list: &ListRecord) -> bool {
        list.members.len() > 1
    }

    /// Checks that the ranking names only items of its list, each at most once, and has no empty
    /// group.
    fn check(
        &self,
        list: &ListRecord,
        answer: &Answer,
        role: AnswerRole,
    ) -> Result<(), InputError> {
        let Judgment::Ranking { groups, unranked } = &answer.judgment else {
            return Err(InputError::WrongKind);
        };
        self.subject_items(list, &answer.question.items)?;
        if role != AnswerRole::Vote {
            return Err(InputError::WrongKind);
        }
        if groups.iter().any(Vec::is_empty) {
            return Err(InputError::EmptyGroup);
        }
        let mut seen = HashSet::new();
        for item in groups.iter().flatten().chain(unranked) {
            if !seen.insert(list.find_item(item)?) {
                return Err(InputError::RankedTwice(item.clone()));
            }
        }
        Ok(())
    }

    fn evidence(
        &self,
        campaign: &Campaign,
        request: &ExportRequest,
    ) -> Result<CampaignEvidence, InputError> {
        let rankings = campaign.exported_rankings(&request.queries)?;
        Ok(CampaignEvidence::Rankings(rankings))
    }

    /// Ignores the order of items within a group, and unranked items.
    fn same_judgment(&self, one: &Judgment, other: &Judgment) -> bool {
        let sorted = |judgment: &Judgment| -> Vec<Vec<String>> {
            let mut groups = parts(judgment).0.to_vec();
            groups.iter_mut().for_each(|group| group.sort());
            groups
        };
        sorted(one) == sorted(other)
    }
}

/// Returns the groups and the unranked items of a ranking; both are empty for other judgments.
fn parts(judgment: &Judgment) -> (&[Vec<String>], &[String]) {
    match judgment {
        Judgment::Ranking { groups, unranked } => (groups, unranked),
        _ => (&[], &[]),
    }
}

impl Campaign {
    /// Returns the ranks that assessors gave to the items of a list; tied items share the mean of
    /// their ranks. Only the latest ranking of each assessor counts. Returns `None` if nobody
    /// ranked the list.
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
            for group in parts(&ranked.judgment).0 {
                let rank = before as f64 + (group.len() as f64 + 1.0) / 2.0;
                ranks.extend(group.iter().map(|item| (item.as_str(), rank)));
                before += group.len();
            }
            for item in items.items().map(|item| items.name(item)) {
                entries.push((person.as_str(), item, ranks.get(item).copied()));
            }
        }
        (!entries.is_empty()).then(|| {
            AssessorRankings::new(entries)
                .expect("validated rankings contain each item at most once")
        })
    }

    /// Builds the list of one query from rankings as [`Campaign::truth`] does, as groups of
    /// item names. Returns `None` if nobody ranked it.
    pub(crate) fn ranked_groups(&self, list: usize) -> Option<Vec<Vec<String>>> {
        self.list_rankings(list)?;
        let request = ExportRequest {
            queries: vec![self.query_name(list).to_owned()],
            settled: false,
        };
        let truth = self
            .truth(JudgmentKind::Ranking, &request)
            .expect("the query belongs to this campaign");
        let judged = truth.query_truth(0);
        let name = |item: &Item| judged.names().name(*item).to_owned();
        let groups = judged.list().groups();
        Some(
            groups
                .map(|group| group.iter().map(name).collect())
                .collect(),
        )
    }
}
