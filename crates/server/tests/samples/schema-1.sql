--
-- PostgreSQL database dump
--

\restrict XzhQvX9FLnA7xNIv51CIMQZZkQENI7DY777uYduqRxx6KM4nC5GtUuQVnGREi9m

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: campaign; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.campaign (
    name text NOT NULL,
    created bigint NOT NULL,
    state text NOT NULL,
    document text NOT NULL,
    seq bigint NOT NULL,
    chain text NOT NULL,
    version bigint NOT NULL
);


--
-- Name: claim; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.claim (
    campaign text NOT NULL,
    value text NOT NULL,
    params text NOT NULL,
    person text NOT NULL
);


--
-- Name: draft; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.draft (
    task text NOT NULL,
    version bigint NOT NULL,
    body text NOT NULL
);


--
-- Name: event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event (
    campaign text NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    line text NOT NULL,
    chain text NOT NULL
);


--
-- Name: invite; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invite (
    id text NOT NULL,
    campaign text NOT NULL,
    hash bytea NOT NULL,
    kind text NOT NULL,
    label text,
    expires bigint,
    revoked bigint,
    person text
);


--
-- Name: media; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.media (
    id text NOT NULL,
    type text NOT NULL,
    size bigint NOT NULL,
    millis bigint,
    bytes bytea NOT NULL
);


--
-- Name: meta; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.meta (
    key text NOT NULL,
    value text NOT NULL
);


