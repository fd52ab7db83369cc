--
-- PostgreSQL database dump
--

\restrict oyzaqvPDtAWc8L4tUYAmoohDF0Uk7LcLLAF5LgyN6anV6KJrSyP06s0d1Qd2ljp

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
    number bigint NOT NULL
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

COPY public.campaign (name, created, state, seq, chain, version, number) FROM stdin;
all	1794893460123	open	28	9bb760ccd97c3c4a9dc8a188fd5d97fc33972f2abb273a2c80bbe1a0d609e856	55	1
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	a60a12832b70f91bef720dbe
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
1099511627791	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
1099511627792	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (key, campaign, seq, at, line, chain, task) FROM stdin;
1099511627777	all	1	1794893460123	{"seq":1,"at":"2026-11-17T05:31:00.123Z","author":"organiser f3cfb4a178186ac741bf9f02","event":"opened","version":1,"settings":{"campaign":"all","seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"matters":0.242,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"kinds":["preference","ranking","grading"],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"graders":2,"lists":[{"query":"=r","items":[{"item":"k"},{"item":"l"},{"item":"m"}]},{"query":"q","items":[{"item":"x"},{"item":"y"},{"item":"z"}]}]},"chain":"52cbce7bfee5eda712d76bb8f3bf64761df77863c7cb7d1746b9028e88a49ce2"}	52cbce7bfee5eda712d76bb8f3bf64761df77863c7cb7d1746b9028e88a49ce2	\N
1099511627778	all	2	1794893460123	{"seq":2,"at":"2026-11-17T05:31:00.123Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"ef3157cc5a3bf24d3962bc03d41f01b609c1c752cd447523634eeb8b8984d1d8"}	ef3157cc5a3bf24d3962bc03d41f01b609c1c752cd447523634eeb8b8984d1d8	\N
1099511627779	all	3	1794893460146	{"seq":3,"at":"2026-11-17T05:31:00.146Z","author":"892422038151cc69441b5f54","event":"answered","query":"q","a":"y","b":"x","assessor":"892422038151cc69441b5f54","answer":"b","seconds":2.5,"time":1794893460.146,"id":"00000000-0000-0000-0000-000000000001","chain":"7be21aed80d10c5d79be580e5e972ec9c757c6b7ab68a08fcbe75f43165c0046"}	7be21aed80d10c5d79be580e5e972ec9c757c6b7ab68a08fcbe75f43165c0046	1099511627777
1099511627780	all	4	1794893460149	{"seq":4,"at":"2026-11-17T05:31:00.149Z","author":"892422038151cc69441b5f54","event":"checked","query":"q","a":"x","b":"z","assessor":"892422038151cc69441b5f54","answer":"a","seconds":2.5,"time":1794893460.149,"id":"00000000-0000-0000-0000-000000000002","expected":"a","chain":"b0f121bb814aae2935df0df1400921b65b5003ec41534edb173dea2412b16d32"}	b0f121bb814aae2935df0df1400921b65b5003ec41534edb173dea2412b16d32	1099511627778
1099511627781	all	5	1794893460151	{"seq":5,"at":"2026-11-17T05:31:00.151Z","author":"892422038151cc69441b5f54","event":"answered","query":"=r","a":"m","b":"l","assessor":"892422038151cc69441b5f54","answer":"b","seconds":2.5,"time":1794893460.151,"id":"00000000-0000-0000-0000-000000000003","chain":"1d00c126a2aeabfc4d1707222ed933921ea6fb15b9187912e6748b70ba07caf4"}	1d00c126a2aeabfc4d1707222ed933921ea6fb15b9187912e6748b70ba07caf4	1099511627779
1099511627782	all	6	1794893460157	{"seq":6,"at":"2026-11-17T05:31:00.157Z","author":"892422038151cc69441b5f54","event":"answered","query":"q","a":"z","b":"y","assessor":"892422038151cc69441b5f54","answer":"b","seconds":2.5,"time":1794893460.157,"id":"00000000-0000-0000-0000-000000000004","chain":"7b10f424edabcecef6622fe07e466c7c9d53b40f2f4a7e9a8f060059eeb02761"}	7b10f424edabcecef6622fe07e466c7c9d53b40f2f4a7e9a8f060059eeb02761	1099511627780
1099511627783	all	7	1794893460159	{"seq":7,"at":"2026-11-17T05:31:00.159Z","author":"892422038151cc69441b5f54","event":"answered","query":"=r","a":"k","b":"m","assessor":"892422038151cc69441b5f54","answer":"a","seconds":2.5,"time":1794893460.159,"id":"00000000-0000-0000-0000-000000000005","chain":"1e6bc1ad4da56051b5d34a6545b4f70e494e89230f941719e3562c3775c25b03"}	1e6bc1ad4da56051b5d34a6545b4f70e494e89230f941719e3562c3775c25b03	1099511627781
1099511627784	all	8	1794893460168	{"seq":8,"at":"2026-11-17T05:31:00.168Z","author":"e90e533c3292d8bef378305e","event":"answered","query":"q","a":"y","b":"z","assessor":"e90e533c3292d8bef378305e","answer":"a","seconds":2.5,"time":1794893460.168,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"chain":"5a10085f1d0e5d247c3d94773abffc0c6b3b565d6103bef1d86545da02049ee0"}	5a10085f1d0e5d247c3d94773abffc0c6b3b565d6103bef1d86545da02049ee0	1099511627782
1099511627785	all	9	1794893460174	{"seq":9,"at":"2026-11-17T05:31:00.174Z","author":"e90e533c3292d8bef378305e","event":"reported","query":"=r","item":"m","assessor":"e90e533c3292d8bef378305e","problem":"wrong","chain":"e5a608d29bbb1f72d06312754cde7b4b1ccb1bc0671557216872e4f5973060db"}	e5a608d29bbb1f72d06312754cde7b4b1ccb1bc0671557216872e4f5973060db	\N
1099511627786	all	10	1794893460186	{"seq":10,"at":"2026-11-17T05:31:00.186Z","author":"a60a12832b70f91bef720dbe","event":"checked","query":"q","a":"z","b":"x","assessor":"a60a12832b70f91bef720dbe","answer":"b","seconds":2.5,"time":1794893460.186,"id":"00000000-0000-0000-0000-000000000007","expected":"b","chain":"e49f8e362a7d9abfd40e7ce34b5ef1bbad45f425da90ef8a4ea3308e0c6ff586"}	e49f8e362a7d9abfd40e7ce34b5ef1bbad45f425da90ef8a4ea3308e0c6ff586	1099511627786
1099511627787	all	11	1794893460189	{"seq":11,"at":"2026-11-17T05:31:00.189Z","author":"organiser f3cfb4a178186ac741bf9f02","event":"excluded","assessor":"a60a12832b70f91bef720dbe","chain":"0533f2e86fd3474bff1d598ae7290459f2f52fc3c0a4dd91374c20e15e896491"}	0533f2e86fd3474bff1d598ae7290459f2f52fc3c0a4dd91374c20e15e896491	\N
1099511627788	all	12	1794893460191	{"seq":12,"at":"2026-11-17T05:31:00.191Z","author":"organiser f3cfb4a178186ac741bf9f02","event":"readmitted","assessor":"a60a12832b70f91bef720dbe","chain":"87f77bb2c9a695541e6f709ba57241fa56911612cc283b2dc968dcce410d27ca"}	87f77bb2c9a695541e6f709ba57241fa56911612cc283b2dc968dcce410d27ca	\N
1099511627789	all	13	1794893460208	{"seq":13,"at":"2026-11-17T05:31:00.208Z","author":"fa699d916bc3987e0205300c","event":"ranked","query":"=r","assessor":"fa699d916bc3987e0205300c","groups":[["l"],["m"],["k"]],"unranked":[],"seconds":30.0,"time":1794893460.208,"id":"00000000-0000-0000-0000-000000000008","chain":"71dc68dd0e754d9aded1d3b47435230803824a15ba98933b9fdc34adf26be0b7"}	71dc68dd0e754d9aded1d3b47435230803824a15ba98933b9fdc34adf26be0b7	1099511627789
1099511627790	all	14	1794893460211	{"seq":14,"at":"2026-11-17T05:31:00.211Z","author":"fa699d916bc3987e0205300c","event":"ranked","query":"q","assessor":"fa699d916bc3987e0205300c","groups":[["z"],["x"],["y"]],"unranked":[],"seconds":30.0,"time":1794893460.211,"id":"00000000-0000-0000-0000-000000000009","chain":"3b980c2c4a296beacee178ad7858cc0736be651ca574961ef6658ced1a4ecd31"}	3b980c2c4a296beacee178ad7858cc0736be651ca574961ef6658ced1a4ecd31	1099511627790
1099511627791	all	15	1794893460241	{"seq":15,"at":"2026-11-17T05:31:00.241Z","author":"a906eee0e413b437819d1641","event":"graded","query":"q","item":"y","assessor":"a906eee0e413b437819d1641","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.241,"id":"00000000-0000-0000-0000-00000000000a","chain":"8e5fd81e8bf53271a2fd463def5fe516278123bb9217c0b634cd66a0117dda09"}	8e5fd81e8bf53271a2fd463def5fe516278123bb9217c0b634cd66a0117dda09	1099511627793
1099511627792	all	16	1794893460245	{"seq":16,"at":"2026-11-17T05:31:00.245Z","author":"a906eee0e413b437819d1641","event":"graded","query":"=r","item":"m","assessor":"a906eee0e413b437819d1641","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.245,"id":"00000000-0000-0000-0000-00000000000b","chain":"7c19e62e0a3b8d8e9fb24ec3070cca30df9f5a33451206b245b0cacde6466cc8"}	7c19e62e0a3b8d8e9fb24ec3070cca30df9f5a33451206b245b0cacde6466cc8	1099511627794
1099511627793	all	17	1794893460250	{"seq":17,"at":"2026-11-17T05:31:00.250Z","author":"a906eee0e413b437819d1641","event":"graded","query":"q","item":"x","assessor":"a906eee0e413b437819d1641","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.25,"id":"00000000-0000-0000-0000-00000000000c","chain":"aa93e6f698ad47b0a4d2a717942ba6e8a0347ea15d8a9b417e5a76f29076ff0a"}	aa93e6f698ad47b0a4d2a717942ba6e8a0347ea15d8a9b417e5a76f29076ff0a	1099511627795
1099511627794	all	18	1794893460257	{"seq":18,"at":"2026-11-17T05:31:00.257Z","author":"a906eee0e413b437819d1641","event":"graded","query":"=r","item":"k","assessor":"a906eee0e413b437819d1641","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.257,"id":"00000000-0000-0000-0000-00000000000d","chain":"94637a9f6a1d607354798351b3c6df8a5ed7800b4f85c250de97dd8af427632b"}	94637a9f6a1d607354798351b3c6df8a5ed7800b4f85c250de97dd8af427632b	1099511627796
1099511627795	all	19	1794893460260	{"seq":19,"at":"2026-11-17T05:31:00.260Z","author":"a906eee0e413b437819d1641","event":"graded","query":"q","item":"z","assessor":"a906eee0e413b437819d1641","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.26,"id":"00000000-0000-0000-0000-00000000000e","chain":"a7aa6e2cd4f664ccae80321f81b152374a66c959bb8d1a7068b527232d4f227d"}	a7aa6e2cd4f664ccae80321f81b152374a66c959bb8d1a7068b527232d4f227d	1099511627797
1099511627796	all	20	1794893460263	{"seq":20,"at":"2026-11-17T05:31:00.263Z","author":"a906eee0e413b437819d1641","event":"graded","query":"=r","item":"l","assessor":"a906eee0e413b437819d1641","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.263,"id":"00000000-0000-0000-0000-00000000000f","chain":"50291e57a5e050c9d18036ab800e6475a3ada7c3fcfb159a65424692bd630b68"}	50291e57a5e050c9d18036ab800e6475a3ada7c3fcfb159a65424692bd630b68	1099511627798
1099511627797	all	21	1794893460279	{"seq":21,"at":"2026-11-17T05:31:00.279Z","author":"de459408dbb0448cc0fc05be","event":"graded","query":"q","item":"z","assessor":"de459408dbb0448cc0fc05be","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.279,"id":"00000000-0000-0000-0000-000000000010","chain":"87d0e3746852f10c71b14cec8a32b80c61497376ef636aad8f73ad116d12e072"}	87d0e3746852f10c71b14cec8a32b80c61497376ef636aad8f73ad116d12e072	1099511627799
1099511627798	all	22	1794893460282	{"seq":22,"at":"2026-11-17T05:31:00.282Z","author":"de459408dbb0448cc0fc05be","event":"graded","query":"=r","item":"l","assessor":"de459408dbb0448cc0fc05be","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.282,"id":"00000000-0000-0000-0000-000000000011","chain":"dd2e5dcf6d28d415d80cb34766657d703c1a1e296c2ce69d160b67c80cd01e82"}	dd2e5dcf6d28d415d80cb34766657d703c1a1e296c2ce69d160b67c80cd01e82	1099511627800
1099511627799	all	23	1794893460285	{"seq":23,"at":"2026-11-17T05:31:00.285Z","author":"de459408dbb0448cc0fc05be","event":"graded","query":"q","item":"y","assessor":"de459408dbb0448cc0fc05be","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.285,"id":"00000000-0000-0000-0000-000000000012","chain":"c71f354f4d1008c291f6d3516bc64352aad520fd7cfe7456a6a64579cd9a747b"}	c71f354f4d1008c291f6d3516bc64352aad520fd7cfe7456a6a64579cd9a747b	1099511627801
1099511627800	all	24	1794893460292	{"seq":24,"at":"2026-11-17T05:31:00.292Z","author":"de459408dbb0448cc0fc05be","event":"graded","query":"=r","item":"m","assessor":"de459408dbb0448cc0fc05be","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.292,"id":"00000000-0000-0000-0000-000000000013","chain":"0c25b1071ae855c91634fc3efd8c4e50be296a82d3cb77591f83a7ad61be5809"}	0c25b1071ae855c91634fc3efd8c4e50be296a82d3cb77591f83a7ad61be5809	1099511627802
1099511627801	all	25	1794893460296	{"seq":25,"at":"2026-11-17T05:31:00.296Z","author":"de459408dbb0448cc0fc05be","event":"graded","query":"q","item":"x","assessor":"de459408dbb0448cc0fc05be","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.296,"id":"00000000-0000-0000-0000-000000000014","chain":"44ad1cd2ca48f589ef046e957c1b6932819dd1c0f41e326b26b63d04575c06d1"}	44ad1cd2ca48f589ef046e957c1b6932819dd1c0f41e326b26b63d04575c06d1	1099511627803
1099511627802	all	26	1794893460299	{"seq":26,"at":"2026-11-17T05:31:00.299Z","author":"de459408dbb0448cc0fc05be","event":"graded","query":"=r","item":"k","assessor":"de459408dbb0448cc0fc05be","broad":"SS","fine":1.5,"seconds":3.0,"time":1794893460.299,"id":"00000000-0000-0000-0000-000000000015","chain":"aa73db657ecea7aab9327d9626c65bf94c73ba1da69d5e6810b21c8c7ce843cd"}	aa73db657ecea7aab9327d9626c65bf94c73ba1da69d5e6810b21c8c7ce843cd	1099511627804
1099511627803	all	27	1794893460305	{"seq":27,"at":"2026-11-17T05:31:00.305Z","author":"organiser f3cfb4a178186ac741bf9f02","event":"paused","chain":"7b6da422be2fe5943c95843f0b754ead881b957826c24859ab7cc4c25a33dba1"}	7b6da422be2fe5943c95843f0b754ead881b957826c24859ab7cc4c25a33dba1	\N
1099511627804	all	28	1794893460307	{"seq":28,"at":"2026-11-17T05:31:00.307Z","author":"organiser f3cfb4a178186ac741bf9f02","event":"resumed","chain":"9bb760ccd97c3c4a9dc8a188fd5d97fc33972f2abb273a2c80bbe1a0d609e856"}	9bb760ccd97c3c4a9dc8a188fd5d97fc33972f2abb273a2c80bbe1a0d609e856	\N
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, expires, revoked, person) FROM stdin;
23340c77769c97d85dde0b19	all	\\x9eae9d459b9034803365731f70881189b397fa1efcf99c634bb9a7e62d9fd449	grading	\N	\N	\N	de459408dbb0448cc0fc05be
64d9644fe47a3a8993d23b4e	all	\\x04671244fe382ff55aadc08e676e1bf8a34bf9c26845d13749ecdffcb674f723	preference	\N	\N	\N	e90e533c3292d8bef378305e
97bf283dae04be23d1b8c8f1	all	\\x40bf7522e1ab9b6a37f6f81215d67929e3dd9914dac89d703641e4ed7a51bb56	ranking	\N	\N	\N	fa699d916bc3987e0205300c
a9ffcd6ff06367b0e44a9dbe	all	\\xc752354e799e118de2ac73032736e350af3e3984891674fc0ff5357cec169d26	preference	for later	\N	\N	\N
b5e2a6eaa50d2f2babe8d7ca	all	\\x146fcf86c92e758f232438aacee9d0207567476434b42d90067fb7ef789a04c9	preference	\N	\N	\N	892422038151cc69441b5f54
bb37569e81192c0f58d0df3a	all	\\x51ffbf98f2bac877718c6216f1841847895a5f24a3b072c53ab98fdc1c6837dd	grading	\N	\N	\N	a906eee0e413b437819d1641
f2412faf15752c8c266e22e0	all	\\x07399ef4201d9e2170c4f46c42d7061a47972d40340d993dbf83ac9c419182a8	ranking	\N	\N	\N	3cd97c4b98acd7db6c2412ed
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
3cd97c4b98acd7db6c2412ed	all	ranking	f2412faf15752c8c266e22e0	active	en	1	cello, né	\N	1794893460199	30
892422038151cc69441b5f54	all	preference	b5e2a6eaa50d2f2babe8d7ca	active	en	1	cello, né	1794893460162	1794893460131	13
a60a12832b70f91bef720dbe	all	preference	recruiter	active	en	1	cello, né	\N	1794893460176	19
a906eee0e413b437819d1641	all	grading	bb37569e81192c0f58d0df3a	active	en	1	cello, né	1794893460265	1794893460227	43
de459408dbb0448cc0fc05be	all	grading	23340c77769c97d85dde0b19	active	en	1	cello, né	1794893460302	1794893460229	53
e90e533c3292d8bef378305e	all	preference	64d9644fe47a3a8993d23b4e	active	en	1	cello, né	\N	1794893460133	5
fa699d916bc3987e0205300c	all	ranking	97bf283dae04be23d1b8c8f1	active	en	1	cello, né	\N	1794893460196	26
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x30d37cdf0325b346804b71c3a97f6ea534a7890557374971c89d00e8c5699e4a	a906eee0e413b437819d1641	1797485460227
\\x6922765dbd7e8acd1254c0eb65a336821f6bf503c68ed3d6497034dbc4137d1e	fa699d916bc3987e0205300c	1797485460196
\\x692e2b575c87d7e2ddf4696297841648b85fb333243e9639c8c384f7ea7d4f09	e90e533c3292d8bef378305e	1797485460133
\\x6b733c590269a72093a98da2c079024374b75417ab1d8c4cd344dc31a8a6a834	892422038151cc69441b5f54	1797485460131
\\xcc6bdbf5598b00be192041f72390abfc683e4df58b1a735478845d88f155bdb2	de459408dbb0448cc0fc05be	1797485460229
\\xeffdedab760c0f85085168fc2521d4fb1124aa7b3450ae48f13661645e9951ad	3cd97c4b98acd7db6c2412ed	1797485460199
\\xf1b1511f0cb520519a0ed6821d1280850a344f48d63b4ba6bec188e661884175	a60a12832b70f91bef720dbe	1797485460176
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	e90e533c3292d8bef378305e	1099511627782	comment	1794893460168	both "good", né
all	e90e533c3292d8bef378305e	1099511627783	report	1794893460174	no sound
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
1099511627777	1-098004bbe313d019c3d038ee	all	892422038151cc69441b5f54	1	preference	q	x	y	1	1	\N	1794894060142	live	6
1099511627778	2-be699de7a585d2c1da96d876	all	892422038151cc69441b5f54	2	preference	q	x	z	0	0	a	1794894060142	live	6
1099511627779	3-39eed4be3bf595c8cdaf3533	all	892422038151cc69441b5f54	3	preference	=r	l	m	1	1	\N	1794894060142	live	6
1099511627780	4-e3424bb2dcb095f49dd0b20f	all	892422038151cc69441b5f54	4	preference	q	y	z	1	1	\N	1794894060154	live	10
1099511627781	5-32fe132083eb0725bd0df2c1	all	892422038151cc69441b5f54	5	preference	=r	k	m	0	1	\N	1794894060154	live	10
1099511627782	6-91cabdadd86c39040dfdea30	all	e90e533c3292d8bef378305e	6	preference	q	y	z	0	1	\N	1794894060164	live	14
1099511627783	7-109247b0962f07779a81a902	all	e90e533c3292d8bef378305e	7	preference	=r	l	m	0	1	\N	1794894060164	reported	17
1099511627784	8-4ed1557c723762c584586889	all	e90e533c3292d8bef378305e	8	preference	q	x	z	1	1	b	1794894060164	live	14
1099511627785	9-d83349ab4eac5cb5aa1652b1	all	e90e533c3292d8bef378305e	9	preference	=r	k	m	1	1	\N	1794894060171	returned	17
1099511627786	a-d491b107195ff2cb7c7dda89	all	a60a12832b70f91bef720dbe	10	preference	q	x	z	1	1	b	1794894060183	live	20
1099511627787	b-72274c3cacf4630060983de8	all	a60a12832b70f91bef720dbe	11	preference	=r	k	m	1	1	\N	1794894060183	live	20
1099511627788	c-b050e7947b43e3f0f4e1e0a5	all	a60a12832b70f91bef720dbe	12	preference	q	x	y	0	1	\N	1794894060183	live	20
1099511627789	d-eb454302bbbe96f8705d5aff	all	fa699d916bc3987e0205300c	13	ranking	=r			0	1	\N	1794894060205	live	27
1099511627790	e-1398fb9b452da9ff47925f6f	all	fa699d916bc3987e0205300c	14	ranking	q			0	1	\N	1794894060205	live	27
1099511627791	f-489002281a2b1ac1a5b6504b	all	3cd97c4b98acd7db6c2412ed	15	ranking	=r			0	1	\N	1794894060216	live	31
1099511627792	10-9fa8aaa81008cd4d1ee498c8	all	3cd97c4b98acd7db6c2412ed	16	ranking	q			0	1	\N	1794894060216	live	31
1099511627793	11-dde8e0876ba4e6fa60f8ba4a	all	a906eee0e413b437819d1641	17	grading	q	y		0	1	\N	1794894060236	live	35
1099511627794	12-7784d64aeb44f39695868432	all	a906eee0e413b437819d1641	18	grading	=r	m		0	1	\N	1794894060236	live	35
1099511627795	13-a20dcda66d67ba3eb247c009	all	a906eee0e413b437819d1641	19	grading	q	x		0	1	\N	1794894060236	live	35
1099511627796	14-d319cec25327f38b7e9dea83	all	a906eee0e413b437819d1641	20	grading	=r	k		0	1	\N	1794894060254	live	39
1099511627797	15-8e1b930456bdc527fdacc479	all	a906eee0e413b437819d1641	21	grading	q	z		0	1	\N	1794894060254	live	39
1099511627798	16-0071f03ca56b00e4f681fd9e	all	a906eee0e413b437819d1641	22	grading	=r	l		0	1	\N	1794894060254	live	39
1099511627799	17-dda89311ca040eefa1e5ccd1	all	de459408dbb0448cc0fc05be	23	grading	q	z		0	1	\N	1794894060275	live	45
1099511627800	18-6ab0c2ffe83148b67599b7ea	all	de459408dbb0448cc0fc05be	24	grading	=r	l		0	1	\N	1794894060275	live	45
1099511627801	19-5155197b4adb062d5efe24a7	all	de459408dbb0448cc0fc05be	25	grading	q	y		0	1	\N	1794894060275	live	45
1099511627802	1a-a39775f610f2c70c4ea19680	all	de459408dbb0448cc0fc05be	26	grading	=r	m		0	1	\N	1794894060288	live	49
1099511627803	1b-ef6b1d5898fbf3a430c23be0	all	de459408dbb0448cc0fc05be	27	grading	q	x		0	1	\N	1794894060288	live	49
1099511627804	1c-3dfdf113063e1020d29cc625	all	de459408dbb0448cc0fc05be	28	grading	=r	k		0	1	\N	1794894060288	live	49
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
f3cfb4a178186ac741bf9f02	\\x1aff4682b902d5d086601186360543ff23164cb866207416ae544568763a9068	read manage people tokens	\N	1794893460114
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
-- Name: document document_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (campaign);


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
-- Name: document document_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


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

\unrestrict oyzaqvPDtAWc8L4tUYAmoohDF0Uk7LcLLAF5LgyN6anV6KJrSyP06s0d1Qd2ljp

