//! Lists from preferences.

use partita_core::{GroundTruth, GroupedList, Item, Judged, Scale};
use partita_formats::Warning;
use partita_formats::preferences::PreferencesFile;
use partita_formats::truth::{self, TruthFormat};
use partita_judging::{Built, Grouping, PooledLists, Price, Rule, Way, build, pooled_lists};
use partita_report::{Cell, Column, Table, TableFormat};
use serde_json::{Map, Value, json};

use super::{BuildArgs, ByName, Format};
use crate::batches;
use crate::failure::Failure;
use crate::output::warn;

/// Everything that was made from the answers.
struct Lists {
    file: PreferencesFile,
    built: Vec<Built>,
    /// The model by which the lists were made, if it was one.
    pooled: Option<PooledLists>,
    rule: Rule,
    price: Price,
    seed: u64,
}

pub(super) fn run(args: &BuildArgs, file: &str, format: Format) -> Result<String, Failure> {
    let rule = args
        .preferences
        .rule(crate::rankings::level("--alpha", args.alpha)?);
    let price = args.price.price()?;
    let read = args.preferences.read(file)?;
    let queries = read.preferences.queries();
    let mut built: Vec<Built> = queries
        .iter()
        .map(|query| build(query, rule, args.seed))
        .collect();
    let pooled = (args.by == ByName::Pooled).then(|| pooled_lists(&read.preferences));
    if let Some(pooled) = &pooled {
        for (built, fit) in built.iter_mut().zip(&pooled.fits) {
            built.list = Grouping::default().list(fit);
            built.alternatives = vec![built.list.clone()];
        }
    }
    let lists = Lists {
        file: read,
        built,
        pooled,
        rule,
        price,
        seed: args.seed,
    };
    warn(&lists.file.warnings);
    warn(&lists.remarks(file));
    match format {
        Format::Table => lists.tables(args.details),
        Format::Json if args.details => Ok(lists.json()),
        Format::Csv if args.details => lists.csv(),
        Format::Json => Ok(truth::write(&lists.truth()?, TruthFormat::Json)?),
        Format::Csv | Format::Groups => Ok(truth::write(&lists.truth()?, TruthFormat::Groups)?),
        Format::Notation => Ok(truth::write(&lists.truth()?, TruthFormat::Notation)?),
        Format::Qrels => Ok(truth::write(&lists.truth()?, TruthFormat::Qrels)?),
        Format::Gains => Ok(truth::write(&lists.truth()?, TruthFormat::Gains)?),
        Format::Preflib => Ok(truth::write(&lists.truth()?, TruthFormat::Preflib)?),
    }
}

impl Lists {
    fn name(&self, query: usize, item: Item) -> &str {
        self.file.preferences.queries()[query].items().name(item)
    }

    fn groups(&self, query: usize, list: &GroupedList) -> Vec<Vec<&str>> {
        let name = |item: &Item| self.name(query, *item);
        list.groups()
            .map(|group| group.iter().map(name).collect())
            .collect()
    }

    fn truth(&self) -> Result<GroundTruth, Failure> {
        let mut judged = Vec::new();
        for (query, built) in self.built.iter().enumerate() {
            let groups = self.groups(query, &built.list);
            let name = self.file.preferences.queries()[query].name().to_owned();
            judged.push((
                name,
                Judged::of_groups(groups.iter()).map_err(Failure::ours)?,
            ));
        }
        GroundTruth::new(Scale::Groups, judged).map_err(Failure::ours)
    }

