--
-- PostgreSQL database dump
--

\restrict fZyXCSqRWDAnjwxGIBU1tyrxu0PqgdsfM4yq7rTMY5djgb70EILrTJ4drRCfA7j

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
    email text,
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
    consented bigint,
    ended bigint,
    place bigint,
    erased bigint,
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
all	A campaign	1795131360240	open	29	6cbae535a726ad394fe10279031de373a7a4f10841cc6bdc2a0d266946c5a8c3	56	1	{"preset":"prolific","name":null,"id":null,"capture":null,"kind":null,"limit":3,"outcomes":{"complete":{"code":"C1","url":null}}}
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	9b0645ea424ab7b4751b8f23
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
1099511627777	all	1	1795131360240	{"seq":1,"at":"2026-11-19T23:36:00.240Z","author":"organiser 0d3ce47a6cef819545ae7099","event":"opened","version":1,"spec":{"name":"all","title":"A campaign","kinds":["preference","ranking","grading"],"instructions":{},"consent":{"version":"1","text":{"en":"Agree?"}},"settings":{"seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"matters":0.242,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"names":"exact"},"lists":[{"query":"=r","show":{"text":"text =r"},"items":[{"item":"k","show":{"text":"text k"}},{"item":"l","show":{"text":"text l"}},{"item":"m","show":{"text":"text m"}}]},{"query":"q","show":{"audio":"950ca48f1fd1da74c1da47777dbc1aee11f6a4e306e7b7d95ead257d9a1075ef","text":"text q"},"items":[{"item":"x","show":{"image":"2f5377edb154bb5666bfb85ae12a37b889f68ae11cd880fb0c4164912aac0ff4","text":"text x","alt":"a staff"}},{"item":"y","show":{"text":"text y"}},{"item":"z","show":{"text":"text z"}}]}],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"recruiter":null,"judging":{"lease_seconds":600,"per_person":null,"people":null,"ahead":3,"hear":"ended","mix":true,"graders":2,"wait_seconds":120,"fine":{"min":0.0,"max":10.0,"step":0.1},"background":true}},"chain":"ccb653569a351bb3fa332079a4f1d69537818e8106040c762cacd6a7a8f3349f"}	ccb653569a351bb3fa332079a4f1d69537818e8106040c762cacd6a7a8f3349f	\N
1099511627778	all	2	1795131360240	{"seq":2,"at":"2026-11-19T23:36:00.240Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"5609cb5391f1eba7507735fcf3f7dfb0898a400d91de31a91a2719c3ef03db76"}	5609cb5391f1eba7507735fcf3f7dfb0898a400d91de31a91a2719c3ef03db76	\N
1099511627779	all	3	1795131360263	{"seq":3,"at":"2026-11-19T23:36:00.263Z","author":"1d67f73671ba93c2cc86289d","event":"answered","query":"q","a":"y","b":"x","assessor":"1d67f73671ba93c2cc86289d","answer":"b","seconds":2.5,"time":1795131360.263,"id":"00000000-0000-0000-0000-000000000001","chain":"35ddf7ad7a9726aafc452c3dd132127dd3a8f93d9f5f0a25d84f8f0684a19b87"}	35ddf7ad7a9726aafc452c3dd132127dd3a8f93d9f5f0a25d84f8f0684a19b87	1099511627777
1099511627780	all	4	1795131360272	{"seq":4,"at":"2026-11-19T23:36:00.272Z","author":"1d67f73671ba93c2cc86289d","event":"checked","query":"q","a":"z","b":"x","assessor":"1d67f73671ba93c2cc86289d","answer":"b","seconds":2.5,"time":1795131360.272,"id":"00000000-0000-0000-0000-000000000002","expected":"b","chain":"a1f31fcc6c5d923918687fc093de66ba2dd937460fbd42eb5b9fdaec5f814834"}	a1f31fcc6c5d923918687fc093de66ba2dd937460fbd42eb5b9fdaec5f814834	1099511627778
1099511627781	all	5	1795131360277	{"seq":5,"at":"2026-11-19T23:36:00.277Z","author":"1d67f73671ba93c2cc86289d","event":"answered","query":"=r","a":"k","b":"m","assessor":"1d67f73671ba93c2cc86289d","answer":"a","seconds":2.5,"time":1795131360.277,"id":"00000000-0000-0000-0000-000000000003","chain":"1e75b3a5d143fafe6022a5c37a08fb1883a13521bf2f3099e0771d7a152de107"}	1e75b3a5d143fafe6022a5c37a08fb1883a13521bf2f3099e0771d7a152de107	1099511627779
1099511627782	all	6	1795131360281	{"seq":6,"at":"2026-11-19T23:36:00.281Z","author":"1d67f73671ba93c2cc86289d","event":"answered","query":"q","a":"z","b":"y","assessor":"1d67f73671ba93c2cc86289d","answer":"b","seconds":2.5,"time":1795131360.281,"id":"00000000-0000-0000-0000-000000000004","chain":"377fbf17b6103669f335a3ecb5e9f71dfa946feeea0f2b0220bd1b36aebd6bf6"}	377fbf17b6103669f335a3ecb5e9f71dfa946feeea0f2b0220bd1b36aebd6bf6	1099511627780
1099511627783	all	7	1795131360283	{"seq":7,"at":"2026-11-19T23:36:00.283Z","author":"1d67f73671ba93c2cc86289d","event":"answered","query":"=r","a":"m","b":"l","assessor":"1d67f73671ba93c2cc86289d","answer":"b","seconds":2.5,"time":1795131360.283,"id":"00000000-0000-0000-0000-000000000005","chain":"55b910c21e21c469bf5cccf755eec507b4066b7f6adf80d990226fc9baad40d7"}	55b910c21e21c469bf5cccf755eec507b4066b7f6adf80d990226fc9baad40d7	1099511627781
1099511627784	all	8	1795131360289	{"seq":8,"at":"2026-11-19T23:36:00.289Z","author":"0021d072fa2b4f3e51e22e6c","event":"answered","query":"=r","a":"m","b":"k","assessor":"0021d072fa2b4f3e51e22e6c","answer":"b","seconds":2.5,"time":1795131360.289,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"chain":"2890a1ae0faddaff5a5fa0ae99db3840dd7d6559ab5457805e39268e0adff7de"}	2890a1ae0faddaff5a5fa0ae99db3840dd7d6559ab5457805e39268e0adff7de	1099511627782
1099511627785	all	9	1795131360293	{"seq":9,"at":"2026-11-19T23:36:00.293Z","author":"0021d072fa2b4f3e51e22e6c","event":"reported","query":"q","item":"z","assessor":"0021d072fa2b4f3e51e22e6c","problem":"wrong","chain":"32e0f9692e5de95192cf8493e71082ae6290f64b503b4ccb1316217a12f087e9"}	32e0f9692e5de95192cf8493e71082ae6290f64b503b4ccb1316217a12f087e9	\N
1099511627786	all	10	1795131360303	{"seq":10,"at":"2026-11-19T23:36:00.303Z","author":"9b0645ea424ab7b4751b8f23","event":"answered","query":"q","a":"y","b":"z","assessor":"9b0645ea424ab7b4751b8f23","answer":"a","seconds":2.5,"time":1795131360.303,"id":"00000000-0000-0000-0000-000000000007","chain":"3458b3be4086efa6c28b7e5124db130502326a2ebda57634bdc72a883f604096"}	3458b3be4086efa6c28b7e5124db130502326a2ebda57634bdc72a883f604096	1099511627786
1099511627787	all	11	1795131360305	{"seq":11,"at":"2026-11-19T23:36:00.305Z","author":"organiser 0d3ce47a6cef819545ae7099","event":"excluded","assessor":"9b0645ea424ab7b4751b8f23","chain":"77207704b15377cd7cc9542475280f5688d44f04b09b6f5f7298c44bd6e046dc"}	77207704b15377cd7cc9542475280f5688d44f04b09b6f5f7298c44bd6e046dc	\N
1099511627788	all	12	1795131360305	{"seq":12,"at":"2026-11-19T23:36:00.305Z","author":"server","event":"asked","batch":2,"pairs":[{"query":"q","a":"z","b":"y","votes":2,"more":1}],"chain":"48d06e08c757b5fc24d8a08d6d157c59f244c7feee0720921f57db2281afa5c3"}	48d06e08c757b5fc24d8a08d6d157c59f244c7feee0720921f57db2281afa5c3	\N
1099511627789	all	13	1795131360308	{"seq":13,"at":"2026-11-19T23:36:00.308Z","author":"organiser 0d3ce47a6cef819545ae7099","event":"readmitted","assessor":"9b0645ea424ab7b4751b8f23","chain":"fefbb3c5b98c278c870cefdb85600610c42a75262639303bdc2868d2ee8d9bab"}	fefbb3c5b98c278c870cefdb85600610c42a75262639303bdc2868d2ee8d9bab	\N
1099511627790	all	14	1795131360321	{"seq":14,"at":"2026-11-19T23:36:00.321Z","author":"abecc563acffa488b25179c8","event":"ranked","query":"=r","assessor":"abecc563acffa488b25179c8","groups":[["k"],["l"],["m"]],"unranked":[],"seconds":30.0,"time":1795131360.321,"id":"00000000-0000-0000-0000-000000000008","chain":"c8982cfc811385304fa1c6c01cbf634d0a7af7f3c3b879b74a2dcdcd48c97b4c"}	c8982cfc811385304fa1c6c01cbf634d0a7af7f3c3b879b74a2dcdcd48c97b4c	1099511627788
1099511627791	all	15	1795131360324	{"seq":15,"at":"2026-11-19T23:36:00.324Z","author":"abecc563acffa488b25179c8","event":"ranked","query":"q","assessor":"abecc563acffa488b25179c8","groups":[["x"],["y"],["z"]],"unranked":[],"seconds":30.0,"time":1795131360.324,"id":"00000000-0000-0000-0000-000000000009","chain":"6526fae021098ef97111b47a78344da9f625d6467e01f2012d84f7b439176b6a"}	6526fae021098ef97111b47a78344da9f625d6467e01f2012d84f7b439176b6a	1099511627789
1099511627792	all	16	1795131360387	{"seq":16,"at":"2026-11-19T23:36:00.387Z","author":"0ecedc462097c36109d1d215","event":"graded","query":"q","item":"z","assessor":"0ecedc462097c36109d1d215","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.387,"id":"00000000-0000-0000-0000-00000000000a","chain":"a85ca890da786baa75137ccb8f571f8e560816492e2276acd39aaecca69daea9"}	a85ca890da786baa75137ccb8f571f8e560816492e2276acd39aaecca69daea9	1099511627792
1099511627793	all	17	1795131360402	{"seq":17,"at":"2026-11-19T23:36:00.402Z","author":"0ecedc462097c36109d1d215","event":"graded","query":"=r","item":"l","assessor":"0ecedc462097c36109d1d215","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.402,"id":"00000000-0000-0000-0000-00000000000b","chain":"54e77098b83f2c81a7b5deeeec534170391ea72d5e1938e7e40256c18f177af5"}	54e77098b83f2c81a7b5deeeec534170391ea72d5e1938e7e40256c18f177af5	1099511627793
1099511627794	all	18	1795131360414	{"seq":18,"at":"2026-11-19T23:36:00.414Z","author":"0ecedc462097c36109d1d215","event":"graded","query":"q","item":"y","assessor":"0ecedc462097c36109d1d215","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.414,"id":"00000000-0000-0000-0000-00000000000c","chain":"c6f3b07c7e5d553fa1355bcbb94065b3eda6c9a7417ac8423cdc878a233415ac"}	c6f3b07c7e5d553fa1355bcbb94065b3eda6c9a7417ac8423cdc878a233415ac	1099511627794
1099511627795	all	19	1795131360427	{"seq":19,"at":"2026-11-19T23:36:00.427Z","author":"0ecedc462097c36109d1d215","event":"graded","query":"=r","item":"m","assessor":"0ecedc462097c36109d1d215","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.427,"id":"00000000-0000-0000-0000-00000000000d","chain":"010aeb535b204e5a5d484ecbe9a837a4f3ac02a68e0d42859bb3b11b1727fda8"}	010aeb535b204e5a5d484ecbe9a837a4f3ac02a68e0d42859bb3b11b1727fda8	1099511627795
1099511627796	all	20	1795131360434	{"seq":20,"at":"2026-11-19T23:36:00.434Z","author":"0ecedc462097c36109d1d215","event":"graded","query":"q","item":"x","assessor":"0ecedc462097c36109d1d215","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.434,"id":"00000000-0000-0000-0000-00000000000e","chain":"8717ecd6f13ca5685d177d2ed038e5d9af8b50ebda2023cce5f0a27bb4e1e0c3"}	8717ecd6f13ca5685d177d2ed038e5d9af8b50ebda2023cce5f0a27bb4e1e0c3	1099511627796
1099511627797	all	21	1795131360443	{"seq":21,"at":"2026-11-19T23:36:00.443Z","author":"0ecedc462097c36109d1d215","event":"graded","query":"=r","item":"k","assessor":"0ecedc462097c36109d1d215","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.443,"id":"00000000-0000-0000-0000-00000000000f","chain":"e1016bb03f10a289fc2313e0a5397a5db38ddd53447443989db7ccccdcaeecda"}	e1016bb03f10a289fc2313e0a5397a5db38ddd53447443989db7ccccdcaeecda	1099511627797
1099511627798	all	22	1795131360463	{"seq":22,"at":"2026-11-19T23:36:00.463Z","author":"7c374b6f4e8a794750aae7c7","event":"graded","query":"=r","item":"m","assessor":"7c374b6f4e8a794750aae7c7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.463,"id":"00000000-0000-0000-0000-000000000010","chain":"af87f13e1ec5e1a1587345bbe490ae36ab4193002b0f254236ea28b0c55ceba2"}	af87f13e1ec5e1a1587345bbe490ae36ab4193002b0f254236ea28b0c55ceba2	1099511627798
1099511627799	all	23	1795131360469	{"seq":23,"at":"2026-11-19T23:36:00.469Z","author":"7c374b6f4e8a794750aae7c7","event":"graded","query":"q","item":"z","assessor":"7c374b6f4e8a794750aae7c7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.469,"id":"00000000-0000-0000-0000-000000000011","chain":"f4a339fe0c4b5d5b3049d165631bf1888e3ef55bd0563f55c0050fff5950c51f"}	f4a339fe0c4b5d5b3049d165631bf1888e3ef55bd0563f55c0050fff5950c51f	1099511627799
1099511627800	all	24	1795131360471	{"seq":24,"at":"2026-11-19T23:36:00.471Z","author":"7c374b6f4e8a794750aae7c7","event":"graded","query":"=r","item":"k","assessor":"7c374b6f4e8a794750aae7c7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.471,"id":"00000000-0000-0000-0000-000000000012","chain":"8d6cc5e6e9e7724ccc2a5c367c1744edeaa24ac3ba1947954736cdaa3984f831"}	8d6cc5e6e9e7724ccc2a5c367c1744edeaa24ac3ba1947954736cdaa3984f831	1099511627800
1099511627801	all	25	1795131360477	{"seq":25,"at":"2026-11-19T23:36:00.477Z","author":"7c374b6f4e8a794750aae7c7","event":"graded","query":"q","item":"x","assessor":"7c374b6f4e8a794750aae7c7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.477,"id":"00000000-0000-0000-0000-000000000013","chain":"6630e4a7495928808ba93d1db0badbd8a0f70b83a23e6207a73ed704f28e000c"}	6630e4a7495928808ba93d1db0badbd8a0f70b83a23e6207a73ed704f28e000c	1099511627801
1099511627802	all	26	1795131360479	{"seq":26,"at":"2026-11-19T23:36:00.479Z","author":"7c374b6f4e8a794750aae7c7","event":"graded","query":"=r","item":"l","assessor":"7c374b6f4e8a794750aae7c7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.479,"id":"00000000-0000-0000-0000-000000000014","chain":"4afeccbbed234c0954610b5c07cf87dd9e1fadccf3e4d7243fdfeed76d7860f7"}	4afeccbbed234c0954610b5c07cf87dd9e1fadccf3e4d7243fdfeed76d7860f7	1099511627802
1099511627803	all	27	1795131360481	{"seq":27,"at":"2026-11-19T23:36:00.481Z","author":"7c374b6f4e8a794750aae7c7","event":"graded","query":"q","item":"y","assessor":"7c374b6f4e8a794750aae7c7","broad":"SS","fine":1.5,"seconds":3.0,"time":1795131360.481,"id":"00000000-0000-0000-0000-000000000015","chain":"4f86d007537c6c738ef20e12e395c72d7d09453ae36e237c36350a60fe5a6f43"}	4f86d007537c6c738ef20e12e395c72d7d09453ae36e237c36350a60fe5a6f43	1099511627803
1099511627804	all	28	1795131360494	{"seq":28,"at":"2026-11-19T23:36:00.494Z","author":"organiser 0d3ce47a6cef819545ae7099","event":"paused","chain":"b9845d326945b52f2a71dfa3184f664da550581800a26675e0c582bab889d294"}	b9845d326945b52f2a71dfa3184f664da550581800a26675e0c582bab889d294	\N
1099511627805	all	29	1795131360496	{"seq":29,"at":"2026-11-19T23:36:00.496Z","author":"organiser 0d3ce47a6cef819545ae7099","event":"resumed","chain":"6cbae535a726ad394fe10279031de373a7a4f10841cc6bdc2a0d266946c5a8c3"}	6cbae535a726ad394fe10279031de373a7a4f10841cc6bdc2a0d266946c5a8c3	\N
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, email, expires, revoked, person) FROM stdin;
051d6a0a99c9e3cbd72b458b	all	\\x8603e699a045e6dd48bf19187c24e7514091505146269d3f00b049bedee98ff5	preference	\N	\N	\N	\N	0021d072fa2b4f3e51e22e6c
780ebc140cbb9c602bb9e76c	all	\\xcd5b27ae5b9c60260619388238156bb4dcfa0b34f7761145451eb7ac47fdcbe8	grading	\N	\N	\N	\N	0ecedc462097c36109d1d215
b2801caf1cdc57aad93989c7	all	\\xadcdf3413c28906ebe546b1a121e289d6c2830e7b8dca30d93ea0384b91765d9	ranking	\N	\N	\N	\N	abecc563acffa488b25179c8
b33455272561111e49bc43d7	all	\\x508d2899e7e25b0c242ca3835701e11fa12869f321db7a1619cdfcb6b1e67ec5	preference	for later	né@example.org	\N	\N	\N
dee1599288cf9eba4f74f528	all	\\xfbaa094b0c810d82b049cfe9f25bd20f48d62c6dad4311e6c4597aae15ef7caf	ranking	\N	\N	\N	\N	a1dd463e5d9b7f6fb793708c
e2ef15102e8c1f9925130e34	all	\\xd227abe50cb8ff1b6f5d8e6283e92f0873bcd2df7b632b545d5af5c828659e30	grading	\N	\N	\N	\N	7c374b6f4e8a794750aae7c7
fca954ef1059f65bec45a70d	all	\\xe3de43869af269f780d5f69d6ac1781ee0820719d7a3b675fb504bb597ed7834	preference	\N	\N	\N	1795131360500	1d67f73671ba93c2cc86289d
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

COPY public.person (id, campaign, kind, entry, state, language, consent, background, waits_since, consented, ended, place, erased, created, changed) FROM stdin;
0021d072fa2b4f3e51e22e6c	all	preference	051d6a0a99c9e3cbd72b458b	active	en	1	cello, né	\N	1795131360257	\N	\N	\N	1795131360252	5
0ecedc462097c36109d1d215	all	grading	780ebc140cbb9c602bb9e76c	active	en	1	cello, né	1795131360450	1795131360370	\N	\N	\N	1795131360356	43
1d67f73671ba93c2cc86289d	all	preference	fca954ef1059f65bec45a70d	active	en	1	\N	1795131360285	1795131360254	\N	\N	1795131360500	1795131360249	56
7c374b6f4e8a794750aae7c7	all	grading	e2ef15102e8c1f9925130e34	active	en	1	cello, né	1795131360483	1795131360458	\N	\N	\N	1795131360358	53
9b0645ea424ab7b4751b8f23	all	preference	recruiter	active	en	1	cello, né	\N	1795131360297	\N	1795131960300	\N	1795131360295	20
a1dd463e5d9b7f6fb793708c	all	ranking	dee1599288cf9eba4f74f528	active	en	1	cello, né	\N	1795131360326	\N	\N	\N	1795131360314	30
abecc563acffa488b25179c8	all	ranking	b2801caf1cdc57aad93989c7	active	en	1	cello, né	\N	1795131360316	\N	\N	\N	1795131360312	26
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x2f53490af96ffa358f0c4445818bccb8d6db6bcc7a9dcbc87dfd23e0b5d9d94f	0ecedc462097c36109d1d215	1797723360356
\\x3d47271bf69295a0644ebce903b54a529e3c7be6fa0e0b30feac769f36181719	abecc563acffa488b25179c8	1797723360312
\\x3fb6f6022de2d460fe7e4834a21ce22d0cc18357706336bec2e62446c52d6bad	7c374b6f4e8a794750aae7c7	1797723360358
\\x721025722821f2523a4386aa9bcbe329a77fab2d1fae91477814a1952d5840c9	a1dd463e5d9b7f6fb793708c	1797723360314
\\xd64bade1c84afcff91b7cb07519373b3d6d4151d7f57795de744538dc0dbc4fa	9b0645ea424ab7b4751b8f23	1797723360295
\\xe003477ceb550e2102967bf8210d13160ec7123d2633eab1c4d3b9cdea1cc5b9	0021d072fa2b4f3e51e22e6c	1797723360252
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	0021d072fa2b4f3e51e22e6c	1099511627782	comment	1795131360289	both "good", né
all	0021d072fa2b4f3e51e22e6c	1099511627783	report	1795131360293	no sound
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
1099511627777	1-549e03a3deac47062a04a204	all	1d67f73671ba93c2cc86289d	1	preference	q	x	y	1	1	\N	1795131960260	live	6
1099511627778	2-bd2ec1a4745f042e3fd09616	all	1d67f73671ba93c2cc86289d	2	preference	q	x	z	1	0	b	1795131960260	live	6
1099511627779	3-8dea27a8183d271f85d9c63f	all	1d67f73671ba93c2cc86289d	3	preference	=r	k	m	0	1	\N	1795131960260	live	6
1099511627780	4-d8f074972eace0c99adfe3b6	all	1d67f73671ba93c2cc86289d	4	preference	q	y	z	1	1	\N	1795131960279	live	10
1099511627781	5-bcdfe21fabe0a5e29d70aea2	all	1d67f73671ba93c2cc86289d	5	preference	=r	l	m	1	1	\N	1795131960279	live	10
1099511627782	6-589e60d439531647305a25f2	all	0021d072fa2b4f3e51e22e6c	6	preference	=r	k	m	1	1	\N	1795131960286	live	14
1099511627783	7-673dfc1a2024c48e8c027c4b	all	0021d072fa2b4f3e51e22e6c	7	preference	q	y	z	0	1	\N	1795131960286	reported	17
1099511627784	8-a06cc9dff2e6e57a2978f391	all	0021d072fa2b4f3e51e22e6c	8	preference	q	x	z	1	0	b	1795131960286	returned	17
1099511627785	9-9edde73357c0b6b0486caf1b	all	0021d072fa2b4f3e51e22e6c	9	preference	=r	l	m	0	1	\N	1795131960291	live	16
1099511627786	a-7403e098fc32cc1ede408fff	all	9b0645ea424ab7b4751b8f23	10	preference	q	y	z	0	1	\N	1795131960300	live	20
1099511627787	b-e175aed8018935d624eac7e1	all	9b0645ea424ab7b4751b8f23	11	preference	q	x	y	0	0	\N	1795131960300	live	20
1099511627788	c-64a21e35bd169694499a4dd6	all	abecc563acffa488b25179c8	12	ranking	=r			0	1	\N	1795131960319	live	27
1099511627789	d-5f5385dd3a58f65dab8cc08e	all	abecc563acffa488b25179c8	13	ranking	q			0	1	\N	1795131960319	live	27
1099511627790	e-4eb6fbd3fb766274f3a5b211	all	a1dd463e5d9b7f6fb793708c	14	ranking	q			0	1	\N	1795131960329	live	31
1099511627791	f-e1cf68404c75007972203ebb	all	a1dd463e5d9b7f6fb793708c	15	ranking	=r			0	1	\N	1795131960329	live	31
1099511627792	10-7b1fd804b56d9fc51949bc58	all	0ecedc462097c36109d1d215	16	grading	q	z		0	1	\N	1795131960382	live	35
1099511627793	11-7686aea959bb92a315eeb8d4	all	0ecedc462097c36109d1d215	17	grading	=r	l		0	1	\N	1795131960382	live	35
1099511627794	12-2034d508427f2a016e10e4c4	all	0ecedc462097c36109d1d215	18	grading	q	y		0	1	\N	1795131960382	live	35
1099511627795	13-7fdff27fe2316c5619a785be	all	0ecedc462097c36109d1d215	19	grading	=r	m		0	1	\N	1795131960421	live	39
1099511627796	14-0b51fc20b89f4f35eeac3647	all	0ecedc462097c36109d1d215	20	grading	q	x		0	1	\N	1795131960421	live	39
1099511627797	15-54b8da275854b2e4d801aeef	all	0ecedc462097c36109d1d215	21	grading	=r	k		0	1	\N	1795131960421	live	39
1099511627798	16-f3fffb29b821368c9de8b3ff	all	7c374b6f4e8a794750aae7c7	22	grading	=r	m		0	1	\N	1795131960460	live	45
1099511627799	17-e4fb5ad394c2ab0b73e34cd3	all	7c374b6f4e8a794750aae7c7	23	grading	q	z		0	1	\N	1795131960460	live	45
1099511627800	18-1123b3c77b6107ff3cc8a858	all	7c374b6f4e8a794750aae7c7	24	grading	=r	k		0	1	\N	1795131960460	live	45
1099511627801	19-6ba2333ee841d4f18d157452	all	7c374b6f4e8a794750aae7c7	25	grading	q	x		0	1	\N	1795131960474	live	49
1099511627802	1a-7656195d0fceafcefdb2a4b1	all	7c374b6f4e8a794750aae7c7	26	grading	=r	l		0	1	\N	1795131960474	live	49
1099511627803	1b-6d41a388a07a9c2e11a63e88	all	7c374b6f4e8a794750aae7c7	27	grading	q	y		0	1	\N	1795131960474	live	49
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
0d3ce47a6cef819545ae7099	\\x5130766360236f9052348336b60feb94226db45e4104779e84645d533314f863	read manage people tokens	\N	1795131360096
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

\unrestrict fZyXCSqRWDAnjwxGIBU1tyrxu0PqgdsfM4yq7rTMY5djgb70EILrTJ4drRCfA7j

