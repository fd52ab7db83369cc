--
-- PostgreSQL database dump
--

\restrict vlUfUbHqIXlXeeVPyMHmTxrhWCRynXdlqZq0kj6e8mTWmKWe3ZMzp9Vq1YHyGS7

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
    title text NOT NULL,
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

COPY public.campaign (name, title, created, state, seq, chain, version, number, recruiter) FROM stdin;
all	A campaign	1795054506281	open	29	9116630e4dce36ebe780dfcf5df9df9b7748d60fac47166a3a438edc31e55c03	55	1	{"preset":"prolific","name":null,"id":null,"capture":null,"kind":null,"limit":3,"outcomes":{"complete":{"code":"C1","url":null}}}
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	b3d077e816909c642f1e1ca4
\.


--
-- Data for Name: draft; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.draft (task, version, body) FROM stdin;
1099511627791	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
1099511627792	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (key, campaign, seq, at, line, chain, task) FROM stdin;
1099511627777	all	1	1795054506281	{"seq":1,"at":"2026-11-19T02:15:06.281Z","author":"organiser e8d95ead1eda84ea2cf107e9","event":"opened","version":1,"spec":{"name":"all","title":"A campaign","kinds":["preference","ranking","grading"],"instructions":{},"consent":{"version":"1","text":{"en":"Agree?"}},"settings":{"seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"matters":0.242,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"names":"exact"},"lists":[{"query":"=r","show":{"text":"text =r"},"items":[{"item":"k","show":{"text":"text k"}},{"item":"l","show":{"text":"text l"}},{"item":"m","show":{"text":"text m"}}]},{"query":"q","show":{"audio":"950ca48f1fd1da74c1da47777dbc1aee11f6a4e306e7b7d95ead257d9a1075ef","text":"text q"},"items":[{"item":"x","show":{"image":"2f5377edb154bb5666bfb85ae12a37b889f68ae11cd880fb0c4164912aac0ff4","text":"text x","alt":"a staff"}},{"item":"y","show":{"text":"text y"}},{"item":"z","show":{"text":"text z"}}]}],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"recruiter":null,"judging":{"lease_seconds":600,"per_person":null,"people":null,"ahead":3,"hear":"ended","mix":true,"graders":2,"wait_seconds":120,"fine":{"min":0.0,"max":10.0,"step":0.1},"background":true}},"chain":"18298a2710ecdb139909003ca5021a08787dcbdbe279524c5efd43506aee5e7d"}	18298a2710ecdb139909003ca5021a08787dcbdbe279524c5efd43506aee5e7d	\N
1099511627778	all	2	1795054506281	{"seq":2,"at":"2026-11-19T02:15:06.281Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"c018afd3bb64f077aa70f6c4839a06c95717b47cb2ba6d05504ad9c53eed911a"}	c018afd3bb64f077aa70f6c4839a06c95717b47cb2ba6d05504ad9c53eed911a	\N
1099511627779	all	3	1795054506316	{"seq":3,"at":"2026-11-19T02:15:06.316Z","author":"3e48253f0e25df2cf129014b","event":"answered","query":"q","a":"y","b":"x","assessor":"3e48253f0e25df2cf129014b","answer":"b","seconds":2.5,"time":1795054506.316,"id":"00000000-0000-0000-0000-000000000001","chain":"fd1095d13de4d2728a117b157bc2b554665b0b1afb22d8d2afffbf615c05c11c"}	fd1095d13de4d2728a117b157bc2b554665b0b1afb22d8d2afffbf615c05c11c	1099511627777
1099511627780	all	4	1795054506319	{"seq":4,"at":"2026-11-19T02:15:06.319Z","author":"3e48253f0e25df2cf129014b","event":"checked","query":"q","a":"z","b":"x","assessor":"3e48253f0e25df2cf129014b","answer":"b","seconds":2.5,"time":1795054506.319,"id":"00000000-0000-0000-0000-000000000002","expected":"b","chain":"b2d89985f0886095e619b9fcad985e19141eb3517893abf8117d0f620d67ea1f"}	b2d89985f0886095e619b9fcad985e19141eb3517893abf8117d0f620d67ea1f	1099511627778
1099511627781	all	5	1795054506323	{"seq":5,"at":"2026-11-19T02:15:06.323Z","author":"3e48253f0e25df2cf129014b","event":"answered","query":"=r","a":"k","b":"m","assessor":"3e48253f0e25df2cf129014b","answer":"a","seconds":2.5,"time":1795054506.323,"id":"00000000-0000-0000-0000-000000000003","chain":"edde3565178e959411bfedabdca4ff64fa5672cd1cdb5c0162bd27b4678179d7"}	edde3565178e959411bfedabdca4ff64fa5672cd1cdb5c0162bd27b4678179d7	1099511627779
1099511627782	all	6	1795054506327	{"seq":6,"at":"2026-11-19T02:15:06.327Z","author":"3e48253f0e25df2cf129014b","event":"answered","query":"q","a":"z","b":"y","assessor":"3e48253f0e25df2cf129014b","answer":"b","seconds":2.5,"time":1795054506.327,"id":"00000000-0000-0000-0000-000000000004","chain":"336ebc35f44d7cfc18e546e8e850a2564ee9236ae5b50acd0cee9532dd043304"}	336ebc35f44d7cfc18e546e8e850a2564ee9236ae5b50acd0cee9532dd043304	1099511627780
1099511627783	all	7	1795054506328	{"seq":7,"at":"2026-11-19T02:15:06.328Z","author":"3e48253f0e25df2cf129014b","event":"answered","query":"=r","a":"m","b":"l","assessor":"3e48253f0e25df2cf129014b","answer":"b","seconds":2.5,"time":1795054506.328,"id":"00000000-0000-0000-0000-000000000005","chain":"d4bfc32ab9d6049d1805e12f3192ef3dfcc01621140e688a044c00510c505955"}	d4bfc32ab9d6049d1805e12f3192ef3dfcc01621140e688a044c00510c505955	1099511627781
1099511627784	all	8	1795054506337	{"seq":8,"at":"2026-11-19T02:15:06.337Z","author":"963f5c27494c5cd506f87271","event":"answered","query":"=r","a":"m","b":"k","assessor":"963f5c27494c5cd506f87271","answer":"b","seconds":2.5,"time":1795054506.337,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"chain":"32f7e76a0af3e1225d4e22439f813b41df3640b99ae3b5b5236087e364d3c79d"}	32f7e76a0af3e1225d4e22439f813b41df3640b99ae3b5b5236087e364d3c79d	1099511627782
1099511627785	all	9	1795054506341	{"seq":9,"at":"2026-11-19T02:15:06.341Z","author":"963f5c27494c5cd506f87271","event":"reported","query":"q","item":"y","assessor":"963f5c27494c5cd506f87271","problem":"wrong","chain":"6fa6220c277f614c45c398304a1b6489e4fadcabf5e94a02b24115f23d6e8bfe"}	6fa6220c277f614c45c398304a1b6489e4fadcabf5e94a02b24115f23d6e8bfe	\N
1099511627786	all	10	1795054506348	{"seq":10,"at":"2026-11-19T02:15:06.348Z","author":"b3d077e816909c642f1e1ca4","event":"answered","query":"q","a":"x","b":"y","assessor":"b3d077e816909c642f1e1ca4","answer":"a","seconds":2.5,"time":1795054506.348,"id":"00000000-0000-0000-0000-000000000007","chain":"0a84e5279e183d007a25acc638e59ae7460cb4a3c6f3306871a3c16b0138d365"}	0a84e5279e183d007a25acc638e59ae7460cb4a3c6f3306871a3c16b0138d365	1099511627786
1099511627787	all	11	1795054506350	{"seq":11,"at":"2026-11-19T02:15:06.350Z","author":"organiser e8d95ead1eda84ea2cf107e9","event":"excluded","assessor":"b3d077e816909c642f1e1ca4","chain":"ca6540ede53d34d409541b88dd8aed2bb3e182ee66d613c21cf0f161c538ca9e"}	ca6540ede53d34d409541b88dd8aed2bb3e182ee66d613c21cf0f161c538ca9e	\N
1099511627788	all	12	1795054506350	{"seq":12,"at":"2026-11-19T02:15:06.350Z","author":"server","event":"asked","batch":2,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":1}],"chain":"d98e6a9ba9e27dfb0671588c578c29c051ae3b009a9e37d4d577839f1274122d"}	d98e6a9ba9e27dfb0671588c578c29c051ae3b009a9e37d4d577839f1274122d	\N
1099511627789	all	13	1795054506351	{"seq":13,"at":"2026-11-19T02:15:06.351Z","author":"organiser e8d95ead1eda84ea2cf107e9","event":"readmitted","assessor":"b3d077e816909c642f1e1ca4","chain":"2b839b9876fd0020f86175632395e0cab62337c223e37d0024127cafa7be9f39"}	2b839b9876fd0020f86175632395e0cab62337c223e37d0024127cafa7be9f39	\N
1099511627790	all	14	1795054506361	{"seq":14,"at":"2026-11-19T02:15:06.361Z","author":"f28c99c1c4c0709ed4ed0375","event":"ranked","query":"=r","assessor":"f28c99c1c4c0709ed4ed0375","groups":[["m"],["l"],["k"]],"unranked":[],"seconds":30.0,"time":1795054506.361,"id":"00000000-0000-0000-0000-000000000008","chain":"3fa0667270df6168afa6ab169a65d4871be760016a9b5e0b083946f38cff2879"}	3fa0667270df6168afa6ab169a65d4871be760016a9b5e0b083946f38cff2879	1099511627789
1099511627791	all	15	1795054506363	{"seq":15,"at":"2026-11-19T02:15:06.363Z","author":"f28c99c1c4c0709ed4ed0375","event":"ranked","query":"q","assessor":"f28c99c1c4c0709ed4ed0375","groups":[["y"],["z"],["x"]],"unranked":[],"seconds":30.0,"time":1795054506.363,"id":"00000000-0000-0000-0000-000000000009","chain":"25f2795759fcee83ffc33a18b8a145880f9111c3831d4f9fa004f2ddcb90f470"}	25f2795759fcee83ffc33a18b8a145880f9111c3831d4f9fa004f2ddcb90f470	1099511627790
1099511627792	all	16	1795054506380	{"seq":16,"at":"2026-11-19T02:15:06.380Z","author":"397f911b3b4d01a8a0977036","event":"graded","query":"=r","item":"k","assessor":"397f911b3b4d01a8a0977036","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.38,"id":"00000000-0000-0000-0000-00000000000a","chain":"967aac96ec38a3d8ca539ef16c1e45a81ac7f76eb4ad113ec523e49be63af822"}	967aac96ec38a3d8ca539ef16c1e45a81ac7f76eb4ad113ec523e49be63af822	1099511627793
1099511627793	all	17	1795054506381	{"seq":17,"at":"2026-11-19T02:15:06.381Z","author":"397f911b3b4d01a8a0977036","event":"graded","query":"q","item":"x","assessor":"397f911b3b4d01a8a0977036","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.381,"id":"00000000-0000-0000-0000-00000000000b","chain":"6e2804442570decb2914137fff227c506104ed58c0682e237fdae4ef92b60f75"}	6e2804442570decb2914137fff227c506104ed58c0682e237fdae4ef92b60f75	1099511627794
1099511627794	all	18	1795054506384	{"seq":18,"at":"2026-11-19T02:15:06.384Z","author":"397f911b3b4d01a8a0977036","event":"graded","query":"=r","item":"m","assessor":"397f911b3b4d01a8a0977036","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.384,"id":"00000000-0000-0000-0000-00000000000c","chain":"8cf4246c3b65cecb6e28a3e3cc2dfbcf7e90bf5e3a45b4ef5d6c6c9e83509253"}	8cf4246c3b65cecb6e28a3e3cc2dfbcf7e90bf5e3a45b4ef5d6c6c9e83509253	1099511627795
1099511627795	all	19	1795054506492	{"seq":19,"at":"2026-11-19T02:15:06.492Z","author":"397f911b3b4d01a8a0977036","event":"graded","query":"q","item":"y","assessor":"397f911b3b4d01a8a0977036","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.492,"id":"00000000-0000-0000-0000-00000000000d","chain":"46815ed3ea15e7f98e71e6a0d0217fb417a8f8c01b4d3674431da6b2f229f86f"}	46815ed3ea15e7f98e71e6a0d0217fb417a8f8c01b4d3674431da6b2f229f86f	1099511627796
1099511627796	all	20	1795054506495	{"seq":20,"at":"2026-11-19T02:15:06.495Z","author":"397f911b3b4d01a8a0977036","event":"graded","query":"=r","item":"l","assessor":"397f911b3b4d01a8a0977036","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.495,"id":"00000000-0000-0000-0000-00000000000e","chain":"c69f8beaa279eeefd7cf8225bfc45e522c1782ffb2c5f6e75cbd32497d7e1fb3"}	c69f8beaa279eeefd7cf8225bfc45e522c1782ffb2c5f6e75cbd32497d7e1fb3	1099511627797
1099511627797	all	21	1795054506497	{"seq":21,"at":"2026-11-19T02:15:06.497Z","author":"397f911b3b4d01a8a0977036","event":"graded","query":"q","item":"z","assessor":"397f911b3b4d01a8a0977036","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.497,"id":"00000000-0000-0000-0000-00000000000f","chain":"0c10ead4ef602aaa56da549aa045f58fad6dc20ede250f805e68f83449ca755d"}	0c10ead4ef602aaa56da549aa045f58fad6dc20ede250f805e68f83449ca755d	1099511627798
1099511627798	all	22	1795054506511	{"seq":22,"at":"2026-11-19T02:15:06.511Z","author":"aa71229f052eac7ed2016ef9","event":"graded","query":"=r","item":"l","assessor":"aa71229f052eac7ed2016ef9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.511,"id":"00000000-0000-0000-0000-000000000010","chain":"3e42d7b4416f791f0e7209a03e95f12b371eb77cc2ada7c39ee1fd38aa27c0f5"}	3e42d7b4416f791f0e7209a03e95f12b371eb77cc2ada7c39ee1fd38aa27c0f5	1099511627799
1099511627799	all	23	1795054506512	{"seq":23,"at":"2026-11-19T02:15:06.512Z","author":"aa71229f052eac7ed2016ef9","event":"graded","query":"q","item":"y","assessor":"aa71229f052eac7ed2016ef9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.512,"id":"00000000-0000-0000-0000-000000000011","chain":"45c6128ea9e7c7e98b43d98f40132c947d2ea7001cd4465facd33812e6af9960"}	45c6128ea9e7c7e98b43d98f40132c947d2ea7001cd4465facd33812e6af9960	1099511627800
1099511627800	all	24	1795054506514	{"seq":24,"at":"2026-11-19T02:15:06.514Z","author":"aa71229f052eac7ed2016ef9","event":"graded","query":"=r","item":"m","assessor":"aa71229f052eac7ed2016ef9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.514,"id":"00000000-0000-0000-0000-000000000012","chain":"6753ce170f574ddf5fb91f7d6128c509e9c291202e7cc7235b17c8f13bcdb17d"}	6753ce170f574ddf5fb91f7d6128c509e9c291202e7cc7235b17c8f13bcdb17d	1099511627801
1099511627801	all	25	1795054506518	{"seq":25,"at":"2026-11-19T02:15:06.518Z","author":"aa71229f052eac7ed2016ef9","event":"graded","query":"q","item":"x","assessor":"aa71229f052eac7ed2016ef9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.518,"id":"00000000-0000-0000-0000-000000000013","chain":"fbabbf4b0212432d734f98b30f3c1150688e444e3c88fba7abfec2ef8b1bb509"}	fbabbf4b0212432d734f98b30f3c1150688e444e3c88fba7abfec2ef8b1bb509	1099511627802
1099511627802	all	26	1795054506519	{"seq":26,"at":"2026-11-19T02:15:06.519Z","author":"aa71229f052eac7ed2016ef9","event":"graded","query":"=r","item":"k","assessor":"aa71229f052eac7ed2016ef9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.519,"id":"00000000-0000-0000-0000-000000000014","chain":"d7758ef54d4218cf17361c69db74e4233bf0ef3a789f0b54ad2dbef28b8a16a6"}	d7758ef54d4218cf17361c69db74e4233bf0ef3a789f0b54ad2dbef28b8a16a6	1099511627803
1099511627803	all	27	1795054506521	{"seq":27,"at":"2026-11-19T02:15:06.521Z","author":"aa71229f052eac7ed2016ef9","event":"graded","query":"q","item":"z","assessor":"aa71229f052eac7ed2016ef9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795054506.521,"id":"00000000-0000-0000-0000-000000000015","chain":"2e53617e894c96788c7d3061c39943979820749336c83019cefdc361794cf557"}	2e53617e894c96788c7d3061c39943979820749336c83019cefdc361794cf557	1099511627804
1099511627804	all	28	1795054506524	{"seq":28,"at":"2026-11-19T02:15:06.524Z","author":"organiser e8d95ead1eda84ea2cf107e9","event":"paused","chain":"cd895c6f465885cd6cf7ac34658d0daea5d55de683d29ff12c45570b8bc92c31"}	cd895c6f465885cd6cf7ac34658d0daea5d55de683d29ff12c45570b8bc92c31	\N
1099511627805	all	29	1795054506525	{"seq":29,"at":"2026-11-19T02:15:06.525Z","author":"organiser e8d95ead1eda84ea2cf107e9","event":"resumed","chain":"9116630e4dce36ebe780dfcf5df9df9b7748d60fac47166a3a438edc31e55c03"}	9116630e4dce36ebe780dfcf5df9df9b7748d60fac47166a3a438edc31e55c03	\N
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, expires, revoked, person) FROM stdin;
1bb4de35036f037f826f7145	all	\\x732ba38dc1564373fecf96d0955034d022728be1485608ac09fc49be90f39d1c	ranking	\N	\N	\N	d8940035b987ec4d50bd5897
2d3532d4f76ed90a48660a6c	all	\\x3b20f81346b577fe761330506529a6e621167b128c756647edfcae1f548e7d33	ranking	\N	\N	\N	f28c99c1c4c0709ed4ed0375
30fb968b2a47093ff5cd37c5	all	\\x950ffe7c70e26ac2023d14203c264ac6dd782cc0fcc7d506873fc98d7b033de4	preference	\N	\N	\N	3e48253f0e25df2cf129014b
859da606bd4e401e5181a9f0	all	\\xccd56dd0081cd102ef89e42c449888880b86333a9aaa4e3da4518964cf808b6d	preference	\N	\N	\N	963f5c27494c5cd506f87271
8b5bf9651d9e79412de7e7e1	all	\\x861d3064427bfdbe25912adadf49391a6b718573045191fbdfb13e697f3ebea1	preference	for later	\N	\N	\N
c183ba435ba03a3e7b32531d	all	\\x95f886db07744399dc2f2de2ef814f5ec121b5d66562f25708b447e6a5769151	grading	\N	\N	\N	397f911b3b4d01a8a0977036
ec2ca8d137be6242f4b017e4	all	\\xc1461c8b8ad0f9c2d4fd8e7c819fbe94cf16f68bc6036786578e56aca9faede7	grading	\N	\N	\N	aa71229f052eac7ed2016ef9
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
397f911b3b4d01a8a0977036	all	grading	c183ba435ba03a3e7b32531d	active	en	1	cello, né	1795054506499	1795054506373	43
3e48253f0e25df2cf129014b	all	preference	30fb968b2a47093ff5cd37c5	active	en	1	cello, né	1795054506330	1795054506298	13
963f5c27494c5cd506f87271	all	preference	859da606bd4e401e5181a9f0	active	en	1	cello, né	\N	1795054506303	5
aa71229f052eac7ed2016ef9	all	grading	ec2ca8d137be6242f4b017e4	active	en	1	cello, né	1795054506522	1795054506374	53
b3d077e816909c642f1e1ca4	all	preference	recruiter	active	en	1	cello, né	\N	1795054506342	19
d8940035b987ec4d50bd5897	all	ranking	1bb4de35036f037f826f7145	active	en	1	cello, né	\N	1795054506356	30
f28c99c1c4c0709ed4ed0375	all	ranking	2d3532d4f76ed90a48660a6c	active	en	1	cello, né	\N	1795054506355	26
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x520889a948a360b4482ba0511fb8aa00ee4082903c77d6559a93a4d275630266	d8940035b987ec4d50bd5897	1797646506356
\\x61d43f59a46403876697e17e000b527fe8968a17ef47a53be3a777f7d641ac39	963f5c27494c5cd506f87271	1797646506303
\\x6e834e632993f59623b91956002962adfa2caec35a16f33a08b5eff5792f8d45	b3d077e816909c642f1e1ca4	1797646506342
\\x81f04baad46463f97a5088643121ff81cc73d3812ab26c698ac056cf0f51fc94	f28c99c1c4c0709ed4ed0375	1797646506355
\\x847a3038a924aaa523e92e74ef17b64dc0dd38e5c850978710f489162de28884	397f911b3b4d01a8a0977036	1797646506373
\\xa4696901675fb92a993c30f65e056c37dc2acb305bc091b624405e74c042a20e	3e48253f0e25df2cf129014b	1797646506298
\\xe3a531f75d7bc3f755494c19dc3d15d30fe3dfde557a5dcbdf0a04479eb7ea4f	aa71229f052eac7ed2016ef9	1797646506374
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	963f5c27494c5cd506f87271	1099511627782	comment	1795054506337	both "good", né
all	963f5c27494c5cd506f87271	1099511627783	report	1795054506341	no sound
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
1099511627777	1-402678e0b54188be41e8d873	all	3e48253f0e25df2cf129014b	1	preference	q	x	y	1	1	\N	1795055106314	live	6
1099511627778	2-5334811daf38fa274d52ccc6	all	3e48253f0e25df2cf129014b	2	preference	q	x	z	1	0	b	1795055106314	live	6
1099511627779	3-724216cb4525536651d3017d	all	3e48253f0e25df2cf129014b	3	preference	=r	k	m	0	1	\N	1795055106314	live	6
1099511627780	4-638ea4a2195cb655890b8629	all	3e48253f0e25df2cf129014b	4	preference	q	y	z	1	1	\N	1795055106325	live	10
1099511627781	5-eac5c91697f6ac2c0ca3302a	all	3e48253f0e25df2cf129014b	5	preference	=r	l	m	1	1	\N	1795055106325	live	10
1099511627782	6-87c38e5d0435e0b80756176c	all	963f5c27494c5cd506f87271	6	preference	=r	k	m	1	1	\N	1795055106335	live	14
1099511627783	7-1d7a9195abe9478b2cd3714f	all	963f5c27494c5cd506f87271	7	preference	q	x	y	0	1	\N	1795055106335	reported	17
1099511627784	8-775d1fa2e4b5528c00d14e00	all	963f5c27494c5cd506f87271	8	preference	q	x	z	0	0	a	1795055106335	live	14
1099511627785	9-e9241bf444baee45e93ee1f9	all	963f5c27494c5cd506f87271	9	preference	=r	l	m	0	1	\N	1795055106339	live	16
1099511627786	a-50b157973408352a8a9a424e	all	b3d077e816909c642f1e1ca4	10	preference	q	x	y	0	1	\N	1795055106346	live	20
1099511627787	b-ff2305e5eb2e9f944f874d22	all	b3d077e816909c642f1e1ca4	11	preference	q	x	z	0	0	a	1795055106346	live	20
1099511627788	c-cbb15643d6caa0c3e6e71f8a	all	b3d077e816909c642f1e1ca4	12	preference	q	y	z	0	0	\N	1795055106346	live	20
1099511627789	d-4e9763b5d029b3e620514e85	all	f28c99c1c4c0709ed4ed0375	13	ranking	=r			0	1	\N	1795055106360	live	27
1099511627790	e-2c53da9549ac38e2d5f30232	all	f28c99c1c4c0709ed4ed0375	14	ranking	q			0	1	\N	1795055106360	live	27
1099511627791	f-61213f6a88bc8e67e63dbd95	all	d8940035b987ec4d50bd5897	15	ranking	q			0	1	\N	1795055106367	live	31
1099511627792	10-643599b6fec688b15ffeffe8	all	d8940035b987ec4d50bd5897	16	ranking	=r			0	1	\N	1795055106367	live	31
1099511627793	11-e7b01b2df6ec256589662bac	all	397f911b3b4d01a8a0977036	17	grading	=r	k		0	1	\N	1795055106378	live	35
1099511627794	12-fe382f6f2041190efe84f8ac	all	397f911b3b4d01a8a0977036	18	grading	q	x		0	1	\N	1795055106378	live	35
1099511627795	13-993e440a5cf52dbb526e6a9d	all	397f911b3b4d01a8a0977036	19	grading	=r	m		0	1	\N	1795055106378	live	35
1099511627796	14-160979f80ddb9e6bbd8f14a7	all	397f911b3b4d01a8a0977036	20	grading	q	y		0	1	\N	1795055106484	live	39
1099511627797	15-cb7cf8a44dd110cf982499ec	all	397f911b3b4d01a8a0977036	21	grading	=r	l		0	1	\N	1795055106484	live	39
1099511627798	16-be2c812f3bf035d6273c13cc	all	397f911b3b4d01a8a0977036	22	grading	q	z		0	1	\N	1795055106484	live	39
1099511627799	17-e7d13597408c8e88fb9e0227	all	aa71229f052eac7ed2016ef9	23	grading	=r	l		0	1	\N	1795055106509	live	45
1099511627800	18-3d5465d89e27a74381b351d8	all	aa71229f052eac7ed2016ef9	24	grading	q	y		0	1	\N	1795055106509	live	45
1099511627801	19-15e0768449052486db65c6f7	all	aa71229f052eac7ed2016ef9	25	grading	=r	m		0	1	\N	1795055106509	live	45
1099511627802	1a-722409a86caaa5678e01e535	all	aa71229f052eac7ed2016ef9	26	grading	q	x		0	1	\N	1795055106515	live	49
1099511627803	1b-9640d169bd9eceefa69bb56a	all	aa71229f052eac7ed2016ef9	27	grading	=r	k		0	1	\N	1795055106515	live	49
1099511627804	1c-76f00e06850e213d3fae1366	all	aa71229f052eac7ed2016ef9	28	grading	q	z		0	1	\N	1795055106515	live	49
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
e8d95ead1eda84ea2cf107e9	\\x9f479010c15d3043b5eec2aadebd24fe31213dc68df2b144073087fa18742422	read manage people tokens	\N	1795054506197
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

\unrestrict vlUfUbHqIXlXeeVPyMHmTxrhWCRynXdlqZq0kj6e8mTWmKWe3ZMzp9Vq1YHyGS7