    /// What there is to say of how the lists came about.
    fn remarks(&self, file: &str) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.pooled.is_some() {
            return warnings;
        }
        let mut remark = |message: String| {
            warnings.push(Warning {
                file: file.to_owned(),
                line: None,
                message,
            });
        };
        for (query, built) in self.file.preferences.queries().iter().zip(&self.built) {
            let name = query.name();
            match &built.way {
                Way::Replayed { unfinished: true } => remark(format!(
                    "query `{name}`: the record breaks off before all groups are settled"
                )),
                Way::Replayed { unfinished: false } => {}
                Way::Sorted {
                    because, missing, ..
                } => {
                    let mut message = format!(
                        "query `{name}`: this is no record of the self-organising sort ({because}), \
                         so it was run on the decisions from an order drawn with seed {}",
                        self.seed
                    );
                    if let Some(&(a, b)) = missing.first() {
                        let names = query.items();
                        message.push_str(&format!(
                            "; pairs that it needed and nobody compared were taken as equal: {}, the \
                             first being `{}` and `{}`",
                            missing.len(),
                            names.name(a),
                            names.name(b)
                        ));
                    }
                    remark(message);
                }
            }
            if built.alternatives.len() > 1 {
                remark(format!(
                    "query `{name}`: the record leaves {} lists open; one was drawn with seed {}, and \
                     `--details` prints all",
                    built.alternatives.len(),
                    self.seed
                ));
            }
        }
        warnings
    }

    /// How many pairs were decided which way: less, equal, greater.
    fn decisions(&self) -> [usize; 3] {
        let all = self.built.iter().flat_map(|built| &built.decisions);
        let mut counts = [0; 3];
        for (_, relation) in all {
            counts[*relation as usize] += 1;
        }
        counts
    }

    fn json(&self) -> String {
        let queries = || self.file.preferences.queries().iter().enumerate();
        let of_each = |part: &dyn Fn(usize) -> Value| -> Value {
            let parts = queries().map(|(query, known)| (known.name().to_owned(), part(query)));
            Value::Object(parts.collect::<Map<String, Value>>())
        };
        let pairs = |query: usize| -> Value {
            let decided = self.built[query].decisions.iter().map(|(pair, relation)| {
                json!({
                    "a": self.name(query, pair.a),
                    "b": self.name(query, pair.b),
                    "votes": [pair.votes.a, pair.votes.equal, pair.votes.b],
                    "relation": relation.name(),
                    "agreement": pair.votes.agreement(),
                    "batch": pair.batch + 1,
                })
            });
            decided.collect()
        };
        let way = |query: usize| -> Value {
            if self.pooled.is_some() {
                return json!({"way": "pooled"});
            }
            match &self.built[query].way {
                Way::Replayed { unfinished } => {
                    json!({"way": "replayed", "unfinished": unfinished})
                }
                Way::Sorted {
                    because,
                    order,
                    missing,
                } => json!({
                    "way": "sorted",
                    "because": because.to_string(),
                    "order": order.iter().map(|&item| self.name(query, item)).collect::<Vec<_>>(),
                    "missing": (missing.iter())
                        .map(|&(a, b)| [self.name(query, a), self.name(query, b)])
                        .collect::<Vec<_>>(),
                }),
            }
        };
        let [less, equal, greater] = self.decisions();
        let batches = batches::priced(&self.file, &self.price);
        let batches: Vec<Value> = (batches.iter().zip(1..))
            .map(|(batch, number)| batch.json(number))
            .collect();
        let alternatives = |query: usize| -> Value {
            let lists = self.built[query].alternatives.iter();
            lists.map(|list| json!(self.groups(query, list))).collect()
        };
        let mut value = json!({
            "seed": self.seed,
            "decide": self.rule.to_string(),
            "alpha": self.rule.alpha().map(|alpha| alpha.value()),
            "assessors": self.file.preferences.assessors().len(),
            "answers": self.file.preferences.len(),
            "lists": of_each(&|query| json!(self.groups(query, &self.built[query].list))),
            "alternatives": of_each(&alternatives),
            "decisions": {"less": less, "equal": equal, "greater": greater},
            "batches": batches,
            "pairs": of_each(&pairs),
            "ways": of_each(&way),
        });
        if let Some(pooled) = &self.pooled {
            value["model"] = of_each(&|query| self.model(query, pooled));
            let names = self.file.preferences.assessors();
            let people = names.items().zip(&pooled.reliability);
            let people =
                people.map(|(who, &reliable)| (names.name(who).to_owned(), json!(reliable)));
            value["reliability"] = Value::Object(people.collect());
        }
        format!("{value:#}\n")
    }

    /// What the model says of a list: its parameters, and the probability of every relation.
    fn model(&self, query: usize, pooled: &PooledLists) -> Value {
        let fit = &pooled.fits[query];
        let by = fit.difference_at(Grouping::default().matters);
        let order = fit.order();
        let worths = order
            .iter()
            .map(|&item| (self.name(query, item).to_owned(), json!(fit.worth(item))));
        let mut relations = Vec::new();
        for (place, &a) in order.iter().enumerate() {
            for &b in &order[place + 1..] {
                let [less, equal, greater] = fit.relation(a, b, by);
                relations.push(json!({
                    "a": self.name(query, a),
                    "b": self.name(query, b),
                    "less": less,
                    "equal": equal,
                    "greater": greater,
                }));
            }
        }
        json!({
            "worths": worths.collect::<Map<String, Value>>(),
            "eta": fit.eta(),
            "scale": fit.scale(),
            "expected_inversions": fit.expected_inversions(),
            "relations": relations,
        })
    }

    /// `query,a,b,votes_a,votes_equal,votes_b,relation,agreement,batch`.
    fn csv(&self) -> Result<String, Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = [
            "query",
            "a",
            "b",
            "votes_a",
            "votes_equal",
            "votes_b",
            "relation",
            "agreement",
            "batch",
        ];
        writer.write_record(header).map_err(Failure::ours)?;
        for (query, built) in self.built.iter().enumerate() {
            for (pair, relation) in &built.decisions {
                let votes = pair.votes;
                let agreement = votes.agreement().map(|a| a.to_string()).unwrap_or_default();
                let record = [
                    self.file.preferences.queries()[query].name(),
                    self.name(query, pair.a),
                    self.name(query, pair.b),
                    &votes.a.to_string(),
                    &votes.equal.to_string(),
                    &votes.b.to_string(),
                    relation.name(),
                    &agreement,
                    &(pair.batch + 1).to_string(),
                ];
                writer.write_record(record).map_err(Failure::ours)?;
            }
        }
        let bytes = writer.into_inner().map_err(Failure::ours)?;
        String::from_utf8(bytes).map_err(Failure::ours)
    }

    /// The lists for a person, and with details what became of each batch.
    fn tables(&self, details: bool) -> Result<String, Failure> {
        let columns = vec![Column::integer("Group"), Column::text("Items")];
        let mut table = Table::new(columns);
        for (query, built) in self.built.iter().enumerate() {
            table.push_heading(self.file.preferences.queries()[query].name().to_owned());
            for (group, items) in self.groups(query, &built.list).iter().enumerate() {
                let cells = vec![
                    Cell::integer(group as i64 + 1),
                    Cell::text(items.join(", ")),
                ];
                table.push(cells);
            }
        }
        let mut text = TableFormat::Text.render(&table);
        if details {
            text.push('\n');
            text.push_str(&self.batch_table()?);
        }
        Ok(text)
    }

    fn batch_table(&self) -> Result<String, Failure> {
        let mut table = Table::new(vec![
            Column::text("Batch"),
            Column::integer("Pairs"),
            Column::integer("Assessors"),
            Column::integer("Returning"),
            Column::number("Median s", 1),
            Column::text("Time"),
            Column::number("Agreement", 3),
            Column::number("Cost", 2),
        ]);
        let batches = batches::priced(&self.file, &self.price);
        for batch in &batches {
            let time = batch.seconds_to_completion().map(batches::clock);
            let cells = vec![
                Cell::text(batch.record.name.clone()),
                Cell::integer(batch.summary.pairs as i64),
                Cell::integer(batch.summary.assessors as i64),
                Cell::integer(batch.summary.returning as i64),
                batch.summary.median_seconds.into(),
                Cell::text(time.unwrap_or_default()),
                batch.summary.agreement.into(),
                Some(batch.cost).into(),
            ];
            table.push(cells);
        }
        let [less, equal, greater] = self.decisions();
        let pairs = less + equal + greater;
        let cost: f64 = batches.iter().map(|batch| batch.cost).sum();
        Ok(format!(
            "{}\n{pairs} pairs: {less} less, {equal} equal, {greater} greater; {} answers by {} \
             assessors; {cost:.2} in all, at {} and a fee for each answer.\n",
            TableFormat::Text.render(&table),
            self.file.preferences.len(),
            self.file.preferences.assessors().len(),
            self.price.reward,
        ))
    }
}
