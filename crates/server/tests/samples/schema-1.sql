--
-- PostgreSQL database dump
--

\restrict vWywBlZjR13vluIVM0pqZDmaRA1uks6hgWeKNTEbhlmFge7fX9IwBJKph1F0Wn6

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
    seq bigint NOT NULL,
    chain text NOT NULL,
    version bigint NOT NULL,
    number bigint NOT NULL,
    recruiter text
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
    task bigint NOT NULL,
    version bigint NOT NULL,
    body text NOT NULL
);


--
-- Name: event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event (
    key bigint NOT NULL,
    campaign text NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    line text NOT NULL,
    chain text NOT NULL,
    task bigint
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
-- Name: remark; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.remark (
    campaign text NOT NULL,
    person text NOT NULL,
    task bigint NOT NULL,
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
    key bigint NOT NULL,
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

COPY public.campaign (name, created, state, seq, chain, version, number, recruiter) FROM stdin;
all	1795039362965	open	29	e25ab9e2a00268dc4c5cc745dfef0eec314be143c7e2827e70dec5b8f023e072	55	1	{"preset":"prolific","name":null,"id":null,"capture":null,"kind":null,"limit":3,"outcomes":{"complete":{"code":"C1","url":null}}}
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	6ebf0cd51f24bd902b7232a7
\.


--
-- Data for Name: draft; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.draft (task, version, body) FROM stdin;
1099511627790	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
1099511627791	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (key, campaign, seq, at, line, chain, task) FROM stdin;
1099511627777	all	1	1795039362965	{"seq":1,"at":"2026-11-18T22:02:42.965Z","author":"organiser adb6af44da641fbf9b3bd85a","event":"opened","version":1,"spec":{"name":"all","title":"A campaign","kinds":["preference","ranking","grading"],"instructions":{},"consent":{"version":"1","text":{"en":"Agree?"}},"settings":{"seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"matters":0.242,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"names":"exact"},"lists":[{"query":"=r","show":{"text":"text =r"},"items":[{"item":"k","show":{"text":"text k"}},{"item":"l","show":{"text":"text l"}},{"item":"m","show":{"text":"text m"}}]},{"query":"q","show":{"audio":"950ca48f1fd1da74c1da47777dbc1aee11f6a4e306e7b7d95ead257d9a1075ef","text":"text q"},"items":[{"item":"x","show":{"image":"2f5377edb154bb5666bfb85ae12a37b889f68ae11cd880fb0c4164912aac0ff4","text":"text x","alt":"a staff"}},{"item":"y","show":{"text":"text y"}},{"item":"z","show":{"text":"text z"}}]}],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"recruiter":null,"judging":{"lease_seconds":600,"per_person":null,"people":null,"ahead":3,"hear":"ended","mix":true,"graders":2,"wait_seconds":120,"fine":{"min":0.0,"max":10.0,"step":0.1},"background":true}},"chain":"52e4c3543e39563ba03207ec90ffa495eac289a2806b31c8d9db5ca04a00ce7b"}	52e4c3543e39563ba03207ec90ffa495eac289a2806b31c8d9db5ca04a00ce7b	\N
1099511627778	all	2	1795039362965	{"seq":2,"at":"2026-11-18T22:02:42.965Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"8d4b9838ea636f7f57a772e41d3fe193bb44f2e0917d430288e74db07ce0e157"}	8d4b9838ea636f7f57a772e41d3fe193bb44f2e0917d430288e74db07ce0e157	\N
1099511627779	all	3	1795039363009	{"seq":3,"at":"2026-11-18T22:02:43.009Z","author":"703b541504b7157dd591b820","event":"answered","query":"=r","a":"l","b":"m","assessor":"703b541504b7157dd591b820","answer":"a","seconds":2.5,"time":1795039363.009,"id":"00000000-0000-0000-0000-000000000001","chain":"8db8c8f68ed756c6c7eef3de5b2bbe69e356ee51d266b74aeb59f941539d4ef3"}	8db8c8f68ed756c6c7eef3de5b2bbe69e356ee51d266b74aeb59f941539d4ef3	1099511627777
1099511627780	all	4	1795039363017	{"seq":4,"at":"2026-11-18T22:02:43.017Z","author":"703b541504b7157dd591b820","event":"answered","query":"q","a":"y","b":"x","assessor":"703b541504b7157dd591b820","answer":"b","seconds":2.5,"time":1795039363.017,"id":"00000000-0000-0000-0000-000000000002","chain":"0c3729093a3de09122c11c549873b17b5267e9a2061c6a04bdc3706eacd16922"}	0c3729093a3de09122c11c549873b17b5267e9a2061c6a04bdc3706eacd16922	1099511627778
1099511627781	all	5	1795039363021	{"seq":5,"at":"2026-11-18T22:02:43.021Z","author":"703b541504b7157dd591b820","event":"checked","query":"q","a":"z","b":"x","assessor":"703b541504b7157dd591b820","answer":"b","seconds":2.5,"time":1795039363.021,"id":"00000000-0000-0000-0000-000000000003","expected":"b","chain":"92cc090a9d3964b532f3274ca6f89610f5f9502fd2bb7d47b745d6fd2263d125"}	92cc090a9d3964b532f3274ca6f89610f5f9502fd2bb7d47b745d6fd2263d125	1099511627779
1099511627782	all	6	1795039363031	{"seq":6,"at":"2026-11-18T22:02:43.031Z","author":"703b541504b7157dd591b820","event":"answered","query":"=r","a":"m","b":"k","assessor":"703b541504b7157dd591b820","answer":"b","seconds":2.5,"time":1795039363.031,"id":"00000000-0000-0000-0000-000000000004","chain":"2597d4d84da418c3ec5b302c1c6d620e58eb271c5598f22806a0952ac7e31ece"}	2597d4d84da418c3ec5b302c1c6d620e58eb271c5598f22806a0952ac7e31ece	1099511627780
1099511627783	all	7	1795039363044	{"seq":7,"at":"2026-11-18T22:02:43.044Z","author":"703b541504b7157dd591b820","event":"answered","query":"q","a":"z","b":"y","assessor":"703b541504b7157dd591b820","answer":"b","seconds":2.5,"time":1795039363.044,"id":"00000000-0000-0000-0000-000000000005","chain":"dd80da5222e0c3dda0d173d928fb9a30a790da451e036df7d3b13968abeb62c3"}	dd80da5222e0c3dda0d173d928fb9a30a790da451e036df7d3b13968abeb62c3	1099511627781
1099511627784	all	8	1795039363057	{"seq":8,"at":"2026-11-18T22:02:43.057Z","author":"90b9eae54817efc293fc007a","event":"answered","query":"=r","a":"k","b":"m","assessor":"90b9eae54817efc293fc007a","answer":"a","seconds":2.5,"time":1795039363.057,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"chain":"a6598a60dc54f934169e2a2058dd39202d5f99a6177d52003634d1653830dc78"}	a6598a60dc54f934169e2a2058dd39202d5f99a6177d52003634d1653830dc78	1099511627782
1099511627785	all	9	1795039363070	{"seq":9,"at":"2026-11-18T22:02:43.070Z","author":"90b9eae54817efc293fc007a","event":"reported","query":"q","item":"y","assessor":"90b9eae54817efc293fc007a","problem":"wrong","chain":"e04870fd038786ae075907208edb3e1ec5e2213b20391e3ec93b42031be005bb"}	e04870fd038786ae075907208edb3e1ec5e2213b20391e3ec93b42031be005bb	\N
1099511627786	all	10	1795039363086	{"seq":10,"at":"2026-11-18T22:02:43.086Z","author":"6ebf0cd51f24bd902b7232a7","event":"answered","query":"q","a":"y","b":"z","assessor":"6ebf0cd51f24bd902b7232a7","answer":"a","seconds":2.5,"time":1795039363.086,"id":"00000000-0000-0000-0000-000000000007","chain":"b0279509b3ded9a4ba88cc368dac8df4ef698e9ebd61949a4eb2e9d7b55bf415"}	b0279509b3ded9a4ba88cc368dac8df4ef698e9ebd61949a4eb2e9d7b55bf415	1099511627786
1099511627787	all	11	1795039363089	{"seq":11,"at":"2026-11-18T22:02:43.089Z","author":"organiser adb6af44da641fbf9b3bd85a","event":"excluded","assessor":"6ebf0cd51f24bd902b7232a7","chain":"729f50c23f48f80eb87c69dd0992db2f612316d89a5918c541e75ecc5a444e82"}	729f50c23f48f80eb87c69dd0992db2f612316d89a5918c541e75ecc5a444e82	\N
1099511627788	all	12	1795039363089	{"seq":12,"at":"2026-11-18T22:02:43.089Z","author":"server","event":"asked","batch":2,"pairs":[{"query":"q","a":"z","b":"y","votes":2,"more":1}],"chain":"bd2ebf435982936edf3933a08d33b8d4ddd6132c6f0d6041ffb5685ec929ee2a"}	bd2ebf435982936edf3933a08d33b8d4ddd6132c6f0d6041ffb5685ec929ee2a	\N
1099511627789	all	13	1795039363091	{"seq":13,"at":"2026-11-18T22:02:43.091Z","author":"organiser adb6af44da641fbf9b3bd85a","event":"readmitted","assessor":"6ebf0cd51f24bd902b7232a7","chain":"baa956d565cf2bddb0dc63bd1d0f48d99f67bda664632a8f44cef8af650e88dc"}	baa956d565cf2bddb0dc63bd1d0f48d99f67bda664632a8f44cef8af650e88dc	\N
1099511627790	all	14	1795039363111	{"seq":14,"at":"2026-11-18T22:02:43.111Z","author":"48d57deeae3d5a64ebfddc3a","event":"ranked","query":"=r","assessor":"48d57deeae3d5a64ebfddc3a","groups":[["k"],["l"],["m"]],"unranked":[],"seconds":30.0,"time":1795039363.111,"id":"00000000-0000-0000-0000-000000000008","chain":"2d25936c572f5cfe65437740b17d6d9230ccb8037bf13ea84cbc13146223867c"}	2d25936c572f5cfe65437740b17d6d9230ccb8037bf13ea84cbc13146223867c	1099511627788
1099511627791	all	15	1795039363115	{"seq":15,"at":"2026-11-18T22:02:43.115Z","author":"48d57deeae3d5a64ebfddc3a","event":"ranked","query":"q","assessor":"48d57deeae3d5a64ebfddc3a","groups":[["y"],["z"],["x"]],"unranked":[],"seconds":30.0,"time":1795039363.115,"id":"00000000-0000-0000-0000-000000000009","chain":"f88756b2a384148bec94c2e92336a655cdfaa2ea32945b8037478c765f7c35ea"}	f88756b2a384148bec94c2e92336a655cdfaa2ea32945b8037478c765f7c35ea	1099511627789
1099511627792	all	16	1795039363159	{"seq":16,"at":"2026-11-18T22:02:43.159Z","author":"2308cd6834af1bf4c4b1f8f7","event":"graded","query":"q","item":"z","assessor":"2308cd6834af1bf4c4b1f8f7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.159,"id":"00000000-0000-0000-0000-00000000000a","chain":"4d2721b989d6915a63ce4008903cc98bf7f746a59f06f3d8f07bdfe963a027ea"}	4d2721b989d6915a63ce4008903cc98bf7f746a59f06f3d8f07bdfe963a027ea	1099511627792
1099511627793	all	17	1795039363161	{"seq":17,"at":"2026-11-18T22:02:43.161Z","author":"2308cd6834af1bf4c4b1f8f7","event":"graded","query":"=r","item":"k","assessor":"2308cd6834af1bf4c4b1f8f7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.161,"id":"00000000-0000-0000-0000-00000000000b","chain":"0a1bebc86eaa8993626f5275a49bbdd09234abfb8c853180b44a7261208aa596"}	0a1bebc86eaa8993626f5275a49bbdd09234abfb8c853180b44a7261208aa596	1099511627793
1099511627794	all	18	1795039363164	{"seq":18,"at":"2026-11-18T22:02:43.164Z","author":"2308cd6834af1bf4c4b1f8f7","event":"graded","query":"q","item":"x","assessor":"2308cd6834af1bf4c4b1f8f7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.164,"id":"00000000-0000-0000-0000-00000000000c","chain":"5327cfe00fcaf67bf19a38c94dd58726fcb1c9d514cac85d6073210d052cb1b4"}	5327cfe00fcaf67bf19a38c94dd58726fcb1c9d514cac85d6073210d052cb1b4	1099511627794
1099511627795	all	19	1795039363170	{"seq":19,"at":"2026-11-18T22:02:43.170Z","author":"2308cd6834af1bf4c4b1f8f7","event":"graded","query":"=r","item":"m","assessor":"2308cd6834af1bf4c4b1f8f7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.17,"id":"00000000-0000-0000-0000-00000000000d","chain":"54d7691fb0c62901866880027966f03a3c72feeeb7b6625b01c109957dd6b939"}	54d7691fb0c62901866880027966f03a3c72feeeb7b6625b01c109957dd6b939	1099511627795
1099511627796	all	20	1795039363173	{"seq":20,"at":"2026-11-18T22:02:43.173Z","author":"2308cd6834af1bf4c4b1f8f7","event":"graded","query":"q","item":"y","assessor":"2308cd6834af1bf4c4b1f8f7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.173,"id":"00000000-0000-0000-0000-00000000000e","chain":"be467ab47db8872cc056c3a0d6289283b0e3b34e10bdeb5d97ee6527ebe420a0"}	be467ab47db8872cc056c3a0d6289283b0e3b34e10bdeb5d97ee6527ebe420a0	1099511627796
1099511627797	all	21	1795039363175	{"seq":21,"at":"2026-11-18T22:02:43.175Z","author":"2308cd6834af1bf4c4b1f8f7","event":"graded","query":"=r","item":"l","assessor":"2308cd6834af1bf4c4b1f8f7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.175,"id":"00000000-0000-0000-0000-00000000000f","chain":"7d7581711b8349febc2f8b7ab308f1d835e209a065acf9609324e6996805de18"}	7d7581711b8349febc2f8b7ab308f1d835e209a065acf9609324e6996805de18	1099511627797
1099511627798	all	22	1795039363187	{"seq":22,"at":"2026-11-18T22:02:43.187Z","author":"ff3e186e5e1a58dcdf3b2e6a","event":"graded","query":"q","item":"z","assessor":"ff3e186e5e1a58dcdf3b2e6a","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.187,"id":"00000000-0000-0000-0000-000000000010","chain":"00c17baef02a5e55b4753d32603a9a1b1230bd5cbdb76e780be8792f5559122f"}	00c17baef02a5e55b4753d32603a9a1b1230bd5cbdb76e780be8792f5559122f	1099511627798
1099511627799	all	23	1795039363190	{"seq":23,"at":"2026-11-18T22:02:43.190Z","author":"ff3e186e5e1a58dcdf3b2e6a","event":"graded","query":"=r","item":"l","assessor":"ff3e186e5e1a58dcdf3b2e6a","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.19,"id":"00000000-0000-0000-0000-000000000011","chain":"f6f26db3c45b12e505d3943d95b3a6592e08716d740db030e65e48f32f7dbab3"}	f6f26db3c45b12e505d3943d95b3a6592e08716d740db030e65e48f32f7dbab3	1099511627799
1099511627800	all	24	1795039363193	{"seq":24,"at":"2026-11-18T22:02:43.193Z","author":"ff3e186e5e1a58dcdf3b2e6a","event":"graded","query":"q","item":"x","assessor":"ff3e186e5e1a58dcdf3b2e6a","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.193,"id":"00000000-0000-0000-0000-000000000012","chain":"64849a31abca70ee184bd6b137dad363fbc9157cd4dd557f9eb3a9dac0a539ea"}	64849a31abca70ee184bd6b137dad363fbc9157cd4dd557f9eb3a9dac0a539ea	1099511627800
1099511627801	all	25	1795039363199	{"seq":25,"at":"2026-11-18T22:02:43.199Z","author":"ff3e186e5e1a58dcdf3b2e6a","event":"graded","query":"=r","item":"k","assessor":"ff3e186e5e1a58dcdf3b2e6a","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.199,"id":"00000000-0000-0000-0000-000000000013","chain":"6b3328dc06172d538b74f0c7a1127c8a98e81e42c69eede4fc71022e37705fa1"}	6b3328dc06172d538b74f0c7a1127c8a98e81e42c69eede4fc71022e37705fa1	1099511627801
1099511627802	all	26	1795039363202	{"seq":26,"at":"2026-11-18T22:02:43.202Z","author":"ff3e186e5e1a58dcdf3b2e6a","event":"graded","query":"q","item":"y","assessor":"ff3e186e5e1a58dcdf3b2e6a","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.202,"id":"00000000-0000-0000-0000-000000000014","chain":"d538ed6a18f3dfb8df975b66e0fbb0698a574a6fd7037ad122621b9f305b52f1"}	d538ed6a18f3dfb8df975b66e0fbb0698a574a6fd7037ad122621b9f305b52f1	1099511627802
1099511627803	all	27	1795039363204	{"seq":27,"at":"2026-11-18T22:02:43.204Z","author":"ff3e186e5e1a58dcdf3b2e6a","event":"graded","query":"=r","item":"m","assessor":"ff3e186e5e1a58dcdf3b2e6a","broad":"SS","fine":1.5,"seconds":3.0,"time":1795039363.204,"id":"00000000-0000-0000-0000-000000000015","chain":"06c42897dad3d90eeb885c7b976d54e04767ef02724ef365911b9b873be36129"}	06c42897dad3d90eeb885c7b976d54e04767ef02724ef365911b9b873be36129	1099511627803
1099511627804	all	28	1795039363209	{"seq":28,"at":"2026-11-18T22:02:43.209Z","author":"organiser adb6af44da641fbf9b3bd85a","event":"paused","chain":"21f0b7b5b936e26ae4ed08e0b3416ee0bb3fcfddd93baf9cc2fddf78de0f56a8"}	21f0b7b5b936e26ae4ed08e0b3416ee0bb3fcfddd93baf9cc2fddf78de0f56a8	\N
1099511627805	all	29	1795039363211	{"seq":29,"at":"2026-11-18T22:02:43.211Z","author":"organiser adb6af44da641fbf9b3bd85a","event":"resumed","chain":"e25ab9e2a00268dc4c5cc745dfef0eec314be143c7e2827e70dec5b8f023e072"}	e25ab9e2a00268dc4c5cc745dfef0eec314be143c7e2827e70dec5b8f023e072	\N
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, expires, revoked, person) FROM stdin;
0a6815ac24242e2eff6ea17b	all	\\x4daadc21998b88d2c712a25986691c98c67b639369c83c61f5891419f365e0ac	ranking	\N	\N	\N	48d57deeae3d5a64ebfddc3a
52ee3b8a9dbc6ffdf879b9d3	all	\\x377d1e8f0a0fa41d26fd1140c971f6ee3a97776e60119ba32cf4c734c4882302	preference	\N	\N	\N	703b541504b7157dd591b820
6dc2eea3118fbc0f02a8faab	all	\\x8aafa39303ee6db7a2e59f070f88152ad27891a78d3f964868af9fa90364ff04	grading	\N	\N	\N	2308cd6834af1bf4c4b1f8f7
7917680a2ce1099a0440d3e1	all	\\xcf682810f9fdfa09c8d0f5440fb16dfb1b6746559890a0ae7f96681abe667ecc	preference	for later	\N	\N	\N
a5a724ea0aa423f777841f11	all	\\x8621ddab48f8252b9633c8662a700a1163e813b15c1ac7a99c23780e2d506e47	preference	\N	\N	\N	90b9eae54817efc293fc007a
e47bf1aa4452f6859987b90a	all	\\x3755dca74a3be57c3b973db2c6ca74fd0907555f545585be218dce624f8ddfb1	ranking	\N	\N	\N	aba19562d8f6506806ea28d9
f60bb3f1c783e37c71d5b756	all	\\xa189016e59bd49bda5a4a3c81ed833faa7a7915f7dc84915c6645fd4e8d1a853	grading	\N	\N	\N	ff3e186e5e1a58dcdf3b2e6a
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
2308cd6834af1bf4c4b1f8f7	all	grading	6dc2eea3118fbc0f02a8faab	active	en	1	cello, né	1795039363178	1795039363144	43
48d57deeae3d5a64ebfddc3a	all	ranking	0a6815ac24242e2eff6ea17b	active	en	1	cello, né	\N	1795039363096	26
6ebf0cd51f24bd902b7232a7	all	preference	recruiter	active	en	1	cello, né	\N	1795039363074	19
703b541504b7157dd591b820	all	preference	52ee3b8a9dbc6ffdf879b9d3	active	en	1	cello, né	1795039363047	1795039362979	13
90b9eae54817efc293fc007a	all	preference	a5a724ea0aa423f777841f11	active	en	1	cello, né	\N	1795039362982	5
aba19562d8f6506806ea28d9	all	ranking	e47bf1aa4452f6859987b90a	active	en	1	cello, né	\N	1795039363099	30
ff3e186e5e1a58dcdf3b2e6a	all	grading	f60bb3f1c783e37c71d5b756	active	en	1	cello, né	1795039363206	1795039363147	53
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x1944be7aaa77bb0c45bdd9bd89ae68c1f470dc19b84ccf73be768d1089e53c94	90b9eae54817efc293fc007a	1797631362982
\\x2074c22992e9aabc795aa9be4b105f765cf6dcbf5b0412be596448b8113d28b9	48d57deeae3d5a64ebfddc3a	1797631363096
\\x67724648c0a8572dd8d255a7d3db549d3afa18cb3ce786b613e34f919b6fe400	aba19562d8f6506806ea28d9	1797631363099
\\x7565588a6beeb0e7cb4372680b5d25ba0e48a7421d7530b31761554e00522f61	2308cd6834af1bf4c4b1f8f7	1797631363144
\\x8cae9a37345bf4b3d4cfa0f18a8e5a18b0e63d0eebebe7d0d0b11de653da3270	ff3e186e5e1a58dcdf3b2e6a	1797631363147
\\xbfe561d26a79557c0a3bfb5b1c511de7741d0852531bf036f92d1a4058d5122f	6ebf0cd51f24bd902b7232a7	1797631363074
\\xd923ae4d4c6e87cca2690fb80e09c97a6fe877dcad8571f4ac076565c5c10145	703b541504b7157dd591b820	1797631362979
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	90b9eae54817efc293fc007a	1099511627782	comment	1795039363057	both "good", né
all	90b9eae54817efc293fc007a	1099511627783	report	1795039363070	no sound
\.


--
-- Data for Name: session; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.session (hash, token, expires) FROM stdin;
\.


--
-- Data for Name: task; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.task (key, id, campaign, person, number, kind, query, low, high, side, fresh, gold, expires, state, changed) FROM stdin;
1099511627777	1-4b390cfae163cba513fd11af	all	703b541504b7157dd591b820	1	preference	=r	l	m	0	1	\N	1795039963001	live	6
1099511627778	2-430c6ffa25e231cb17b4f4c0	all	703b541504b7157dd591b820	2	preference	q	x	y	1	1	\N	1795039963001	live	6
1099511627779	3-3dcf06bb75a6a103764e7916	all	703b541504b7157dd591b820	3	preference	q	x	z	1	0	b	1795039963001	live	6
1099511627780	4-d5bd14648a12d7bc5f8aa04f	all	703b541504b7157dd591b820	4	preference	=r	k	m	1	1	\N	1795039963023	live	10
1099511627781	5-944b76c5b1efa86bd852e816	all	703b541504b7157dd591b820	5	preference	q	y	z	1	1	\N	1795039963023	live	10
1099511627782	6-60db15a1f1797d5dac6c24ba	all	90b9eae54817efc293fc007a	6	preference	=r	k	m	0	1	\N	1795039963050	live	14
1099511627783	7-a584fcee32fef03b83aae45e	all	90b9eae54817efc293fc007a	7	preference	q	x	y	0	1	\N	1795039963050	reported	17
1099511627784	8-62c3e4f23b4a5ef3ca090551	all	90b9eae54817efc293fc007a	8	preference	q	x	z	0	0	a	1795039963050	live	14
1099511627785	9-48972902c07f87d7f7eac3fd	all	90b9eae54817efc293fc007a	9	preference	=r	l	m	1	1	\N	1795039963065	live	16
1099511627786	a-285b0f903f5b10ff678c9b5c	all	6ebf0cd51f24bd902b7232a7	10	preference	q	y	z	0	1	\N	1795039963081	live	20
1099511627787	b-4d8c027f8c67d11e0110a9e3	all	6ebf0cd51f24bd902b7232a7	11	preference	q	x	y	0	0	\N	1795039963081	live	20
1099511627788	c-245d49535d0d3a96b3755ca2	all	48d57deeae3d5a64ebfddc3a	12	ranking	=r			0	1	\N	1795039963108	live	27
1099511627789	d-7da9171325cd52ed5a9ee627	all	48d57deeae3d5a64ebfddc3a	13	ranking	q			0	1	\N	1795039963108	live	27
1099511627790	e-c555657b27d0a42bb82302d7	all	aba19562d8f6506806ea28d9	14	ranking	=r			0	1	\N	1795039963125	live	31
1099511627791	f-090a5061fee8f1d66f0f5e26	all	aba19562d8f6506806ea28d9	15	ranking	q			0	1	\N	1795039963125	live	31
1099511627792	10-2f13c597bf01ae0b33736ffe	all	2308cd6834af1bf4c4b1f8f7	16	grading	q	z		0	1	\N	1795039963155	live	35
1099511627793	11-66fc439a7a5cb9d16fed2c6c	all	2308cd6834af1bf4c4b1f8f7	17	grading	=r	k		0	1	\N	1795039963155	live	35
1099511627794	12-dd05fa85025787b9dceef471	all	2308cd6834af1bf4c4b1f8f7	18	grading	q	x		0	1	\N	1795039963155	live	35
1099511627795	13-183e5390d88ca681045d51f8	all	2308cd6834af1bf4c4b1f8f7	19	grading	=r	m		0	1	\N	1795039963167	live	39
1099511627796	14-ac4d0d6c5961c0b9472a5c14	all	2308cd6834af1bf4c4b1f8f7	20	grading	q	y		0	1	\N	1795039963167	live	39
1099511627797	15-b4d4ce1fff8105ee021f9bc7	all	2308cd6834af1bf4c4b1f8f7	21	grading	=r	l		0	1	\N	1795039963167	live	39
1099511627798	16-d63005945ae62a893ef0c109	all	ff3e186e5e1a58dcdf3b2e6a	22	grading	q	z		0	1	\N	1795039963184	live	45
1099511627799	17-291bdecc48282c542ec2ecfa	all	ff3e186e5e1a58dcdf3b2e6a	23	grading	=r	l		0	1	\N	1795039963184	live	45
1099511627800	18-24667b1ebcf4bd9c5377c21b	all	ff3e186e5e1a58dcdf3b2e6a	24	grading	q	x		0	1	\N	1795039963184	live	45
1099511627801	19-2d436ee42863835c5e3af61c	all	ff3e186e5e1a58dcdf3b2e6a	25	grading	=r	k		0	1	\N	1795039963196	live	49
1099511627802	1a-a06044cd564a69f0197f85d6	all	ff3e186e5e1a58dcdf3b2e6a	26	grading	q	y		0	1	\N	1795039963196	live	49
1099511627803	1b-e1e7ecf5a9148529fd8a6727	all	ff3e186e5e1a58dcdf3b2e6a	27	grading	=r	m		0	1	\N	1795039963196	live	49
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
adb6af44da641fbf9b3bd85a	\\x8119ed6e73f267af81da5a9b34c62f3e06635cea637311833a0b190d38734b12	read manage people tokens	\N	1795039362899
\.


--
-- Name: campaign campaign_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_number_key UNIQUE (number);


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
    ADD CONSTRAINT event_pkey PRIMARY KEY (key);


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
-- Name: session session_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (hash);


--
-- Name: task task_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_pkey PRIMARY KEY (key);


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
    ADD CONSTRAINT draft_task_fkey FOREIGN KEY (task) REFERENCES public.task(key);


--
-- Name: event event_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: event event_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_task_fkey FOREIGN KEY (task) REFERENCES public.task(key);


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
    ADD CONSTRAINT remark_task_fkey FOREIGN KEY (task) REFERENCES public.task(key);


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

\unrestrict vWywBlZjR13vluIVM0pqZDmaRA1uks6hgWeKNTEbhlmFge7fX9IwBJKph1F0Wn6

