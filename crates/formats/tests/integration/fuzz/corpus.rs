//! Valid files of every format, which the fuzz test mutates.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Valid files, grouped by the kind of their data.
const VALID_TEXTS: &[&str] = &[
    // Ground truths.
    "query,item,group\nq1,a,1\nq1,b,1\nq1,\"c, d\",2\nq2,\"say \"\"hi\"\"\",1\nq2,e,3\n",
    "query\titem\tgroup\nq1\ta b\t1\nq1\tc\t2\n",
    "Crowd\tq1\ta\t1\nCrowd\tq1\tb\t2\nCrowd\tq2\tc\t1\n",
    "Crowd q1 a 1\nExpert q1 b 2\n",
    "q1 0 a 3\nq1 0 b 2\nq1 0 c 0\nq2 0 a -1\nq2 0 d 4.5\n",
    "q1\tQ0\ta\t1e-3\nq1\tQ0\tb\t.5\n\nq2\tQ0\tc\t100\n",
    "query,item,gain\nq1,a,90.5\nq1,b,0\nq2,c,-3\n",
    "q1 a 1\nq1 b 2\nq2 c 1\n",
    "# FILE NAME: q1.toc\n# NUMBER ALTERNATIVES: 4\n# ALTERNATIVE NAME 1: a\n\
     # ALTERNATIVE NAME 2: b\n# ALTERNATIVE NAME 3: c\n1: 1,{2,3},4\n",
    "{\"q1\": [[\"a\", \"b\"], [\"c\"]], \"q2\": [\"d\", [\"e\"], 7], \"q3\": []}",
    "{\n  \"q\\u00e91\": [[\"a\\nb\", \"\"]],\n  \"#2\": [[\" c \"]]\n}\n",
    "{\"#1\": [[\"a\", \"#b\"]], \"q 2\": [[\"c\"], [\"d, e\"]]}",
    "q1: (a, b), (c)\nq2: (d e, f), (g)\nq:3: (x)\nq4:\n",
    // Runs.
    "q1 Q0 a 1 9.5 tag\nq1 Q0 b 2 9.5 tag\nq1 Q0 x 3 -1 tag\nq2 Q0 c 1 1e3 tag\n",
    "q1\tQ0\ta\t1\t3\tt\r\nq2\tQ0\tb\t1\t2\tt\r\nq1\tQ0\tc\t2\t2\tu\r\n",
    "q1 Q0 a 1 inf r\nq1 Q0 a 2 0.1 r\nq2 Q0 b x 5 r\n",
    "system,query,item\ns1,q1,a\ns1,q1,b\ns2,q1,\"c, d\"\ns2,q2,a\n",
    "s1\tq1\ta\ns1\tq2\tb\ns2\tq1\tb\n",
    "q1 a b c\nq2 c a\nq3\n",
    "{\"q1\": [\"a\", [\"b\", \"c\"], \"x\"], \"q2\": [], \"q3\": [\"a\", \"a\"]}",
    "{\"q1\": {\"a\": 2, \"b\": 0.5, \"c d\": -1e3}, \"q2\": {}}",
    "q1\tQ0\ta b\t1\t3\tmy run\nq1\tQ0\tc\t2\t2\tmy run\n",
    "q1;Q0;a;1;3,5;t\nq1;Q0;b;2;1,5;t\n",
    "score,docno,qid\n0.5,a,q1\n0.75,b,q1\n0.5,c,q1\n",
    // Strata of queries.
    "query,group\nq1,slow\nq2,\"fast, loud\"\n",
    // Rankings.
    "query,assessor,item,rank\nq1,ann,a,1\nq1,ann,b,2.5\nq1,bob,a,\nq1,bob,\"c, d\",1\nq2,ann,a,3\n",
    "rank\tworker\tmood\ttopic\tdoc\n1\tann\tgood\tq, 1\ta b\n1\tbob\t\tq, 1\ta b\n",
    "assessor,a,\"b, c\",d\nann,1,2,2\nbob,,1e1,.5\n\"cy, jr\",3,2,1\n",
    "a\tb\tc\n1\t2\t3\n3\t\t1\n",
    "# FILE NAME: 1.toi\n# DATA TYPE: toi\n# NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 5\n\
     # ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n# ALTERNATIVE NAME 3: c\n3: 1,{2,3},4\n\
     1: {4,2},1\n1: 3\n",
    "# NUMBER ALTERNATIVES: 2\n# DATA TYPE: soc\n# ALTERNATIVE NAME 1: a\n\
     # ALTERNATIVE NAME 2: a\n2: 1,2\n10: 2,1\n",
    // Scores.
    "system,query,measure,value\na,q1,AP,0.5\nb,q1,AP,0.25\na,all,AP,0.5\n",
    "system,query,judge,value\na,q1,ann,0.5\na,q1,bob,1e-3\nb,q1,ann,1\nb,q1,bob,.5\n",
    "stratum,query,a,b\njazz,q1,0.1,0.2\nrock,q2,0.3,0.4\n",
    // Preferences, and durations of audio clips.
    "query,a,b,assessor,answer,seconds,batch\nq1,x,y,ann,a,12,1\nq1,y,x,bob,equal,8.5,1\nq2,u,v,ann,b,,2\n",
    "query,a,b,assessor,answer,time,ended,background,clips\nq,x,y,1,a,2010-04-14T18:29:32Z,\
     2010-04-14 18:40:00,\"I play\nthe piano, \"\"well\"\"\",13\nq,x,y,2,,1271269772,,no,13\n",
    "topic\tleft\tright\twinner\nq1\tx\ty\tleft\nq1\ty\tz\ttie\n",
    "q1 x y x\nq1 y z =\nq2 u v v\n",
    "HITId,CreationTime,WorkerId,WorkTimeInSeconds,Input.query,Input.docA,Input.docB,Answer.radio\n\
     1,\"Wed Apr 14 18:29:32 GMT 2010\",7,23,q,x,y,s\n1,\"Wed Apr 14 11:29:32 PDT 2010\",8,9,q,x,y,a\n",
    "item,seconds\nx,4.5\n\"y, z\",12\n",
    // Recorded votes.
    "7,3,2,0.375,-0.125\n\"3, 4\",9,3,-1,0,1e-1\n7,9,0\n",
    // Byte-order mark, comments, blank lines, outer blanks, and blanks beyond ASCII.
    "\u{feff}# comment\n\n  q1 0 a 1  \r\n\tq1 0 b 2\n",
    "旋律: (α, β), (γ)\nq\u{85}2: (a\u{a0}b)\n",
];

/// Returns all valid files. Some are in Latin-1 or compressed.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = VALID_TEXTS
        .iter()
        .map(|text| text.as_bytes().to_vec())
        .collect();
    files.push(b"q1 0 caf\xe9 1\nq1 0 na\xefve 2\n".to_vec());
    files.push(b"q1 Q0 caf\xe9 1 2 t\n".to_vec());
    for text in [
        VALID_TEXTS[4],
        VALID_TEXTS[13],
        VALID_TEXTS[9],
        VALID_TEXTS[21],
    ] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        files.push(encoder.finish().unwrap());
        let frame = |text: &str| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        let (first, rest) = text.split_at(20);
        files.push([frame(first), frame(rest)].concat());
    }
    files
}

/// Returns a run longer than a block of the reader, in which the lines of each query are not
/// contiguous.
pub(crate) fn long_file() -> Vec<u8> {
    let line = |i: usize| format!("q{} Q0 d{i} {i} {} t\n", i % 4 / 2 + i / 3000, 9000 - i);
    (0..9000).map(line).collect::<String>().into_bytes()
}
