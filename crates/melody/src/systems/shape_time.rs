//! ShapeTime: the best documents of the system ShapeH, ranked again by the system Time.

use partita_core::work::{Work, WorkError};

use super::searcher::{DocumentScore, PreparedCollection, SearchOptions, Searcher};
use super::shape_h::ShapeH;
use super::tie_breaking::{TIES, TieGrams};
use super::time::Time;
use super::{
    ALL_INVARIANCES, MelodySystem, ParameterSource, SystemDefinition, SystemParameter, TieRule,
};
use crate::Melody;

/// Definition of the system `ShapeTime`.
pub(super) static DEFINITION: SystemDefinition = SystemDefinition {
    name: "ShapeTime",
    aliases: &["2012-shapetime"],
    summary: "The melodies that ShapeH finds, ordered by Time.",
    description: "All documents whose ShapeH score is at least that of its `depth`-th are scored by Time \
        and returned in its order, with its scores. Both use their published constants.",
    reference: "Urbano, Lloréns, Morato & Sánchez-Cuadrado (2012), MIREX 2012 Symbolic Melodic \
        Similarity: Hybrid Sequence Alignment with Geometric Representations",
    parameters: &[
        SystemParameter {
            name: "depth",
            values: "a whole number from 1",
            default: "the number of results",
            description: "how many of ShapeH's are scored again, and those that tie with the last of \
                them",
            source: ParameterSource::Published,
            tuning_values: &[],
        },
        TIES,
    ],
    invariant_to: ALL_INVARIANCES,
    indexed: true,
    tie_rule: TieRule::ExactInterval,
    example: "ShapeTime(depth=100)",
    build: |arguments| {
        let depth = match arguments.given("depth") {
            Some(_) => Some(arguments.count("depth", |depth| depth > 0)?),
            None => None,
        };
        let ties = arguments.choice("ties")?;
        Ok(Box::new(ShapeTime { depth, ties }))
    },
};

/// Parameters of the system `ShapeTime`.
struct ShapeTime {
    /// Number of documents of ShapeH that are ranked again; `None` for the number of requested
    /// results.
    depth: Option<usize>,
    /// Property of n-grams that breaks ties.
    ties: TieGrams,
}

impl MelodySystem for ShapeTime {
    fn prepare(&self, melodies: &mut dyn Iterator<Item = Melody>) -> Box<dyn Searcher> {
        let mut shape = PreparedCollection::new(ShapeH::default());
        let mut time = PreparedCollection::new(Time::second_stage(self.ties));
        for melody in melodies {
            shape.add(&melody);
            time.add(&melody);
        }
        Box::new(TwoStageSearcher {
            depth: self.depth,
            shape: shape.finish(),
            time: time.finish(),
        })
    }
}

/// Collection that is searched in two stages: ShapeH selects documents, and Time ranks them.
struct TwoStageSearcher {
    depth: Option<usize>,
    shape: PreparedCollection<ShapeH>,
    time: PreparedCollection<Time>,
}

impl Searcher for TwoStageSearcher {
    fn documents(&self) -> usize {
        self.time.documents()
    }

    fn too_short_count(&self) -> usize {
        self.time.too_short_count()
    }

    fn search(
        &self,
        query: &Melody,
        wanted: SearchOptions,
        work: &dyn Work,
    ) -> Result<Option<Vec<DocumentScore>>, WorkError> {
        let (Some(for_shape), Some(for_time)) = (
            self.shape.prepare_query(query),
            self.time.prepare_query(query),
        ) else {
            return Ok(None);
        };
        let first = SearchOptions {
            top: self.depth.unwrap_or(wanted.top),
            ..wanted
        };
        let enough = |document: usize| self.time.is_long_enough(document);
        let found = self
            .shape
            .top_hits_with_ties(&for_shape, first, &enough, work)?;
        let documents: Vec<usize> = found.into_iter().map(|hit| hit.document).collect();
        let hits = self.time.score_documents(&for_time, &documents, work)?;
        let hits = (self.time).sort_hits(&for_time, query.len(), hits, wanted.top);
        Ok(Some(hits))
    }

    fn score(&self, query: &Melody, document: usize) -> Option<f64> {
        self.time.score(query, document)
    }

    fn scores(
        &self,
        query: &Melody,
        documents: &[usize],
        work: &dyn Work,
    ) -> Result<Vec<DocumentScore>, WorkError> {
        self.time.scores(query, documents, work)
    }

    fn scored_count(&self) -> u64 {
        self.shape.scored_count() + self.time.scored_count()
    }
}
