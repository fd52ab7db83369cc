--
-- PostgreSQL database dump
--

\restrict F0whpqcH0MKwLNAeel3Vj3ScsEAQOhcEmpdGtUBa5TycntLfVMpEslm52NXP5ZN

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
-- Name: document; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.document (
    campaign text NOT NULL,
    text text NOT NULL
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
    task text NOT NULL,
    person text NOT NULL,
    id text NOT NULL,
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

COPY public.campaign (name, created, state, seq, chain, version) FROM stdin;
all	1794881156394	open	29	c63f132f2599cc248e3e9799c6cd1c2e404771339381452efad4eaa416efc602	55
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	d0ac19d2dc550cf9bba5a284
\.


--
-- Data for Name: document; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.document (campaign, text) FROM stdin;
all	{"name":"all","title":"A campaign","kinds":["preference","ranking","grading"],"instructions":{},"consent":{"version":"1","text":{"en":"Agree?"}},"settings":{"votes":2,"decide":"majority"},"lists":[{"query":"q","show":{"audio":"950ca48f1fd1da74c1da47777dbc1aee11f6a4e306e7b7d95ead257d9a1075ef","text":"text q"},"items":[{"item":"x","show":{"image":"2f5377edb154bb5666bfb85ae12a37b889f68ae11cd880fb0c4164912aac0ff4","text":"text x","alt":"a staff"}},{"item":"y","show":{"text":"text y"}},{"item":"z","show":{"text":"text z"}}]},{"query":"=r","show":{"text":"text =r"},"items":[{"item":"k","show":{"text":"text k"}},{"item":"l","show":{"text":"text l"}},{"item":"m","show":{"text":"text m"}}]}],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"recruiter":{"preset":"prolific","name":null,"id":null,"capture":null,"kind":null,"limit":3,"outcomes":{"complete":{"code":"C1","url":null}}},"judging":{"lease_seconds":600,"per_person":null,"people":null,"ahead":3,"hear":"ended","mix":true,"graders":2,"wait_seconds":120,"fine":{"min":0.0,"max":10.0,"step":0.1},"background":true}}
\.


--
-- Data for Name: draft; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.draft (task, version, body) FROM stdin;
0000000e9880a54fd3603532e3e924e1	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
0000000fe160991e392c6ac968c3209e	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (campaign, seq, at, line, chain) FROM stdin;
all	1	1794881156394	{"seq":1,"at":"2026-11-17T02:05:56.394Z","author":"organiser de3944df2a988995d8d4c761","event":"opened","version":2,"settings":{"campaign":"all","seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"matters":0.242,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"kinds":["preference","ranking","grading"],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"graders":2,"lists":[{"query":"=r","items":[{"item":"k"},{"item":"l"},{"item":"m"}]},{"query":"q","items":[{"item":"x"},{"item":"y"},{"item":"z"}]}]},"chain":"53ad3a71335856950e33b0ea4a91c4a601d807cf8d2701906f086556cdacf4f2"}	53ad3a71335856950e33b0ea4a91c4a601d807cf8d2701906f086556cdacf4f2
all	2	1794881156394	{"seq":2,"at":"2026-11-17T02:05:56.394Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"58d858fca5f34c5811c0980b44f5295b9894b8b2e83c1bbf7f254c745d11b942"}	58d858fca5f34c5811c0980b44f5295b9894b8b2e83c1bbf7f254c745d11b942
all	3	1794881156427	{"seq":3,"at":"2026-11-17T02:05:56.427Z","author":"bf18b1033c2cec8efb1ce5b9","event":"answered","query":"q","a":"y","b":"z","assessor":"bf18b1033c2cec8efb1ce5b9","answer":"a","seconds":2.5,"time":1794881156.427,"id":"00000000-0000-0000-0000-000000000001","chain":"2fef3816a401b15ce743dc3899e02f7feb9764f20a74816d3e157dd0352bb4ad"}	2fef3816a401b15ce743dc3899e02f7feb9764f20a74816d3e157dd0352bb4ad
all	4	1794881156430	{"seq":4,"at":"2026-11-17T02:05:56.430Z","author":"bf18b1033c2cec8efb1ce5b9","event":"checked","query":"q","a":"x","b":"z","assessor":"bf18b1033c2cec8efb1ce5b9","answer":"a","seconds":2.5,"time":1794881156.43,"id":"00000000-0000-0000-0000-000000000002","expected":"a","chain":"4a75817779bde896e4211c2e658a8ed8c5ad4342de595f874261697b957094fb"}	4a75817779bde896e4211c2e658a8ed8c5ad4342de595f874261697b957094fb
all	5	1794881156434	{"seq":5,"at":"2026-11-17T02:05:56.434Z","author":"bf18b1033c2cec8efb1ce5b9","event":"answered","query":"=r","a":"m","b":"l","assessor":"bf18b1033c2cec8efb1ce5b9","answer":"b","seconds":2.5,"time":1794881156.434,"id":"00000000-0000-0000-0000-000000000003","chain":"504a0cd5f18bf5ea7004076c58e00a09252d093d6c3831c3cdf62945332a76fc"}	504a0cd5f18bf5ea7004076c58e00a09252d093d6c3831c3cdf62945332a76fc
all	6	1794881156441	{"seq":6,"at":"2026-11-17T02:05:56.441Z","author":"bf18b1033c2cec8efb1ce5b9","event":"answered","query":"q","a":"y","b":"x","assessor":"bf18b1033c2cec8efb1ce5b9","answer":"b","seconds":2.5,"time":1794881156.441,"id":"00000000-0000-0000-0000-000000000004","chain":"80e5edd347225102b0b7232c4793ef86737773fefbb871728120e4d70f928bb8"}	80e5edd347225102b0b7232c4793ef86737773fefbb871728120e4d70f928bb8
all	7	1794881156445	{"seq":7,"at":"2026-11-17T02:05:56.445Z","author":"bf18b1033c2cec8efb1ce5b9","event":"answered","query":"=r","a":"k","b":"m","assessor":"bf18b1033c2cec8efb1ce5b9","answer":"a","seconds":2.5,"time":1794881156.445,"id":"00000000-0000-0000-0000-000000000005","chain":"b4696ee7df96d84d1b294d58934e64e0956614f567aedfdb6a077b4ad9e8d21d"}	b4696ee7df96d84d1b294d58934e64e0956614f567aedfdb6a077b4ad9e8d21d
all	8	1794881156453	{"seq":8,"at":"2026-11-17T02:05:56.453Z","author":"f4321386b749737388797a87","event":"answered","query":"=r","a":"l","b":"m","assessor":"f4321386b749737388797a87","answer":"a","seconds":2.5,"time":1794881156.453,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"chain":"c05a0cfddff6003857a0b2cd631e285ddcd58688cbd707c0f5a587ce5a6e3ae4"}	c05a0cfddff6003857a0b2cd631e285ddcd58688cbd707c0f5a587ce5a6e3ae4
all	9	1794881156459	{"seq":9,"at":"2026-11-17T02:05:56.459Z","author":"f4321386b749737388797a87","event":"reported","query":"q","item":"y","assessor":"f4321386b749737388797a87","problem":"wrong","chain":"fb7b732e8c25d7eddc15035ee73a18c3ef88438eb270b3682f049e6db7996408"}	fb7b732e8c25d7eddc15035ee73a18c3ef88438eb270b3682f049e6db7996408
all	10	1794881156471	{"seq":10,"at":"2026-11-17T02:05:56.471Z","author":"d0ac19d2dc550cf9bba5a284","event":"answered","query":"q","a":"x","b":"y","assessor":"d0ac19d2dc550cf9bba5a284","answer":"a","seconds":2.5,"time":1794881156.471,"id":"00000000-0000-0000-0000-000000000007","chain":"c312b89c240cf1e0af4e731a6f1bf0d0b274bcd1d1310cecf9275525b0e39f18"}	c312b89c240cf1e0af4e731a6f1bf0d0b274bcd1d1310cecf9275525b0e39f18
all	11	1794881156474	{"seq":11,"at":"2026-11-17T02:05:56.474Z","author":"organiser de3944df2a988995d8d4c761","event":"excluded","assessor":"d0ac19d2dc550cf9bba5a284","chain":"f4c4a3dff30edc755aa7b0d8500d341c35b696b6e5f0fe78cbfa62e48279772c"}	f4c4a3dff30edc755aa7b0d8500d341c35b696b6e5f0fe78cbfa62e48279772c
all	12	1794881156474	{"seq":12,"at":"2026-11-17T02:05:56.474Z","author":"server","event":"asked","batch":2,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":1}],"chain":"52dcc97148610b9ca8b7e223fc58dd13bdbab6961dad56b04e7cc46b2b786f1d"}	52dcc97148610b9ca8b7e223fc58dd13bdbab6961dad56b04e7cc46b2b786f1d
all	13	1794881156477	{"seq":13,"at":"2026-11-17T02:05:56.477Z","author":"organiser de3944df2a988995d8d4c761","event":"readmitted","assessor":"d0ac19d2dc550cf9bba5a284","chain":"9d6de6e7c57a5ee29ee56004c50e723363ad0ea49b2bca8e5b78dd83b34f008d"}	9d6de6e7c57a5ee29ee56004c50e723363ad0ea49b2bca8e5b78dd83b34f008d
all	14	1794881156500	{"seq":14,"at":"2026-11-17T02:05:56.500Z","author":"987d1b99cb5487ed85a59ae6","event":"ranked","query":"q","assessor":"987d1b99cb5487ed85a59ae6","groups":[["x"],["z"],["y"]],"unranked":[],"seconds":30.0,"time":1794881156.5,"id":"00000000-0000-0000-0000-000000000008","chain":"a628b71f16de0e769eb69fce4f5f4cb7fc49debc16f45b5e1425bf4c0597b54b"}	a628b71f16de0e769eb69fce4f5f4cb7fc49debc16f45b5e1425bf4c0597b54b
all	15	1794881156505	{"seq":15,"at":"2026-11-17T02:05:56.505Z","author":"987d1b99cb5487ed85a59ae6","event":"ranked","query":"=r","assessor":"987d1b99cb5487ed85a59ae6","groups":[["l"],["m"],["k"]],"unranked":[],"seconds":30.0,"time":1794881156.505,"id":"00000000-0000-0000-0000-000000000009","chain":"a649dba620546a7140250ce55b5c73d5a20066893cb14fe37d77f1fbcfc0cafb"}	a649dba620546a7140250ce55b5c73d5a20066893cb14fe37d77f1fbcfc0cafb
all	16	1794881156549	{"seq":16,"at":"2026-11-17T02:05:56.549Z","author":"ab9bd94040e992796e8db21b","event":"graded","query":"=r","item":"l","assessor":"ab9bd94040e992796e8db21b","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.549,"id":"00000000-0000-0000-0000-00000000000a","chain":"6fa9e9d754e639cfadada1f0ab118de78f0278f8abe82161775e0910da677bce"}	6fa9e9d754e639cfadada1f0ab118de78f0278f8abe82161775e0910da677bce
all	17	1794881156552	{"seq":17,"at":"2026-11-17T02:05:56.552Z","author":"ab9bd94040e992796e8db21b","event":"graded","query":"q","item":"y","assessor":"ab9bd94040e992796e8db21b","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.552,"id":"00000000-0000-0000-0000-00000000000b","chain":"7e124d7b73637411a161cf23cd728d27aedf5a69878cf5570b24a235334ff126"}	7e124d7b73637411a161cf23cd728d27aedf5a69878cf5570b24a235334ff126
all	18	1794881156554	{"seq":18,"at":"2026-11-17T02:05:56.554Z","author":"ab9bd94040e992796e8db21b","event":"graded","query":"=r","item":"m","assessor":"ab9bd94040e992796e8db21b","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.554,"id":"00000000-0000-0000-0000-00000000000c","chain":"da1f9bf50fea5034e97ffd6a540cd1ff443904855b28db72c19743e3cadb2afc"}	da1f9bf50fea5034e97ffd6a540cd1ff443904855b28db72c19743e3cadb2afc
all	19	1794881156560	{"seq":19,"at":"2026-11-17T02:05:56.560Z","author":"ab9bd94040e992796e8db21b","event":"graded","query":"q","item":"x","assessor":"ab9bd94040e992796e8db21b","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.56,"id":"00000000-0000-0000-0000-00000000000d","chain":"71d7f0c682b1a51216e87cbd858315f098407791a709d578b34a4f6cceaea26c"}	71d7f0c682b1a51216e87cbd858315f098407791a709d578b34a4f6cceaea26c
all	20	1794881156562	{"seq":20,"at":"2026-11-17T02:05:56.562Z","author":"ab9bd94040e992796e8db21b","event":"graded","query":"=r","item":"k","assessor":"ab9bd94040e992796e8db21b","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.562,"id":"00000000-0000-0000-0000-00000000000e","chain":"3012e35ecdc8679214eecd20871c278ddd19f92895574b1741a6bdd96deb28c5"}	3012e35ecdc8679214eecd20871c278ddd19f92895574b1741a6bdd96deb28c5
all	21	1794881156565	{"seq":21,"at":"2026-11-17T02:05:56.565Z","author":"ab9bd94040e992796e8db21b","event":"graded","query":"q","item":"z","assessor":"ab9bd94040e992796e8db21b","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.565,"id":"00000000-0000-0000-0000-00000000000f","chain":"f6024dc4c270a94cd6a2860830bac7b7e1859cf5c8ea1428f9c1f073546454c6"}	f6024dc4c270a94cd6a2860830bac7b7e1859cf5c8ea1428f9c1f073546454c6
all	22	1794881156576	{"seq":22,"at":"2026-11-17T02:05:56.576Z","author":"9dbc7cc31ae16608520000a1","event":"graded","query":"q","item":"x","assessor":"9dbc7cc31ae16608520000a1","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.576,"id":"00000000-0000-0000-0000-000000000010","chain":"2c86a758c71933572b3fdbc6cf112c11d4f08cb6e10be6f22e2217ed4a3415a3"}	2c86a758c71933572b3fdbc6cf112c11d4f08cb6e10be6f22e2217ed4a3415a3
all	23	1794881156579	{"seq":23,"at":"2026-11-17T02:05:56.579Z","author":"9dbc7cc31ae16608520000a1","event":"graded","query":"=r","item":"m","assessor":"9dbc7cc31ae16608520000a1","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.579,"id":"00000000-0000-0000-0000-000000000011","chain":"635e3feccc77ead343a8c70dedce4c849a729e231eaa6ab36aa001b84e1d90ae"}	635e3feccc77ead343a8c70dedce4c849a729e231eaa6ab36aa001b84e1d90ae
all	24	1794881156582	{"seq":24,"at":"2026-11-17T02:05:56.582Z","author":"9dbc7cc31ae16608520000a1","event":"graded","query":"q","item":"y","assessor":"9dbc7cc31ae16608520000a1","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.582,"id":"00000000-0000-0000-0000-000000000012","chain":"51f1bda0c7c87337709371595ce46c1d70459755d441f228da0b13bf547d9f28"}	51f1bda0c7c87337709371595ce46c1d70459755d441f228da0b13bf547d9f28
all	25	1794881156589	{"seq":25,"at":"2026-11-17T02:05:56.589Z","author":"9dbc7cc31ae16608520000a1","event":"graded","query":"=r","item":"k","assessor":"9dbc7cc31ae16608520000a1","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.589,"id":"00000000-0000-0000-0000-000000000013","chain":"ff00a4381754f82e85d0326dd3be0ba4bd1d0ce8dc7fc1ab315a52aa3d3de45e"}	ff00a4381754f82e85d0326dd3be0ba4bd1d0ce8dc7fc1ab315a52aa3d3de45e
all	26	1794881156592	{"seq":26,"at":"2026-11-17T02:05:56.592Z","author":"9dbc7cc31ae16608520000a1","event":"graded","query":"q","item":"z","assessor":"9dbc7cc31ae16608520000a1","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.592,"id":"00000000-0000-0000-0000-000000000014","chain":"12ead9ef239d9066be9b95e8cc285eb52c7f60b15665859aebe1b35d759a16de"}	12ead9ef239d9066be9b95e8cc285eb52c7f60b15665859aebe1b35d759a16de
all	27	1794881156596	{"seq":27,"at":"2026-11-17T02:05:56.596Z","author":"9dbc7cc31ae16608520000a1","event":"graded","query":"=r","item":"l","assessor":"9dbc7cc31ae16608520000a1","broad":"SS","fine":1.5,"seconds":3.0,"time":1794881156.596,"id":"00000000-0000-0000-0000-000000000015","chain":"ea4fda4484de4cd5940b1ef6e44f230be79862c78ccb5eca6fe3bee65b9016ca"}	ea4fda4484de4cd5940b1ef6e44f230be79862c78ccb5eca6fe3bee65b9016ca
all	28	1794881156602	{"seq":28,"at":"2026-11-17T02:05:56.602Z","author":"organiser de3944df2a988995d8d4c761","event":"paused","chain":"5a1db37508e417b896adff89bf4d58deb5be7fd23bbb7a734fca9a2c9825bee0"}	5a1db37508e417b896adff89bf4d58deb5be7fd23bbb7a734fca9a2c9825bee0
all	29	1794881156605	{"seq":29,"at":"2026-11-17T02:05:56.605Z","author":"organiser de3944df2a988995d8d4c761","event":"resumed","chain":"c63f132f2599cc248e3e9799c6cd1c2e404771339381452efad4eaa416efc602"}	c63f132f2599cc248e3e9799c6cd1c2e404771339381452efad4eaa416efc602
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, expires, revoked, person) FROM stdin;
0845cad2eed63ea4550a996b	all	\\x3618c5ec5fbf742b4b81d28eb595b570dcc7b2121db73d716b782dc1dd3759c5	grading	\N	\N	\N	ab9bd94040e992796e8db21b
0a488834ba3d49a0fbd71144	all	\\xe9f38032dcfd6b60b1db05c08ba83c9410097cc3ae16d2214978dce7b84524aa	ranking	\N	\N	\N	987d1b99cb5487ed85a59ae6
23736d64f18a191f70f1a61f	all	\\xbbfbfc671fd5666f7fe7539ac1330b17e4351454e3a70d3b7167f2acf449f0ad	ranking	\N	\N	\N	6ab77add78c3d7f7c422efd9
25bc354d6b84a1b42e0d8e56	all	\\x9745f269afdc79188a51a476148d1c36f4f39b758568ce6ce8c52b7fc3a88352	preference	\N	\N	\N	f4321386b749737388797a87
6c519772ee1b0b77b682a6ff	all	\\x7cc418999f71b18968370dff2c876b52b02360331e0ae3e3fa119c6900298a83	preference	for later	\N	\N	\N
75a39f59b897d9f210cd6816	all	\\xa6c3fba72d391c8bae11aaad612f42b3db60e1e851ddb5de5023e924f2be76eb	preference	\N	\N	\N	bf18b1033c2cec8efb1ce5b9
9c0479e55380212d1b554fe6	all	\\x6d5c8e49cc79d03e681fc045f591e27fef241f638eb05071d717be60e95641aa	grading	\N	\N	\N	9dbc7cc31ae16608520000a1
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
schema	3
\.


--
-- Data for Name: person; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person (id, campaign, kind, entry, state, language, consent, background, waits_since, created, changed) FROM stdin;
6ab77add78c3d7f7c422efd9	all	ranking	23736d64f18a191f70f1a61f	active	en	1	cello, né	\N	1794881156486	30
987d1b99cb5487ed85a59ae6	all	ranking	0a488834ba3d49a0fbd71144	active	en	1	cello, né	\N	1794881156483	26
9dbc7cc31ae16608520000a1	all	grading	9c0479e55380212d1b554fe6	active	en	1	cello, né	1794881156599	1794881156536	53
ab9bd94040e992796e8db21b	all	grading	0845cad2eed63ea4550a996b	active	en	1	cello, né	1794881156567	1794881156533	43
bf18b1033c2cec8efb1ce5b9	all	preference	75a39f59b897d9f210cd6816	active	en	1	cello, né	1794881156448	1794881156406	13
d0ac19d2dc550cf9bba5a284	all	preference	recruiter	active	en	1	cello, né	\N	1794881156462	19
f4321386b749737388797a87	all	preference	25bc354d6b84a1b42e0d8e56	active	en	1	cello, né	\N	1794881156409	5
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x3f4da7ae653164ce041c2e74593c62c711c35165e7982325bb8c83d52fe7e92a	f4321386b749737388797a87	1797473156409
\\x9a8a77953797ad06f499edb5b94e21bc3c5258617f62696fd7a6224752a15fa2	6ab77add78c3d7f7c422efd9	1797473156486
\\xa4387154fa7db68390a4600c05f3c9570c2f5c640efdfd41b9779f456e2c2087	d0ac19d2dc550cf9bba5a284	1797473156462
\\xa78dab2d89e92c6706b2df043101c6b4f81f2305745f8374d6ba74f005e381bd	9dbc7cc31ae16608520000a1	1797473156536
\\xb26d898a54305b60711379e54b37c2c4bce95f5f8427603476b59e7854925add	bf18b1033c2cec8efb1ce5b9	1797473156406
\\xcce6fd00f7d2c5bb378a1a74751ed36c7bf6692b0905c58801afb8fec04e47f9	987d1b99cb5487ed85a59ae6	1797473156483
\\xd383cb0669c77bcc10e42b8d7e1e8cc1ea01ce1ff07ae111b8f3a1e25a705ad4	ab9bd94040e992796e8db21b	1797473156533
\.


--
-- Data for Name: receipt; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.receipt (task, person, id, seq, body_hash, saved) FROM stdin;
0000000c19e42211c43b8080cc5f2cfb	987d1b99cb5487ed85a59ae6	00000000-0000-0000-0000-000000000008	14	9a06e2574761ccc2dac6275558b6c553a5f4383f1524b4825554f288cffcf1bd	2026-11-17T02:05:56.500Z
0000000df4ca7944fb7bd88c2e34f886	987d1b99cb5487ed85a59ae6	00000000-0000-0000-0000-000000000009	15	2b7d28d647fb7f8033e085b27b31facd5705730a9ec0b290ac0a1d8a8d3d7b30	2026-11-17T02:05:56.505Z
000000160650fb3e9a9393fbe495292e	9dbc7cc31ae16608520000a1	00000000-0000-0000-0000-000000000010	22	c6c23bd17da73476e8646604d4e77d023c6425ccacfb2baa0239c77359b0ab07	2026-11-17T02:05:56.576Z
000000174746f55f0088cf22233f8e75	9dbc7cc31ae16608520000a1	00000000-0000-0000-0000-000000000011	23	57787522caf611dc4f3f15b20a7c0fa38c16437ff76cedf62437ca92a0c23c89	2026-11-17T02:05:56.579Z
00000018988bd699d0f86315331496bc	9dbc7cc31ae16608520000a1	00000000-0000-0000-0000-000000000012	24	f6857630a0aca1a31aa43ad29854f9f7dcead97c1106986766578516411043d2	2026-11-17T02:05:56.582Z
00000019578036e0c90f54cc60dbe228	9dbc7cc31ae16608520000a1	00000000-0000-0000-0000-000000000013	25	67bb36fceb151a4fdbf205ad8f764762f24e6245f06b45a4728a3a0ee3d658b0	2026-11-17T02:05:56.589Z
0000001a5beaec6f625d102064e8726d	9dbc7cc31ae16608520000a1	00000000-0000-0000-0000-000000000014	26	ff1ff884dfad63c1d36f23c104869135bb0c2228e67f0f484465f5e1fd75617c	2026-11-17T02:05:56.592Z
0000001bcae2eef558b704f142d82b99	9dbc7cc31ae16608520000a1	00000000-0000-0000-0000-000000000015	27	808d2ae97d3b6f75da58c681f559a73834c53851b4bfd20cc864cc3606b7fa69	2026-11-17T02:05:56.596Z
000000109e1eb1f6b3b2e9f92e687ada	ab9bd94040e992796e8db21b	00000000-0000-0000-0000-00000000000a	16	397c7415fffdbfa3b6827f5210935fc617a108f5a285a938825a052ce0a52c0e	2026-11-17T02:05:56.549Z
00000011c06e3eb4cd9a2b36404f40ec	ab9bd94040e992796e8db21b	00000000-0000-0000-0000-00000000000b	17	46041ad705dfefdfb64f3abe383a8c05b07dc00d9093454a18b7be9eb604161d	2026-11-17T02:05:56.552Z
00000012a7332f33e77df52f12dc9f0c	ab9bd94040e992796e8db21b	00000000-0000-0000-0000-00000000000c	18	a9e02e3c2de593677509fef2378ed448308f44a0124d9a7c374aba599153f87d	2026-11-17T02:05:56.554Z
00000013b2f1185a6f01243a6d1e80f2	ab9bd94040e992796e8db21b	00000000-0000-0000-0000-00000000000d	19	89783f8e48b5957c5fb9a17b5efcea0b63824c561caec34bbedd299aeba50505	2026-11-17T02:05:56.560Z
000000142a5f82e3bed618530b2dd919	ab9bd94040e992796e8db21b	00000000-0000-0000-0000-00000000000e	20	266cb4bc85446c045031361e764f44c2d0f93bc61811b29f426464c40b2eed17	2026-11-17T02:05:56.562Z
00000015d502b2995d6bee1731bf6c5c	ab9bd94040e992796e8db21b	00000000-0000-0000-0000-00000000000f	21	80cb78dcf2c9f4b7626f6613cd4dfc4a27886fcc7bf83c50954a5dffcb8c6864	2026-11-17T02:05:56.565Z
00000001d55f3ae7befb8a615fc24018	bf18b1033c2cec8efb1ce5b9	00000000-0000-0000-0000-000000000001	3	7983c4435c89fa77154117f33ff23cc33b5cb974a825f1100ba8ac6f19c820ff	2026-11-17T02:05:56.427Z
000000025a7fe6de2de3a8ed71d1b2e2	bf18b1033c2cec8efb1ce5b9	00000000-0000-0000-0000-000000000002	4	c8fa676e2ca97d78526be7c041da13f056462288524314ed4ee6e50e7251fbc1	2026-11-17T02:05:56.430Z
0000000388778b3f007a626398d0d878	bf18b1033c2cec8efb1ce5b9	00000000-0000-0000-0000-000000000003	5	8a1a50016983e3bc95f942cf6480bf6b41a42cb4329e062debb78cd4d58e0781	2026-11-17T02:05:56.434Z
00000004132fda193948c4175bd2c37b	bf18b1033c2cec8efb1ce5b9	00000000-0000-0000-0000-000000000004	6	1487792bb2cf2d08da8f653669b69e1688e711ffb4e172ff5fe7e68d0341f1b8	2026-11-17T02:05:56.441Z
0000000516d46463bd94f0e4f58d7276	bf18b1033c2cec8efb1ce5b9	00000000-0000-0000-0000-000000000005	7	3cacf98a7f96f00887cfc39efb682968e7a346815c1a25bb67736f63cf53ee68	2026-11-17T02:05:56.445Z
0000000a00fc620a4f66533998db2ece	d0ac19d2dc550cf9bba5a284	00000000-0000-0000-0000-000000000007	10	b49ff3eafae45ec25f12c9a756415fd2da8d23d34930cbe91fb024655f1b752f	2026-11-17T02:05:56.471Z
000000068d9be8ccd38c10a904682095	f4321386b749737388797a87	00000000-0000-0000-0000-000000000006	8	fbc64ceec5959d6ab91823751f5ccdebfa55ab5813486c8e2099bdeeddff94a6	2026-11-17T02:05:56.453Z
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	f4321386b749737388797a87	000000068d9be8ccd38c10a904682095	comment	1794881156453	both "good", né
all	f4321386b749737388797a87	000000072aa618f2516276c042ea28a8	report	1794881156459	no sound
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
00000001d55f3ae7befb8a615fc24018	all	bf18b1033c2cec8efb1ce5b9	1	preference	q	y	z	0	1	\N	1794881756422	answered	7
000000025a7fe6de2de3a8ed71d1b2e2	all	bf18b1033c2cec8efb1ce5b9	2	preference	q	x	z	0	0	a	1794881756422	answered	8
0000000388778b3f007a626398d0d878	all	bf18b1033c2cec8efb1ce5b9	3	preference	=r	l	m	1	1	\N	1794881756422	answered	9
00000004132fda193948c4175bd2c37b	all	bf18b1033c2cec8efb1ce5b9	4	preference	q	x	y	1	1	\N	1794881756437	answered	11
0000000516d46463bd94f0e4f58d7276	all	bf18b1033c2cec8efb1ce5b9	5	preference	=r	k	m	0	1	\N	1794881756437	answered	12
000000068d9be8ccd38c10a904682095	all	f4321386b749737388797a87	6	preference	=r	l	m	0	1	\N	1794881756450	answered	15
000000072aa618f2516276c042ea28a8	all	f4321386b749737388797a87	7	preference	q	y	z	1	1	\N	1794881756450	reported	17
00000008a1287b90a975d02eb714f441	all	f4321386b749737388797a87	8	preference	q	x	z	1	0	b	1794881756450	live	14
00000009566ad495bbdc0ef9bd551298	all	f4321386b749737388797a87	9	preference	=r	k	m	1	1	\N	1794881756456	live	16
0000000a00fc620a4f66533998db2ece	all	d0ac19d2dc550cf9bba5a284	10	preference	q	x	y	0	1	\N	1794881756468	answered	21
0000000bbfaca0648c7fdc14749ff13f	all	d0ac19d2dc550cf9bba5a284	11	preference	q	y	z	1	0	\N	1794881756468	live	20
0000000c19e42211c43b8080cc5f2cfb	all	987d1b99cb5487ed85a59ae6	12	ranking	q			0	1	\N	1794881756494	answered	28
0000000df4ca7944fb7bd88c2e34f886	all	987d1b99cb5487ed85a59ae6	13	ranking	=r			0	1	\N	1794881756494	answered	29
0000000e9880a54fd3603532e3e924e1	all	6ab77add78c3d7f7c422efd9	14	ranking	=r			0	1	\N	1794881756516	live	31
0000000fe160991e392c6ac968c3209e	all	6ab77add78c3d7f7c422efd9	15	ranking	q			0	1	\N	1794881756516	live	31
000000109e1eb1f6b3b2e9f92e687ada	all	ab9bd94040e992796e8db21b	16	grading	=r	l		0	1	\N	1794881756545	answered	36
00000011c06e3eb4cd9a2b36404f40ec	all	ab9bd94040e992796e8db21b	17	grading	q	y		0	1	\N	1794881756545	answered	37
00000012a7332f33e77df52f12dc9f0c	all	ab9bd94040e992796e8db21b	18	grading	=r	m		0	1	\N	1794881756545	answered	38
00000013b2f1185a6f01243a6d1e80f2	all	ab9bd94040e992796e8db21b	19	grading	q	x		0	1	\N	1794881756556	answered	40
000000142a5f82e3bed618530b2dd919	all	ab9bd94040e992796e8db21b	20	grading	=r	k		0	1	\N	1794881756556	answered	41
00000015d502b2995d6bee1731bf6c5c	all	ab9bd94040e992796e8db21b	21	grading	q	z		0	1	\N	1794881756556	answered	42
000000160650fb3e9a9393fbe495292e	all	9dbc7cc31ae16608520000a1	22	grading	q	x		0	1	\N	1794881756573	answered	46
000000174746f55f0088cf22233f8e75	all	9dbc7cc31ae16608520000a1	23	grading	=r	m		0	1	\N	1794881756573	answered	47
00000018988bd699d0f86315331496bc	all	9dbc7cc31ae16608520000a1	24	grading	q	y		0	1	\N	1794881756573	answered	48
00000019578036e0c90f54cc60dbe228	all	9dbc7cc31ae16608520000a1	25	grading	=r	k		0	1	\N	1794881756585	answered	50
0000001a5beaec6f625d102064e8726d	all	9dbc7cc31ae16608520000a1	26	grading	q	z		0	1	\N	1794881756585	answered	51
0000001bcae2eef558b704f142d82b99	all	9dbc7cc31ae16608520000a1	27	grading	=r	l		0	1	\N	1794881756585	answered	52
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
de3944df2a988995d8d4c761	\\xbe6fecd858f1536871cfc759d1144dbf84121874e00348bfbbbbf16cb56cdf55	read manage people tokens	\N	1794881156383
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
-- Name: document document_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (campaign);


--
-- Name: draft draft_3_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_3_pkey PRIMARY KEY (task);


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
-- Name: receipt receipt_3_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_3_pkey PRIMARY KEY (task);


--
-- Name: session session_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (hash);


--
-- Name: task task_3_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_3_pkey PRIMARY KEY (id);


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
-- Name: receipt_event; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX receipt_event ON public.receipt USING btree (seq, person);


--
-- Name: remark_campaign; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX remark_campaign ON public.remark USING btree (campaign);


--
-- Name: task_changed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_changed ON public.task USING btree (campaign, changed);


--
-- Name: task_open; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX task_open ON public.task USING btree (person, kind, query, low, high) WHERE (state <> 'answered'::text);


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
-- Name: document document_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: draft draft_3_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_3_task_fkey FOREIGN KEY (task) REFERENCES public.task(id);


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
-- Name: receipt receipt_3_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_3_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: receipt receipt_3_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_3_task_fkey FOREIGN KEY (task) REFERENCES public.task(id);


--
-- Name: remark remark_3_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.remark
    ADD CONSTRAINT remark_3_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: remark remark_3_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.remark
    ADD CONSTRAINT remark_3_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: remark remark_3_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.remark
    ADD CONSTRAINT remark_3_task_fkey FOREIGN KEY (task) REFERENCES public.task(id);


--
-- Name: session session_token_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_token_fkey FOREIGN KEY (token) REFERENCES public.token(id) ON DELETE CASCADE;


--
-- Name: task task_3_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_3_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- Name: task task_3_person_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task
    ADD CONSTRAINT task_3_person_fkey FOREIGN KEY (person) REFERENCES public.person(id);


--
-- Name: token token_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


--
-- PostgreSQL database dump complete
--

\unrestrict F0whpqcH0MKwLNAeel3Vj3ScsEAQOhcEmpdGtUBa5TycntLfVMpEslm52NXP5ZN

