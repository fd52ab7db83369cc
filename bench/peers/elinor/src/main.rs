//! `peer-elinor QRELS RUN...` prints `file nDCG@10` for each run, by the elinor crate.

use std::{env, error::Error, fs};

use elinor::{
    trec::{parse_pred_rels_in_trec, parse_true_rels_in_trec},
    Metric,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = env::args().skip(1);
    let qrels = files.next().ok_or("usage: peer-elinor QRELS RUN...")?;
    let truth = parse_true_rels_in_trec(fs::read_to_string(qrels)?.lines())?;
    for file in files {
        let run = parse_pred_rels_in_trec(fs::read_to_string(&file)?.lines())?;
        let scores = elinor::evaluate(&truth, &run, Metric::NDCG { k: 10 })?;
        println!("{file} {}", scores.mean());
    }
    Ok(())
}
