//! Tests of files of a kind that the command does not read, and of files written by other programs.

use crate::session::Folder;

fn folder() -> Folder {
    Folder::with("my.run", "q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\n")
        .and("qrels.txt", "q1 0 a 1\nq1 0 b 0\n")
        .and("answers.csv", "query,a,b,assessor,answer\nq1,a,b,ann,a\n")
        .and(
            "rankings.csv",
            "query,assessor,item,rank\nq1,ann,a,1\nq1,ann,b,2\n",
        )
        .and(
            "turk.csv",
            "HITId,WorkerId,Input.query,Input.docA,Input.docB,Answer.radio\n1,7,q1,a,b,s\n",
        )
        .and("candidates.csv", "query,item\nq1,a\nq1,b\nq1,c\n")
}

#[test]
fn swapped_arguments_are_recognised() {
    let dir = folder();
    dir.refuses(
        "evaluate --truth my.run qrels.txt",
        &[
            "my.run: this looks like a run (query Q0 item rank score tag), not like a ground truth",
            "hint: are the arguments swapped?",
        ],
    );
    let said = [
        "qrels.txt: this looks like qrels (query 0 item grade)",
        "swapped?",
    ];
    dir.refuses("evaluate --truth qrels.txt qrels.txt", &said);
    dir.output("judge init log.jsonl -c candidates.csv");
    let said = [
        "answers.csv: this looks like preferences",
        "not like the log",
        "swapped?",
    ];
    dir.refuses("judge add answers.csv log.jsonl", &said);
    dir.refuses(
        "judge add log.jsonl log.jsonl",
        &["looks like the log of a campaign", "swapped?"],
    );
}

#[test]
fn the_error_for_a_file_of_another_kind_names_the_command_that_reads_it() {
    let dir = folder();
    let said = [
        "my.run: this looks like a run",
        "`partita evaluate --per-query --format csv`",
    ];
    dir.refuses("compare my.run", &said);
    let said = ["looks like preferences", "give it with `--preferences`"];
    dir.refuses("truth build --rankings answers.csv", &said);
    let said = [
        "looks like results of Mechanical Turk",
        "`--preferences`",
        "`--map mturk`",
    ];
    dir.refuses("truth build --rankings turk.csv", &said);
    dir.refuses("truth build --preferences turk.csv", &["say `--map mturk`"]);
    dir.refuses(
        "truth convert my.run --to json",
        &["`partita convert` also converts runs"],
    );
    dir.refuses(
        "run convert qrels.txt --to json",
        &["`partita convert` also converts ground truths"],
    );
}

#[test]
fn semicolons_and_decimal_commas_are_accepted_in_every_table() {
    let dir = Folder::with("truth.csv", "query;item;gain\nq1;a;1,5\nq1;b;0,5\n")
        .and("systems.csv", "query;system;item\nq1;s1;a\nq1;s1;b\n")
        .and("trec.csv", "q1;Q0;a;1;1,5;t\nq1;Q0;b;2;2,5;t\n")
        .and(
            "scores.csv",
            "query;s1;s2\nq1;0,5;0,25\nq2;0,5;0,75\nq3;0,5;0,25\n",
        )
        .and(
            "rankings.csv",
            "query;assessor;item;rank\nq1;ann;a;1\nq1;ann;b;1,5\n",
        )
        .and(
            "answers.csv",
            "query;a;b;assessor;answer;seconds\nq1;a;b;ann;a;1,5\n",
        )
        .and("candidates.csv", "query;item\nq1;a\nq1;b\n");
    let found = dir.output("evaluate --truth truth.csv systems.csv trec.csv -m DCG@1");
    assert_eq!(
        found,
        "run,query,measure,value,kind\ns1,all,DCG@1,1.5,mean\nt,all,DCG@1,0.5,mean\n"
    );
    let found = dir.json("compare scores.csv");
    assert_eq!(found["comparisons"][0]["systems"][0]["mean"], 0.5);
    let found = dir.output("rankings convert rankings.csv --to matrix");
    assert_eq!(found, "assessor,a,b\nann,1,1.5\n");
    dir.output("judge init log.jsonl -c candidates.csv --votes 1");
    dir.output("judge next log.jsonl");
    assert_eq!(
        dir.output("judge add log.jsonl answers.csv"),
        "flag,answers\ncounted,1\n"
    );
    dir.file("blanks.qrels", "q1 0 a 1,5\n");
    let said = ["a grade must be a number, not `1,5`", "write `1.5`"];
    dir.refuses("evaluate --truth blanks.qrels trec.csv", &said);
}

#[test]
fn names_with_spaces_are_read_from_tab_separated_files() {
    let dir = Folder::with("truth.txt", "q1\t0\tAnna B\t1\nq1\t0\tCy\t0\n")
        .and("r.run", "q1\tQ0\tCy\t1\t2\tt\nq1\tQ0\tAnna B\t2\t1\tt\n")
        .and("blanks.run", "q1 Q0 Anna B 1 2 t\n");
    let found = dir.output("evaluate --truth truth.txt r.run -m RR");
    assert_eq!(found, "run,query,measure,value,kind\nt,all,RR,0.5,mean\n");
    let said = ["found 7", "separated by tabs, or JSON"];
    dir.refuses("evaluate --truth truth.txt blanks.run", &said);
}

#[test]
fn the_mturk_map_reads_results_with_various_column_names() {
    let turk = "HITId,WorkerId,CreationTime,Input.topic,Input.item_a,Input.item_b,Answer.choice\n\
                1,7,2010-04-14T18:29:32Z,q1,x,y,itemA\n1,8,2010-04-14T18:29:32Z,q1,x,y,Same\n";
    let dir = Folder::with("t.csv", turk).and("map.txt", "# ours\nmturk\nequal=Same\n");
    let expected =
        "query,a,b,assessor,answer,time\nq1,x,y,7,a,1271269772\nq1,x,y,8,equal,1271269772\n";
    for map in ["mturk", "@map.txt", "MTurk,equal=Same"] {
        let found = dir.output(&format!(
            "preferences convert t.csv --map {map} --to answers"
        ));
        assert_eq!(found, expected, "{map}");
    }
    let odd = turk
        .replace("Input.item_a", "Input.one")
        .replace("Input.item_b", "Input.two");
    let dir = dir.and("odd.csv", &odd);
    assert_eq!(
        dir.output("preferences convert odd.csv --map mturk --to answers"),
        expected
    );
    let odder = odd.replace("HITId", "Input.three");
    let dir = dir.and(
        "odder.csv",
        odder
            .replace("WorkerId", "HITId,WorkerId")
            .replace("\n1,", "\n1,9,"),
    );
    let said = [
        "no column a, b",
        "--map mturk,a=Input.x",
        "Input.one, Input.two",
    ];
    dir.refuses(
        "preferences convert odder.csv --map mturk --to answers",
        &said,
    );
    let named = dir
        .partita("preferences convert t.csv --map map.txt --to answers")
        .run();
    assert_eq!(named.code, 2);
    named.says(&["`@map.txt` reads the map of that file"]);
}

#[test]
fn missing_folders_and_missing_files_have_the_same_message() {
    let dir = folder();
    let said = [
        "nowhere/x.csv: cannot be written: No such file or directory\n",
        "create the folder first",
    ];
    dir.refuses("evaluate --truth qrels.txt my.run -o nowhere/x.csv", &said);
    for command in [
        "judge status no.jsonl",
        "judge next no.jsonl",
        "compare no.jsonl",
    ] {
        dir.refuses(
            command,
            &["no.jsonl: cannot be read: No such file or directory\n"],
        );
    }
}