--
-- Name: person; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.person (
    id text NOT NULL,
    campaign text NOT NULL,
    kind text NOT NULL,
    entry text NOT NULL,
    state text NOT NULL,
    language text NOT NULL,
    consent text,
    background text,
    waits_since bigint,
    created bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: person_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.person_token (
    hash bytea NOT NULL,
    person text NOT NULL,
    expires bigint NOT NULL
);


--
-- Name: receipt; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.receipt (
    person text NOT NULL,
    id text NOT NULL,
    task text NOT NULL,
    seq bigint NOT NULL,
    body_hash text NOT NULL,
    saved text NOT NULL
);


--
-- Name: remark; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.remark (
    campaign text NOT NULL,
    person text NOT NULL,
    task text NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    text text NOT NULL
);


--
-- Name: session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.session (
    hash bytea NOT NULL,
    token text NOT NULL,
    expires bigint NOT NULL
);


--
-- Name: task; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.task (
    id text NOT NULL,
    campaign text NOT NULL,
    person text NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    query text NOT NULL,
    low text NOT NULL,
    high text NOT NULL,
    side bigint NOT NULL,
    fresh bigint NOT NULL,
    gold text,
    expires bigint NOT NULL,
    state text NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token (
    id text NOT NULL,
    hash bytea NOT NULL,
    scopes text NOT NULL,
    campaign text,
    created bigint NOT NULL
);


--
-- Data for Name: campaign; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.campaign (name, created, state, document, seq, chain, version) FROM stdin;
all	1794850906197	open	{"name":"all","title":"A campaign","kinds":["preference","ranking","grading"],"instructions":{},"consent":{"version":"1","text":{"en":"Agree?"}},"settings":{"votes":2,"decide":"majority"},"lists":[{"query":"q","show":{"audio":"950ca48f1fd1da74c1da47777dbc1aee11f6a4e306e7b7d95ead257d9a1075ef","text":"text q"},"items":[{"item":"x","show":{"image":"2f5377edb154bb5666bfb85ae12a37b889f68ae11cd880fb0c4164912aac0ff4","text":"text x","alt":"a staff"}},{"item":"y","show":{"text":"text y"}},{"item":"z","show":{"text":"text z"}}]},{"query":"=r","show":{"text":"text =r"},"items":[{"item":"k","show":{"text":"text k"}},{"item":"l","show":{"text":"text l"}},{"item":"m","show":{"text":"text m"}}]}],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"recruiter":{"preset":"prolific","name":null,"id":null,"capture":null,"kind":null,"limit":3,"outcomes":{"complete":{"code":"C1","url":null}}},"judging":{"lease_seconds":600,"per_person":null,"people":null,"ahead":3,"hear":"ended","mix":true,"graders":2,"wait_seconds":120,"fine":{"min":0.0,"max":10.0,"step":0.1},"background":true}}	29	f595d9575bcae30663ff460a7396abcfbc8ff59d4979a2cdd4a2c0b1293f9fda	55
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	5a14fb93ef6f0906d2b06170
\.


--
-- Data for Name: draft; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.draft (task, version, body) FROM stdin;
063d1df5d4e754176ffa1143	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
46032b09968ab74c43706157	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (campaign, seq, at, line, chain) FROM stdin;
all	1	1794850906197	{"seq":1,"at":"2026-11-16T17:41:46.197Z","author":"organiser f12149d0b80d24f4a4cc1477","event":"opened","version":2,"settings":{"campaign":"all","seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"kinds":["preference","ranking","grading"],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"graders":2,"lists":[{"query":"=r","items":[{"item":"k"},{"item":"l"},{"item":"m"}]},{"query":"q","items":[{"item":"x"},{"item":"y"},{"item":"z"}]}]},"chain":"8b7ced3d619544e7f6d722fa5fb7fecb592b1c560d132542e5a6dbe9da345403"}	8b7ced3d619544e7f6d722fa5fb7fecb592b1c560d132542e5a6dbe9da345403
all	2	1794850906197	{"seq":2,"at":"2026-11-16T17:41:46.197Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"4c006d159b3250aa2090848b6520a59973284d2e9214ae6ce775349e1971b241"}	4c006d159b3250aa2090848b6520a59973284d2e9214ae6ce775349e1971b241
all	3	1794850906231	{"seq":3,"at":"2026-11-16T17:41:46.231Z","author":"dc0615541d0980723b3994b5","event":"answered","query":"q","a":"y","b":"x","assessor":"dc0615541d0980723b3994b5","answer":"b","seconds":2.5,"time":1794850906.231,"id":"00000000-0000-0000-0000-000000000001","chain":"85e2ea3f528586e7618a804428245c6da3ecef15de8b5f87cffe5d5fca48722e"}	85e2ea3f528586e7618a804428245c6da3ecef15de8b5f87cffe5d5fca48722e
all	4	1794850906235	{"seq":4,"at":"2026-11-16T17:41:46.235Z","author":"dc0615541d0980723b3994b5","event":"answered","query":"=r","a":"l","b":"m","assessor":"dc0615541d0980723b3994b5","answer":"a","seconds":2.5,"time":1794850906.235,"id":"00000000-0000-0000-0000-000000000002","chain":"b5892a3e48ed78b5e62dcb6c679ecf9b1db237fe7f164de7774cb536ec5dfc40"}	b5892a3e48ed78b5e62dcb6c679ecf9b1db237fe7f164de7774cb536ec5dfc40
all	5	1794850906239	{"seq":5,"at":"2026-11-16T17:41:46.239Z","author":"dc0615541d0980723b3994b5","event":"checked","query":"q","a":"x","b":"z","assessor":"dc0615541d0980723b3994b5","answer":"a","seconds":2.5,"time":1794850906.239,"id":"00000000-0000-0000-0000-000000000003","expected":"a","chain":"d8b1ea71a62b22d28d55ec72e5b78e13810f6ebba4a588206c53247844c42c50"}	d8b1ea71a62b22d28d55ec72e5b78e13810f6ebba4a588206c53247844c42c50
all	6	1794850906247	{"seq":6,"at":"2026-11-16T17:41:46.247Z","author":"dc0615541d0980723b3994b5","event":"answered","query":"=r","a":"k","b":"m","assessor":"dc0615541d0980723b3994b5","answer":"a","seconds":2.5,"time":1794850906.247,"id":"00000000-0000-0000-0000-000000000004","chain":"424ec6769fcd77f537ae34184187bb6b20dea6b64cc8f69d09665dab03f994e9"}	424ec6769fcd77f537ae34184187bb6b20dea6b64cc8f69d09665dab03f994e9
all	7	1794850906250	{"seq":7,"at":"2026-11-16T17:41:46.250Z","author":"dc0615541d0980723b3994b5","event":"answered","query":"q","a":"y","b":"z","assessor":"dc0615541d0980723b3994b5","answer":"a","seconds":2.5,"time":1794850906.25,"id":"00000000-0000-0000-0000-000000000005","chain":"a7b290cbe1f51f1df185aecd6d060c8a49114c84fc154aa3763b5c679037b64c"}	a7b290cbe1f51f1df185aecd6d060c8a49114c84fc154aa3763b5c679037b64c
all	8	1794850906261	{"seq":8,"at":"2026-11-16T17:41:46.261Z","author":"6e3c090ec30b685c80a5a47f","event":"answered","query":"q","a":"z","b":"y","assessor":"6e3c090ec30b685c80a5a47f","answer":"b","seconds":2.5,"time":1794850906.261,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"chain":"5aa690973080a99e1ed538876e7a9dd8feaf176db7ed725b91821f17f20cb19d"}	5aa690973080a99e1ed538876e7a9dd8feaf176db7ed725b91821f17f20cb19d
all	9	1794850906273	{"seq":9,"at":"2026-11-16T17:41:46.273Z","author":"6e3c090ec30b685c80a5a47f","event":"reported","query":"q","item":"x","assessor":"6e3c090ec30b685c80a5a47f","problem":"wrong","chain":"35f948cb898e34face7c9a7c066094ca85070f07c3187e51e0418296958f03e0"}	35f948cb898e34face7c9a7c066094ca85070f07c3187e51e0418296958f03e0
all	10	1794850906291	{"seq":10,"at":"2026-11-16T17:41:46.291Z","author":"5a14fb93ef6f0906d2b06170","event":"answered","query":"q","a":"x","b":"y","assessor":"5a14fb93ef6f0906d2b06170","answer":"a","seconds":2.5,"time":1794850906.291,"id":"00000000-0000-0000-0000-000000000007","chain":"5cd264ec98de1926ab3657cabe9234f2425edc6419318c270c9e752a290e37d8"}	5cd264ec98de1926ab3657cabe9234f2425edc6419318c270c9e752a290e37d8
all	11	1794850906296	{"seq":11,"at":"2026-11-16T17:41:46.296Z","author":"organiser f12149d0b80d24f4a4cc1477","event":"excluded","assessor":"5a14fb93ef6f0906d2b06170","chain":"6e653e8c100f75b6ee06f5f2f62e5476b482a185c33cc3224c69d14915fef09e"}	6e653e8c100f75b6ee06f5f2f62e5476b482a185c33cc3224c69d14915fef09e
all	12	1794850906296	{"seq":12,"at":"2026-11-16T17:41:46.296Z","author":"server","event":"asked","batch":2,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":1}],"chain":"03af616a4324deef57b9e96c91274898ffc5cd3f1ae38769d830966d3ceeac10"}	03af616a4324deef57b9e96c91274898ffc5cd3f1ae38769d830966d3ceeac10
all	13	1794850906301	{"seq":13,"at":"2026-11-16T17:41:46.301Z","author":"organiser f12149d0b80d24f4a4cc1477","event":"readmitted","assessor":"5a14fb93ef6f0906d2b06170","chain":"84409649a77e842606e72cd782a2c6e815390e6a3c9c68b961afd1825db4bf80"}	84409649a77e842606e72cd782a2c6e815390e6a3c9c68b961afd1825db4bf80
all	14	1794850906325	{"seq":14,"at":"2026-11-16T17:41:46.325Z","author":"871f562d5767c6b6785772dc","event":"ranked","query":"=r","assessor":"871f562d5767c6b6785772dc","groups":[["m"],["k"],["l"]],"unranked":[],"seconds":30.0,"time":1794850906.325,"id":"00000000-0000-0000-0000-000000000008","chain":"c3ec82e4bfe50e7fcce2e754905b691618d8d75f6d8f26a09ddd969fdde6f8b1"}	c3ec82e4bfe50e7fcce2e754905b691618d8d75f6d8f26a09ddd969fdde6f8b1
all	15	1794850906329	{"seq":15,"at":"2026-11-16T17:41:46.329Z","author":"871f562d5767c6b6785772dc","event":"ranked","query":"q","assessor":"871f562d5767c6b6785772dc","groups":[["y"],["z"],["x"]],"unranked":[],"seconds":30.0,"time":1794850906.329,"id":"00000000-0000-0000-0000-000000000009","chain":"20ae1f684bac9ca6cf901eeb705aa3adf6f5467270ac9ee997479781fa424420"}	20ae1f684bac9ca6cf901eeb705aa3adf6f5467270ac9ee997479781fa424420
all	16	1794850906368	{"seq":16,"at":"2026-11-16T17:41:46.368Z","author":"0708b6cde3a9fc4dcef818f5","event":"graded","query":"=r","item":"m","assessor":"0708b6cde3a9fc4dcef818f5","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.368,"id":"00000000-0000-0000-0000-00000000000a","chain":"510a534165680536763ee904d1f40cffe7ce9a55417e589c672aa70e52b567f3"}	510a534165680536763ee904d1f40cffe7ce9a55417e589c672aa70e52b567f3
all	17	1794850906372	{"seq":17,"at":"2026-11-16T17:41:46.372Z","author":"0708b6cde3a9fc4dcef818f5","event":"graded","query":"q","item":"x","assessor":"0708b6cde3a9fc4dcef818f5","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.372,"id":"00000000-0000-0000-0000-00000000000b","chain":"7a36a74d73c7aa73ab26eb1f55ce5e7d772b6c03c01d4f595a0b43562d6676ef"}	7a36a74d73c7aa73ab26eb1f55ce5e7d772b6c03c01d4f595a0b43562d6676ef
all	18	1794850906375	{"seq":18,"at":"2026-11-16T17:41:46.375Z","author":"0708b6cde3a9fc4dcef818f5","event":"graded","query":"=r","item":"l","assessor":"0708b6cde3a9fc4dcef818f5","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.375,"id":"00000000-0000-0000-0000-00000000000c","chain":"7eff15b75ef5e5b98d618799237a35918b01694a70a2b0f1c8fde993fed8d367"}	7eff15b75ef5e5b98d618799237a35918b01694a70a2b0f1c8fde993fed8d367
all	19	1794850906384	{"seq":19,"at":"2026-11-16T17:41:46.384Z","author":"0708b6cde3a9fc4dcef818f5","event":"graded","query":"q","item":"z","assessor":"0708b6cde3a9fc4dcef818f5","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.384,"id":"00000000-0000-0000-0000-00000000000d","chain":"f84c947b264d687052da7b79072d38809a1975e1a90f12585bfce89f5615d836"}	f84c947b264d687052da7b79072d38809a1975e1a90f12585bfce89f5615d836
all	20	1794850906387	{"seq":20,"at":"2026-11-16T17:41:46.387Z","author":"0708b6cde3a9fc4dcef818f5","event":"graded","query":"=r","item":"k","assessor":"0708b6cde3a9fc4dcef818f5","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.387,"id":"00000000-0000-0000-0000-00000000000e","chain":"4a036c49c155529783408cfb0093097c32598bdc6ce0f32337f00260dde6e6d8"}	4a036c49c155529783408cfb0093097c32598bdc6ce0f32337f00260dde6e6d8
all	21	1794850906402	{"seq":21,"at":"2026-11-16T17:41:46.402Z","author":"0708b6cde3a9fc4dcef818f5","event":"graded","query":"q","item":"y","assessor":"0708b6cde3a9fc4dcef818f5","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.402,"id":"00000000-0000-0000-0000-00000000000f","chain":"0c1063388688358f17f750fdbb52cdc157e985c9965b63b4a628658b16b7dd45"}	0c1063388688358f17f750fdbb52cdc157e985c9965b63b4a628658b16b7dd45
all	22	1794850906425	{"seq":22,"at":"2026-11-16T17:41:46.425Z","author":"546ec8d0c261c9f7ca73ff7a","event":"graded","query":"q","item":"z","assessor":"546ec8d0c261c9f7ca73ff7a","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.425,"id":"00000000-0000-0000-0000-000000000010","chain":"13d2c60fb0bf26440805af0cc7b9b496649f57cec4803b342bc1f60351eb23cd"}	13d2c60fb0bf26440805af0cc7b9b496649f57cec4803b342bc1f60351eb23cd
all	23	1794850906429	{"seq":23,"at":"2026-11-16T17:41:46.429Z","author":"546ec8d0c261c9f7ca73ff7a","event":"graded","query":"=r","item":"k","assessor":"546ec8d0c261c9f7ca73ff7a","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.429,"id":"00000000-0000-0000-0000-000000000011","chain":"26fd7f6e6041ce81dd7232a0cff6a7c7642b4e9892b56c6b3294580ee993a085"}	26fd7f6e6041ce81dd7232a0cff6a7c7642b4e9892b56c6b3294580ee993a085
all	24	1794850906432	{"seq":24,"at":"2026-11-16T17:41:46.432Z","author":"546ec8d0c261c9f7ca73ff7a","event":"graded","query":"q","item":"y","assessor":"546ec8d0c261c9f7ca73ff7a","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.432,"id":"00000000-0000-0000-0000-000000000012","chain":"b66232f1bf1389b9320da1902d9e030ef348c0b5a7998cccd6ca924e5de19c89"}	b66232f1bf1389b9320da1902d9e030ef348c0b5a7998cccd6ca924e5de19c89
all	25	1794850906439	{"seq":25,"at":"2026-11-16T17:41:46.439Z","author":"546ec8d0c261c9f7ca73ff7a","event":"graded","query":"=r","item":"l","assessor":"546ec8d0c261c9f7ca73ff7a","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.439,"id":"00000000-0000-0000-0000-000000000013","chain":"65f7378668dee4e2a768e141af624e19bb63a4fa72b4d5fff1d102a4e71c7dc5"}	65f7378668dee4e2a768e141af624e19bb63a4fa72b4d5fff1d102a4e71c7dc5
all	26	1794850906443	{"seq":26,"at":"2026-11-16T17:41:46.443Z","author":"546ec8d0c261c9f7ca73ff7a","event":"graded","query":"q","item":"x","assessor":"546ec8d0c261c9f7ca73ff7a","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.443,"id":"00000000-0000-0000-0000-000000000014","chain":"b684c8fb39b8d7d21c76c22818c74ba461bfa0783808ae8178687f117e780f64"}	b684c8fb39b8d7d21c76c22818c74ba461bfa0783808ae8178687f117e780f64
all	27	1794850906457	{"seq":27,"at":"2026-11-16T17:41:46.457Z","author":"546ec8d0c261c9f7ca73ff7a","event":"graded","query":"=r","item":"m","assessor":"546ec8d0c261c9f7ca73ff7a","broad":"SS","fine":1.5,"seconds":3.0,"time":1794850906.457,"id":"00000000-0000-0000-0000-000000000015","chain":"9a70c443c84d17700ee052fb6aedcfc7e8777a09f9198a80a3a0d9461b125ca5"}	9a70c443c84d17700ee052fb6aedcfc7e8777a09f9198a80a3a0d9461b125ca5
all	28	1794850906469	{"seq":28,"at":"2026-11-16T17:41:46.469Z","author":"organiser f12149d0b80d24f4a4cc1477","event":"paused","chain":"e3b0f6b262a1c050a2ae860e8dc005bcb44d7552808673f918f4b486a0788efb"}	e3b0f6b262a1c050a2ae860e8dc005bcb44d7552808673f918f4b486a0788efb
all	29	1794850906476	{"seq":29,"at":"2026-11-16T17:41:46.476Z","author":"organiser f12149d0b80d24f4a4cc1477","event":"resumed","chain":"f595d9575bcae30663ff460a7396abcfbc8ff59d4979a2cdd4a2c0b1293f9fda"}	f595d9575bcae30663ff460a7396abcfbc8ff59d4979a2cdd4a2c0b1293f9fda
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, expires, revoked, person) FROM stdin;
0d2872920dcd61045d4aaf91	all	\\x7139dc3a6f1a8bc550be656a1b2fd238e65cd9c14997ee579082a17d050f0ae7	preference	for later	\N	\N	\N
30c4a0ba06ab31b2c0f5cc49	all	\\x98d6be434416fc7516536f88b6accfbe9f5394c1eb4bb08e4ba964158ee01f49	preference	\N	\N	\N	dc0615541d0980723b3994b5
35d555877c5835d387f54739	all	\\x22b0f167322cc48030b6a6130a548cab903af0e7b4c1fe0ff916128eeba8b518	ranking	\N	\N	\N	871f562d5767c6b6785772dc
61f347bb6b80083c92d09861	all	\\x6b831e36678244680ed2912775261a83368641cb9cfc9559919c7d92c7c3b838	ranking	\N	\N	\N	7992ec075fe7cd34e0199412
7aa54632899ac6dc8ea6c686	all	\\x4a65abf1ccb2ff6f8bff2c86cf6e6a9d9ad717966571962604fe5a7c68cd3fbc	preference	\N	\N	\N	6e3c090ec30b685c80a5a47f
88f630cb76246a3da13b9620	all	\\x195adc8eb28813f556d410e93a8ce2afbbe11b7d4a198431920a4f32c262633f	grading	\N	\N	\N	0708b6cde3a9fc4dcef818f5
c87885182e1e02fc4f0b5668	all	\\x0ed68444c80302ca49e4500b58559fc46559824a54ecf9962f78b1d66ff2a638	grading	\N	\N	\N	546ec8d0c261c9f7ca73ff7a
\.


--
-- Data for Name: media; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.media (id, type, size, millis, bytes) FROM stdin;
950ca48f1fd1da74c1da47777dbc1aee11f6a4e306e7b7d95ead257d9a1075ef	audio/wav	364	20	\\x524946466401000057415645666d74201000000001000100401f0000803e000002001000646174614001000000000100020003000400050006000700080009000a000b000c000d000e000f0010001100120013001400150016001700180019001a001b001c001d001e001f0020002100220023002400250026002700280029002a002b002c002d002e002f0030003100320033003400350036003700380039003a003b003c003d003e003f0040004100420043004400450046004700480049004a004b004c004d004e004f0050005100520053005400550056005700580059005a005b005c005d005e005f0060006100620063006400650066006700680069006a006b006c006d006e006f0070007100720073007400750076007700780079007a007b007c007d007e007f0080008100820083008400850086008700880089008a008b008c008d008e008f0090009100920093009400950096009700980099009a009b009c009d009e009f00
2f5377edb154bb5666bfb85ae12a37b889f68ae11cd880fb0c4164912aac0ff4	image/png	25	\N	\\x89504e470d0a1a0a20616e64207768617420666f6c6c6f7773
\.


--
-- Data for Name: meta; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.meta (key, value) FROM stdin;
schema	1
\.


--
-- Data for Name: person; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person (id, campaign, kind, entry, state, language, consent, background, waits_since, created, changed) FROM stdin;
0708b6cde3a9fc4dcef818f5	all	grading	88f630cb76246a3da13b9620	active	en	1	cello, né	1794850906406	1794850906352	43
546ec8d0c261c9f7ca73ff7a	all	grading	c87885182e1e02fc4f0b5668	active	en	1	cello, né	1794850906465	1794850906356	53
5a14fb93ef6f0906d2b06170	all	preference	recruiter	active	en	1	cello, né	\N	1794850906277	19
6e3c090ec30b685c80a5a47f	all	preference	7aa54632899ac6dc8ea6c686	active	en	1	cello, né	\N	1794850906214	5
7992ec075fe7cd34e0199412	all	ranking	61f347bb6b80083c92d09861	active	en	1	cello, né	\N	1794850906312	30
871f562d5767c6b6785772dc	all	ranking	35d555877c5835d387f54739	active	en	1	cello, né	\N	1794850906308	26
dc0615541d0980723b3994b5	all	preference	30c4a0ba06ab31b2c0f5cc49	active	en	1	cello, né	1794850906254	1794850906210	13
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x4cb782bfc0428d41dfa035352d86ddcb128241519e418e066e534549ab767687	7992ec075fe7cd34e0199412	1797442906312
\\x9b69beed5d2cb561985b1e929ee6e991705b02f903424961f7a64e5d09a3cabb	6e3c090ec30b685c80a5a47f	1797442906214
\\xb3fe6afb6277209df7c6b88c64eeb358c34a5de76864b2dd946898b9097f9c7c	546ec8d0c261c9f7ca73ff7a	1797442906356
\\xc2350d1685f89158bda10a45ccd3c37d13db5ad42f6c14a9cd74cf9ca9a4ff5f	871f562d5767c6b6785772dc	1797442906308
\\xd6831202fd87a6ef64391bd726e54927c5ca7bb9a1b57f11abdac10aa3fb13db	0708b6cde3a9fc4dcef818f5	1797442906352
\\xe6b90995d787543f5b9ed28c0026367d81a192a2fb0f558b2815ebf161c7a120	dc0615541d0980723b3994b5	1797442906210
\\xebccab7336cbfec05d737d6ab7b4cb1e06c1cb33b4a5c26a4c6c04d705fb42f1	5a14fb93ef6f0906d2b06170	1797442906277
\.


--
-- Data for Name: receipt; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.receipt (person, id, task, seq, body_hash, saved) FROM stdin;
0708b6cde3a9fc4dcef818f5	00000000-0000-0000-0000-00000000000a	7889eb7cd003904abea19b9b	16	49c5b36764773089f8422b63efb62f583696dc3b7894d818a56239548577c432	2026-11-16T17:41:46.368Z
0708b6cde3a9fc4dcef818f5	00000000-0000-0000-0000-00000000000b	620ece9a575160d580075cab	17	db452e72fd9716077072c5d5ba01e5d7602eb0f24425b146722f2cb285b044bd	2026-11-16T17:41:46.372Z
0708b6cde3a9fc4dcef818f5	00000000-0000-0000-0000-00000000000c	5cb46882f147fee0777d9270	18	c40bbea6199e2225f33fc7c759c89544041ee9cfd7886dd6c11854e351414086	2026-11-16T17:41:46.375Z
0708b6cde3a9fc4dcef818f5	00000000-0000-0000-0000-00000000000d	ca04bdc5e6d552a78fd1c1f5	19	b453ec417d808f430799abca1ed386a3b0dfecda7b080712fe48411463f6a173	2026-11-16T17:41:46.384Z
0708b6cde3a9fc4dcef818f5	00000000-0000-0000-0000-00000000000e	c28e8234ceaa532831d3d7bc	20	07c0b076d46492b9e439bd1686726952b3a5ba52959422537bad832f34a8bafd	2026-11-16T17:41:46.387Z
0708b6cde3a9fc4dcef818f5	00000000-0000-0000-0000-00000000000f	bca4b538c5dce68676b6b715	21	9b320a44fb71a013bb2eae23255972675e874c5923c5a6148075df3b2baeccb2	2026-11-16T17:41:46.402Z
546ec8d0c261c9f7ca73ff7a	00000000-0000-0000-0000-000000000010	bf617eda0aa343e1f06e36ee	22	642058f9f69ce52fc968f7c47311fc288ccb063f8558efc307b85a05b104f6c8	2026-11-16T17:41:46.425Z
546ec8d0c261c9f7ca73ff7a	00000000-0000-0000-0000-000000000011	a0e1f5f851a6d094c3e9aca2	23	f2c6e597ef9aec3638b3b47ee95d4e92f57b19ed5794cc5c40804ab9836b7fd9	2026-11-16T17:41:46.429Z
546ec8d0c261c9f7ca73ff7a	00000000-0000-0000-0000-000000000012	241f3e34ae2e7692b7fa776e	24	5229accf19e047ce710b3c8f80e4e1d8082c1375841c11add29fafab3164dd6a	2026-11-16T17:41:46.432Z
546ec8d0c261c9f7ca73ff7a	00000000-0000-0000-0000-000000000013	013e7167e91203f29d0c45e7	25	04f81ec0839239aa59509706fe8c7ebbc99ddef3b3149c54c9f305a91d6110fd	2026-11-16T17:41:46.439Z
546ec8d0c261c9f7ca73ff7a	00000000-0000-0000-0000-000000000014	a42958a014f1c06ed65dca0e	26	eefa0131708b1524fe0c707cc229b3af722cbde2752dec30dee44bc55909342e	2026-11-16T17:41:46.443Z
546ec8d0c261c9f7ca73ff7a	00000000-0000-0000-0000-000000000015	bf264c8af6b31976c4106a0d	27	8f4ef34e5e430f27f00dc422a4fb9f0be7cf5b486a76ec381169035fe608636e	2026-11-16T17:41:46.457Z
5a14fb93ef6f0906d2b06170	00000000-0000-0000-0000-000000000007	73554054272b0ea82fc0fb81	10	1c4b73ed8b41e55b3699b956fc397d96996f96d5928e460f88cb34dae0e107e3	2026-11-16T17:41:46.291Z
6e3c090ec30b685c80a5a47f	00000000-0000-0000-0000-000000000006	8ae3fa2ffa2628ccebc6f1cc	8	3998cfc7dc1698295594ad7a74fb670b480cf360b0b01586f725595835b0d1ab	2026-11-16T17:41:46.261Z
871f562d5767c6b6785772dc	00000000-0000-0000-0000-000000000008	face9c279060283993434f92	14	32f8c942ed4c663465a43c12ae2f07f74f5b9440aa273788a351cb55b49c3f5a	2026-11-16T17:41:46.325Z
871f562d5767c6b6785772dc	00000000-0000-0000-0000-000000000009	3ad51087d15136d33b9d7275	15	d24739609eeb3c9e810afe0b5ee98d27bdb128939961dad767395c7c4a350d26	2026-11-16T17:41:46.329Z
dc0615541d0980723b3994b5	00000000-0000-0000-0000-000000000001	1d6c60b1b3e5d11047858054	3	f0dfe6708f838b173f0112ec3f8e8b52f99c073674095dd2a5461530fe49b0d6	2026-11-16T17:41:46.231Z
dc0615541d0980723b3994b5	00000000-0000-0000-0000-000000000002	e35adb02aa221119adc76aa9	4	74ae849d10bf733ac0c063bab824b94c8b4a3792c0a4d77eedbb1ce650056575	2026-11-16T17:41:46.235Z
dc0615541d0980723b3994b5	00000000-0000-0000-0000-000000000003	379a6942e57c92d7eef3beb2	5	c02915b2d347c49ef0a27444c0b15dba4966e2d4cf30906c3e568d55fe60ad9b	2026-11-16T17:41:46.239Z
dc0615541d0980723b3994b5	00000000-0000-0000-0000-000000000004	1c99455f52cc6f7489447036	6	d6d2aff42cd79b79821c4d7c457222fee26fa49a49b42677e718c148d585bfab	2026-11-16T17:41:46.247Z
dc0615541d0980723b3994b5	00000000-0000-0000-0000-000000000005	edf239cad36c0f9687ba2dcc	7	96170f26be178a924f6fdeec3d7a63813b5bac4e4c95d80c937751d330ead351	2026-11-16T17:41:46.250Z
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	6e3c090ec30b685c80a5a47f	8ae3fa2ffa2628ccebc6f1cc	comment	1794850906261	both "good", né
all	6e3c090ec30b685c80a5a47f	d3fab8899a6ef57a2aa1ed07	report	1794850906273	no sound
\.


--
-- Data for Name: session; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.session (hash, token, expires) FROM stdin;
\.


--
-- Data for Name: task; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.task (id, campaign, person, number, kind, query, low, high, side, fresh, gold, expires, state, changed) FROM stdin;
013e7167e91203f29d0c45e7	all	546ec8d0c261c9f7ca73ff7a	26	grading	=r	l		0	1	\N	1794851506436	answered	50
063d1df5d4e754176ffa1143	all	7992ec075fe7cd34e0199412	16	ranking	q			0	1	\N	1794851506338	live	31
13f7d713594a4082f36a4c25	all	5a14fb93ef6f0906d2b06170	12	preference	=r	l	m	1	1	\N	1794851506286	live	20
1c99455f52cc6f7489447036	all	dc0615541d0980723b3994b5	4	preference	=r	k	m	0	1	\N	1794851506243	answered	11
1d6c60b1b3e5d11047858054	all	dc0615541d0980723b3994b5	1	preference	q	x	y	1	1	\N	1794851506227	answered	7
241f3e34ae2e7692b7fa776e	all	546ec8d0c261c9f7ca73ff7a	25	grading	q	y		0	1	\N	1794851506420	answered	48
379a6942e57c92d7eef3beb2	all	dc0615541d0980723b3994b5	3	preference	q	x	z	0	1	a	1794851506227	answered	9
3ad51087d15136d33b9d7275	all	871f562d5767c6b6785772dc	14	ranking	q			0	1	\N	1794851506320	answered	29
46032b09968ab74c43706157	all	7992ec075fe7cd34e0199412	15	ranking	=r			0	1	\N	1794851506338	live	31
5cb46882f147fee0777d9270	all	0708b6cde3a9fc4dcef818f5	19	grading	=r	l		0	1	\N	1794851506364	answered	38
620ece9a575160d580075cab	all	0708b6cde3a9fc4dcef818f5	18	grading	q	x		0	1	\N	1794851506364	answered	37
69d55f18f22c315526a69493	all	6e3c090ec30b685c80a5a47f	8	preference	=r	k	m	1	1	\N	1794851506257	live	14
73554054272b0ea82fc0fb81	all	5a14fb93ef6f0906d2b06170	10	preference	q	x	y	0	1	\N	1794851506286	answered	21
7889eb7cd003904abea19b9b	all	0708b6cde3a9fc4dcef818f5	17	grading	=r	m		0	1	\N	1794851506364	answered	36
8ae3fa2ffa2628ccebc6f1cc	all	6e3c090ec30b685c80a5a47f	6	preference	q	y	z	1	1	\N	1794851506257	answered	15
a0e1f5f851a6d094c3e9aca2	all	546ec8d0c261c9f7ca73ff7a	24	grading	=r	k		0	1	\N	1794851506420	answered	47
a30a29808b456f122d0b32b2	all	5a14fb93ef6f0906d2b06170	11	preference	q	x	z	0	0	a	1794851506286	live	20
a42958a014f1c06ed65dca0e	all	546ec8d0c261c9f7ca73ff7a	27	grading	q	x		0	1	\N	1794851506436	answered	51
bca4b538c5dce68676b6b715	all	0708b6cde3a9fc4dcef818f5	22	grading	q	y		0	1	\N	1794851506379	answered	42
bf264c8af6b31976c4106a0d	all	546ec8d0c261c9f7ca73ff7a	28	grading	=r	m		0	1	\N	1794851506436	answered	52
bf617eda0aa343e1f06e36ee	all	546ec8d0c261c9f7ca73ff7a	23	grading	q	z		0	1	\N	1794851506420	answered	46
c28e8234ceaa532831d3d7bc	all	0708b6cde3a9fc4dcef818f5	21	grading	=r	k		0	1	\N	1794851506379	answered	41
ca04bdc5e6d552a78fd1c1f5	all	0708b6cde3a9fc4dcef818f5	20	grading	q	z		0	1	\N	1794851506379	answered	40
d3fab8899a6ef57a2aa1ed07	all	6e3c090ec30b685c80a5a47f	7	preference	q	x	z	1	0	b	1794851506257	reported	17
e35adb02aa221119adc76aa9	all	dc0615541d0980723b3994b5	2	preference	=r	l	m	0	1	\N	1794851506227	answered	8
edf239cad36c0f9687ba2dcc	all	dc0615541d0980723b3994b5	5	preference	q	y	z	0	1	\N	1794851506243	answered	12
f9da045db96686dc826c8e4d	all	6e3c090ec30b685c80a5a47f	9	preference	q	x	y	0	1	\N	1794851506268	returned	17
face9c279060283993434f92	all	871f562d5767c6b6785772dc	13	ranking	=r			0	1	\N	1794851506320	answered	28
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
f12149d0b80d24f4a4cc1477	\\x33b9ae225e078829febf32a0bae1a8c4d3d279267ebd372b15b7ab3ef47f278c	read manage people tokens	\N	1794850906166
\.


--
-- Name: campaign campaign_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_pkey PRIMARY KEY (name);


--
-- Name: claim claim_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (campaign, value);


--
-- Name: draft draft_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_pkey PRIMARY KEY (task);


--
-- Name: event event_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (campaign, seq);


--
-- Name: invite invite_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invite
    ADD CONSTRAINT invite_hash_key UNIQUE (hash);


--
-- Name: invite invite_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invite
    ADD CONSTRAINT invite_pkey PRIMARY KEY (id);


--
-- Name: media media_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_pkey PRIMARY KEY (id);


--
-- Name: meta meta_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (key);


--
-- Name: person person_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);


--
-- Name: person_token person_token_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.person_token
    ADD CONSTRAINT person_token_pkey PRIMARY KEY (hash);


--
-- Name: receipt receipt_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (person, id);


--
-- Name: receipt receipt_task_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_task_key UNIQUE (task);


--
-- Name: session session_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (hash);


--
-- Name: task task_person_kind_query_low_high_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_person_kind_query_low_high_key UNIQUE (person, kind, query, low, high);


--
-- Name: task task_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_pkey PRIMARY KEY (id);


--
-- Name: token token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_hash_key UNIQUE (hash);


--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (id);


--
-- Name: person_changed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX person_changed ON public.person USING btree (campaign, changed);


--
-- Name: person_token_person; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX person_token_person ON public.person_token USING btree (person);


--
-- Name: remark_campaign; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX remark_campaign ON public.remark USING btree (campaign);


--
-- Name: task_changed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_changed ON public.task USING btree (campaign, changed);


--
-- Name: claim claim_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.claim
    ADD CONSTRAINT claim_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: claim claim_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.claim
    ADD CONSTRAINT claim_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: draft draft_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_task_fkey FOREIGN KEY (task) REFERENCES public.task(id);


--
-- Name: event event_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: invite invite_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invite
    ADD CONSTRAINT invite_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: invite invite_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invite
    ADD CONSTRAINT invite_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: person person_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: person_token person_token_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.person_token
    ADD CONSTRAINT person_token_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: receipt receipt_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: receipt receipt_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_task_fkey FOREIGN KEY (task) REFERENCES public.task(id);


--
-- Name: remark remark_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.remark
    ADD CONSTRAINT remark_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: remark remark_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.remark
    ADD CONSTRAINT remark_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: remark remark_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.remark
    ADD CONSTRAINT remark_task_fkey FOREIGN KEY (task) REFERENCES public.task(id);


--
-- Name: session session_token_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_fkey FOREIGN KEY (token) REFERENCES public.token(id) ON DELETE CASCADE;


--
-- Name: task task_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: task task_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: token token_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- PostgreSQL database dump complete
--

\unrestrict XzhQvX9FLnA7xNIv51CIMQZZkQENI7DY777uYduqRxx6KM4nC5GtUuQVnGREi9m

