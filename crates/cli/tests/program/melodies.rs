//! Tests of the preparation of melodies for judging: features, candidates, clips and figures.

use crate::session::Folder;

const INCIPITS: &str = "a\t%G-2@4/4$ 4'CDEF/GFED/1C//\n\
                        b\t%G-2@4/4$xF =1/4'GAB''C/DC'BA/1G//\n\
                        c\t%G-2@4/4$ 4'CDEF/GABA/1G//\n\
                        d, e\t%G-2@4/4$ 8'C''C'CGC''C'CG/1C//\n";

fn collection() -> Folder {
    let folder = Folder::with("in/tunes.txt", INCIPITS);
    folder.output("collection import in --into c.coll");
    folder
}

#[test]
fn candidates_of_a_collection_become_a_campaign() {
    let folder = collection();
    let candidates =
        "collection candidates c.coll --query a c --gold gold.csv --format csv -o candidates.csv";
    let told = folder.partita(candidates).succeeds();
    told.says(&["a: 4 -> ", "c: 4 -> "]);
    let rows = folder.read("candidates.csv");
    assert!(
        rows.starts_with("query,item,prior,same_as,content,found_by\na,a,1,,"),
        "{rows}"
    );
    assert!(rows.contains("\na,b,2,a,"), "{rows}");
    folder.output("judge init k.jsonl --candidates candidates.csv --gold gold.csv --votes 1");
    let pairs = folder.output("judge next k.jsonl --format csv");
    // `b` sounds the same as `a`, so no question is about it.
    let mut asked = pairs.lines().skip(1);
    assert!(asked.all(|pair| !pair.contains(",b,")), "{pairs}");
    // `judge screen` reads the lengths of the clips.
    let clips = folder.output("collection render c.coll --output clips --format csv");
    folder.file("clips.csv", &clips);
    folder.file(
        "answers.csv",
        "query,a,b,answer,assessor,seconds\na,b,c,a,Ann,30\na,c,b,b,Ben,1\n",
    );
    let cards = folder.json("judge screen -p answers.csv --durations clips.csv");
    assert_eq!(cards["assessors"].as_array().map(Vec::len), Some(2));
}

#[test]
fn rendered_clips_are_equal_for_any_thread_count() {
    let folder = collection();
    let render = |output: &str, threads: &str| {
        let command =
            format!("collection render c.coll --output {output} --rate 8000 --format csv");
        folder
            .partita(&command)
            .args(&["--threads", threads])
            .succeeds()
            .out
    };
    assert_eq!(render("one", "1"), render("two", "2"));
    for file in ["a.flac", "b.flac", "c.flac", "d%2C%20e.flac"] {
        let bytes =
            |output: &str| std::fs::read(folder.path(&format!("{output}/{file}"))).expect("a clip");
        assert_eq!(bytes("one"), bytes("two"));
        assert!(bytes("one").starts_with(b"fLaC"));
    }
}

#[test]
fn query_names_may_contain_commas() {
    let folder = collection();
    let told = folder
        .partita("collection candidates c.coll --format json")
        .args(&["--query", "d, e"]);
    assert_eq!(told.succeeds().json()["queries"][0]["query"], "d, e");
    let told = folder.json("collection candidates c.coll --query a,c");
    assert_eq!(told["queries"].as_array().map(Vec::len), Some(2));
}

#[test]
fn candidates_include_items_of_given_runs() {
    let folder = collection().and("x.run", "a Q0 c 1 9 x\na Q0 b 2 8 x\n");
    let command = "collection candidates c.coll --query a c --run x.run";
    let outcome = folder
        .partita(&format!("{command} --format json"))
        .succeeds();
    outcome.says(&["x.run", "nothing for c"]);
    let found_by = outcome.json()["queries"][0]["candidates"][1]["found_by"].to_string();
    assert!(found_by.contains("run:x"), "{found_by}");
    folder.file("y.run", "a Q0 cc 1 9 y\n");
    folder.refuses(
        "collection candidates c.coll --query a --run y.run",
        &["cc", "nearest item is c"],
    );
}

#[test]
fn melodies_are_drawn_as_piano_rolls() {
    let folder = collection();
    folder.output("collection show c.coll a c --figure rolls/ -o shown.csv");
    for name in ["rolls/a.svg", "rolls/c.svg"] {
        let svg = folder.read(name);
        let parsed = roxmltree::Document::parse(&svg).expect("a picture");
        let bars = parsed.descendants().filter(|node| {
            node.has_tag_name("title") && node.text().is_some_and(|text| text.contains(" for "))
        });
        assert_eq!(bars.count(), 9, "{name}");
    }
    folder.output("collection show c.coll a --figure a.pdf -o shown.csv");
    folder.refuses(
        "collection show c.coll a c --figure x.svg",
        &["one melody", "--figure pictures/"],
    );
    folder.refuses(
        "collection show c.coll a --figure x.jpg",
        &[".svg, .pdf or .png"],
    );
    folder.refuses("collection show c.coll a --staves x.pdf", &["SVG"]);
    folder.refuses(
        "collection show c.coll a --staves x.svg --verovio in",
        &["npm install verovio"],
    );
    let mut lonely = folder
        .partita("collection show c.coll a --staves x.svg")
        .into_command();
    let ended = lonely.env("PATH", "").output().expect("the program runs");
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("Node.js"));
    assert!(!folder.path("x.svg").exists());
}

#[test]
fn invalid_renderings_and_candidates_are_refused_with_a_hint() {
    let folder = collection().and("font.sf2", "RIFF\u{1}\u{1}\u{1}\u{1}sfbk");
    folder.file("cut.coll", "PARTITAC");
    for (command, words) in [
        ("render c.coll x --output o", "no item called x"),
        ("render nowhere.coll --output o", "cannot be read"),
        ("render cut.coll --output o", "damaged"),
        ("render c.coll --output o --rate 7", "--rate"),
        ("render c.coll --output o --loudness 3", "--loudness"),
        ("render c.coll --output o --tempo 0", "source"),
        ("render c.coll --output o --audio mp3", "flac"),
        (
            "render c.coll --output o --soundfont font.sf2",
            "no SoundFont 2 file",
        ),
        (
            "render c.coll --output o --soundfont nowhere.sf2",
            "cannot be read",
        ),
        ("render c.coll --output o --program 3", "--soundfont"),
        ("render c.coll --output font.sf2", "cannot be written"),
        ("features c.coll x", "no item called x"),
        (
            "candidates c.coll --query x",
            "there is no item and no file called x",
        ),
        ("candidates c.coll --query a a", "given twice"),
        (
            "candidates c.coll --query a --near contour",
            "as in `pitch_range=4`",
        ),
        ("candidates c.coll --query a --near contur=1", "contour"),
        ("candidates c.coll --query a --system Aline", "Align"),
        ("candidates c.coll --query a --keep 0", "from 1"),
        (
            "candidates c.coll --query a --run nowhere.run",
            "nowhere.run",
        ),
    ] {
        folder.refuses(&format!("collection {command}"), &[words]);
    }
}
