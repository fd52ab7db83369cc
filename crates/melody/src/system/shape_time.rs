//! ShapeTime: what ShapeH finds, in the order of Time.

use partita_core::work::{Stopped, Work};

use super::call::Arguments;
use super::searcher::{Hit, Prepared, Searcher, Wanted};
use super::shape_h::ShapeH;
use super::time::Time;
use super::{ALL_INVARIANCES, Definition, Parameter, Source, System, SystemError, TieRule};
use crate::Melody;

pub(super) static DEFINITION: Definition = Definition {
    name: "ShapeTime",
    aliases: &["2012-shapetime"],
    summary: "The melodies that ShapeH finds, ordered by Time.",
    description: "All documents whose ShapeH score is at least that of its `depth`-th are scored by Time \
        and returned in its order, with its scores. Both use their published constants.",
    reference: "Urbano, Lloréns, Morato & Sánchez-Cuadrado (2012), MIREX 2012 Symbolic Melodic \
        Similarity: Hybrid Sequence Alignment with Geometric Representations",
    parameters: &[Parameter {
        name: "depth",
        values: "a whole number from 1",
        default: "the number of results",
        description: "how many of ShapeH's are scored again, and those that tie with the last of them",
        source: Source::Published,
        tries: &[],
    }],
    invariant_to: ALL_INVARIANCES,
    indexed: true,
    tie_rule: TieRule::ExactPitch,
    example: "ShapeTime(depth=100)",
    build: |arguments: &Arguments| -> Result<Box<dyn System>, SystemError> {
        let depth = match arguments.given("depth") {
            Some(_) => Some(arguments.count("depth", |depth| depth > 0)?),
            None => None,
        };
        Ok(Box::new(ShapeTime { depth }))
    },
};

struct ShapeTime {
    depth: Option<usize>,
}

impl System for ShapeTime {
    fn prepare(&self, melodies: &mut dyn Iterator<Item = Melody>) -> Box<dyn Searcher> {
        let mut shape = Prepared::new(ShapeH::default());
        let mut time = Prepared::new(Time::default());
        for melody in melodies {
            shape.add(&melody);
            time.add(&melody);
        }
        Box::new(Stages {
            depth: self.depth,
            shape: shape.settled(),
            time: time.settled(),
        })
    }
}

struct Stages {
    depth: Option<usize>,
    shape: Prepared<ShapeH>,
    time: Prepared<Time>,
}

impl Searcher for Stages {
    fn documents(&self) -> usize {
        self.time.documents()
    }

    fn too_short(&self) -> usize {
        self.time.too_short()
    }

    fn search(
        &self,
        query: &Melody,
        wanted: Wanted,
        work: &dyn Work,
    ) -> Result<Option<Vec<Hit>>, Stopped> {
        let (Some(for_shape), Some(for_time)) = (self.shape.ask(query), self.time.ask(query))
        else {
            return Ok(None);
        };
        let first = Wanted {
            top: self.depth.unwrap_or(wanted.top),
            ..wanted
        };
        let enough = |document: usize| self.time.is_long_enough(document);
        let found = self.shape.at_least_the(&for_shape, first, &enough, work)?;
        let documents: Vec<usize> = found.into_iter().map(|hit| hit.document).collect();
        let hits = self.time.score_these(&for_time, &documents, work)?;
        let hits = (self.time).in_order(&for_time, query.len(), hits, wanted.top);
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
    ) -> Result<Vec<Hit>, Stopped> {
        self.time.scores(query, documents, work)
    }

    fn scored(&self) -> u64 {
        self.shape.scored() + self.time.scored()
    }
}
