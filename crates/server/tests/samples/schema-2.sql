--
-- PostgreSQL database dump
--

\restrict McDeVwEviUt4V4FcIrfe4wdALb3KdKMybGQ40j8mq1HPUhT7fvAuhzPlNJbNYsf

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

COPY public.campaign (name, created, state, seq, chain, version) FROM stdin;
all	1794874352917	open	28	692387a6255db099f98d3c9260e84775df4a5100bd7f71383a84ae4018a996d9	55
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	4ce6cdf3262186e377414e8f
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
0000000fad01c3792b0dc5300626438b	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
00000010d78227fc1feb21b6aa17d80f	1	{"version":1,"groups":[["k1"],["k2"],["k3"]],"unranked":[]}
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (campaign, seq, at, line, chain) FROM stdin;
all	1	1794874352917	{"seq":1,"at":"2026-11-17T00:12:32.917Z","author":"organiser 32e352f2ecb8fb3513668a75","event":"opened","version":2,"settings":{"campaign":"all","seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"matters":0.242,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"kinds":["preference","ranking","grading"],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"graders":2,"lists":[{"query":"=r","items":[{"item":"k"},{"item":"l"},{"item":"m"}]},{"query":"q","items":[{"item":"x"},{"item":"y"},{"item":"z"}]}]},"chain":"1a9f694352a91d549ca550c466938e6df989c8078dd4f34f9d2e56e73c3fd4b2"}	1a9f694352a91d549ca550c466938e6df989c8078dd4f34f9d2e56e73c3fd4b2
all	2	1794874352917	{"seq":2,"at":"2026-11-17T00:12:32.917Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"a75bb560ab4540ee28bc70597bec9a27683f6217f6cd1a2d599e1db941373b86"}	a75bb560ab4540ee28bc70597bec9a27683f6217f6cd1a2d599e1db941373b86
all	3	1794874352947	{"seq":3,"at":"2026-11-17T00:12:32.947Z","author":"d047ab5b67b42954a86140cb","event":"checked","query":"q","a":"x","b":"z","assessor":"d047ab5b67b42954a86140cb","answer":"a","seconds":2.5,"time":1794874352.947,"id":"00000000-0000-0000-0000-000000000001","expected":"a","chain":"2ee4bde648f52a113a5fc5b2fdf444504a8dfe38a04d2cd6283ec9b74a2fac6a"}	2ee4bde648f52a113a5fc5b2fdf444504a8dfe38a04d2cd6283ec9b74a2fac6a
all	4	1794874352950	{"seq":4,"at":"2026-11-17T00:12:32.950Z","author":"d047ab5b67b42954a86140cb","event":"answered","query":"=r","a":"m","b":"l","assessor":"d047ab5b67b42954a86140cb","answer":"b","seconds":2.5,"time":1794874352.95,"id":"00000000-0000-0000-0000-000000000002","chain":"ee014c702747daff46b3ee815d8ac8943895c147433445f602a2cfef0d0e1e0a"}	ee014c702747daff46b3ee815d8ac8943895c147433445f602a2cfef0d0e1e0a
all	5	1794874352953	{"seq":5,"at":"2026-11-17T00:12:32.953Z","author":"d047ab5b67b42954a86140cb","event":"answered","query":"q","a":"y","b":"z","assessor":"d047ab5b67b42954a86140cb","answer":"a","seconds":2.5,"time":1794874352.953,"id":"00000000-0000-0000-0000-000000000003","chain":"6c3038f89d9a2943fe7239edc74222176e438fd50a7135113d56ae221e04aa6a"}	6c3038f89d9a2943fe7239edc74222176e438fd50a7135113d56ae221e04aa6a
all	6	1794874352960	{"seq":6,"at":"2026-11-17T00:12:32.960Z","author":"d047ab5b67b42954a86140cb","event":"answered","query":"=r","a":"m","b":"k","assessor":"d047ab5b67b42954a86140cb","answer":"b","seconds":2.5,"time":1794874352.96,"id":"00000000-0000-0000-0000-000000000004","chain":"0128c1c3cdbd33df3e72758c3512d9090a4542211de6911bef6b12bdfbed5ae0"}	0128c1c3cdbd33df3e72758c3512d9090a4542211de6911bef6b12bdfbed5ae0
all	7	1794874352963	{"seq":7,"at":"2026-11-17T00:12:32.963Z","author":"d047ab5b67b42954a86140cb","event":"answered","query":"q","a":"x","b":"y","assessor":"d047ab5b67b42954a86140cb","answer":"a","seconds":2.5,"time":1794874352.963,"id":"00000000-0000-0000-0000-000000000005","chain":"c572b43f606d6db04d0b2a20e0659aafbee76068f9e46eb2a501978d768bb371"}	c572b43f606d6db04d0b2a20e0659aafbee76068f9e46eb2a501978d768bb371
all	8	1794874352974	{"seq":8,"at":"2026-11-17T00:12:32.974Z","author":"e8c19d97cabd0d2365a5ad25","event":"checked","query":"q","a":"x","b":"z","assessor":"e8c19d97cabd0d2365a5ad25","answer":"a","seconds":2.5,"time":1794874352.974,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"expected":"a","chain":"10d52103ed1c856b6b3360536282f4a1a51367d8838766cfb164404458ecd8d2"}	10d52103ed1c856b6b3360536282f4a1a51367d8838766cfb164404458ecd8d2
all	9	1794874352984	{"seq":9,"at":"2026-11-17T00:12:32.984Z","author":"e8c19d97cabd0d2365a5ad25","event":"reported","query":"=r","item":"m","assessor":"e8c19d97cabd0d2365a5ad25","problem":"wrong","chain":"55d88012702f6a870da53726adf18409e125a41fc7484276eee122e4e3442503"}	55d88012702f6a870da53726adf18409e125a41fc7484276eee122e4e3442503
all	10	1794874353001	{"seq":10,"at":"2026-11-17T00:12:33.001Z","author":"4ce6cdf3262186e377414e8f","event":"checked","query":"q","a":"x","b":"z","assessor":"4ce6cdf3262186e377414e8f","answer":"a","seconds":2.5,"time":1794874353.001,"id":"00000000-0000-0000-0000-000000000007","expected":"a","chain":"b58f98a4400055a2dd6211d5bdf1472c4f8b2cdd8f532a633a37c0c988e7fe44"}	b58f98a4400055a2dd6211d5bdf1472c4f8b2cdd8f532a633a37c0c988e7fe44
all	11	1794874353004	{"seq":11,"at":"2026-11-17T00:12:33.004Z","author":"organiser 32e352f2ecb8fb3513668a75","event":"excluded","assessor":"4ce6cdf3262186e377414e8f","chain":"57282ad2dc2fd8addde931db030c8a534e0dae9b4640717b7cf134deabf28dad"}	57282ad2dc2fd8addde931db030c8a534e0dae9b4640717b7cf134deabf28dad
all	12	1794874353010	{"seq":12,"at":"2026-11-17T00:12:33.010Z","author":"organiser 32e352f2ecb8fb3513668a75","event":"readmitted","assessor":"4ce6cdf3262186e377414e8f","chain":"b6fada6b247a59ef238c36b5d77c09be42e86c6280ef381be48ed91104ac1dd2"}	b6fada6b247a59ef238c36b5d77c09be42e86c6280ef381be48ed91104ac1dd2
all	13	1794874353028	{"seq":13,"at":"2026-11-17T00:12:33.028Z","author":"5b507a3302b511b9b8461200","event":"ranked","query":"=r","assessor":"5b507a3302b511b9b8461200","groups":[["l"],["k"],["m"]],"unranked":[],"seconds":30.0,"time":1794874353.028,"id":"00000000-0000-0000-0000-000000000008","chain":"6517bd4c0f5afe4ee95b6c962c4aaf813948cd821a243ee1bbb47e1ff308ffb8"}	6517bd4c0f5afe4ee95b6c962c4aaf813948cd821a243ee1bbb47e1ff308ffb8
all	14	1794874353032	{"seq":14,"at":"2026-11-17T00:12:33.032Z","author":"5b507a3302b511b9b8461200","event":"ranked","query":"q","assessor":"5b507a3302b511b9b8461200","groups":[["x"],["y"],["z"]],"unranked":[],"seconds":30.0,"time":1794874353.032,"id":"00000000-0000-0000-0000-000000000009","chain":"3e4a739e48dc0a23e0e24e91f7858e48f36d3eba9de327706ecb75cc63ac8098"}	3e4a739e48dc0a23e0e24e91f7858e48f36d3eba9de327706ecb75cc63ac8098
all	15	1794874353070	{"seq":15,"at":"2026-11-17T00:12:33.070Z","author":"f772dc26de2e535017ba2723","event":"graded","query":"=r","item":"l","assessor":"f772dc26de2e535017ba2723","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.07,"id":"00000000-0000-0000-0000-00000000000a","chain":"15e301847e7b7c868bb7b73e13e8d05a443daef49f38d0571b4ef0ca36036777"}	15e301847e7b7c868bb7b73e13e8d05a443daef49f38d0571b4ef0ca36036777
all	16	1794874353073	{"seq":16,"at":"2026-11-17T00:12:33.073Z","author":"f772dc26de2e535017ba2723","event":"graded","query":"q","item":"y","assessor":"f772dc26de2e535017ba2723","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.073,"id":"00000000-0000-0000-0000-00000000000b","chain":"dabea7511f0b998a9aac224cfc172e3d5ee19d013e345e28ac80f1e313af427d"}	dabea7511f0b998a9aac224cfc172e3d5ee19d013e345e28ac80f1e313af427d
all	17	1794874353075	{"seq":17,"at":"2026-11-17T00:12:33.075Z","author":"f772dc26de2e535017ba2723","event":"graded","query":"=r","item":"k","assessor":"f772dc26de2e535017ba2723","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.075,"id":"00000000-0000-0000-0000-00000000000c","chain":"345d0186bfc72d4f01fb423855d1409d51ceeb8d075ce86678e79b3e101ab15a"}	345d0186bfc72d4f01fb423855d1409d51ceeb8d075ce86678e79b3e101ab15a
all	18	1794874353082	{"seq":18,"at":"2026-11-17T00:12:33.082Z","author":"f772dc26de2e535017ba2723","event":"graded","query":"q","item":"z","assessor":"f772dc26de2e535017ba2723","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.082,"id":"00000000-0000-0000-0000-00000000000d","chain":"26d7a72869cdd6997a5e14d4860b15b78d5ac55f33f811b38a7beb3e85471ce7"}	26d7a72869cdd6997a5e14d4860b15b78d5ac55f33f811b38a7beb3e85471ce7
all	19	1794874353085	{"seq":19,"at":"2026-11-17T00:12:33.085Z","author":"f772dc26de2e535017ba2723","event":"graded","query":"=r","item":"m","assessor":"f772dc26de2e535017ba2723","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.085,"id":"00000000-0000-0000-0000-00000000000e","chain":"4fab2318e919ad39181d35a47ba89cffc75c3fa03b57c359b9a4348752b0dd51"}	4fab2318e919ad39181d35a47ba89cffc75c3fa03b57c359b9a4348752b0dd51
all	20	1794874353087	{"seq":20,"at":"2026-11-17T00:12:33.087Z","author":"f772dc26de2e535017ba2723","event":"graded","query":"q","item":"x","assessor":"f772dc26de2e535017ba2723","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.087,"id":"00000000-0000-0000-0000-00000000000f","chain":"fa68182902a6087fdbeb9e75e04ee34c30bd464fff029b49b755e20999a39c18"}	fa68182902a6087fdbeb9e75e04ee34c30bd464fff029b49b755e20999a39c18
all	21	1794874353100	{"seq":21,"at":"2026-11-17T00:12:33.100Z","author":"0d7237a269b9d190135697ca","event":"graded","query":"=r","item":"l","assessor":"0d7237a269b9d190135697ca","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.1,"id":"00000000-0000-0000-0000-000000000010","chain":"271e7526b73b18f8bac0ede227b8720964e181c826952be29eaed5eaed791621"}	271e7526b73b18f8bac0ede227b8720964e181c826952be29eaed5eaed791621
all	22	1794874353102	{"seq":22,"at":"2026-11-17T00:12:33.102Z","author":"0d7237a269b9d190135697ca","event":"graded","query":"q","item":"y","assessor":"0d7237a269b9d190135697ca","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.102,"id":"00000000-0000-0000-0000-000000000011","chain":"98c0eb66a70cb6535d2b5269d28e020a1bc83285f10ab9d67fe2b01e918bdf22"}	98c0eb66a70cb6535d2b5269d28e020a1bc83285f10ab9d67fe2b01e918bdf22
all	23	1794874353105	{"seq":23,"at":"2026-11-17T00:12:33.105Z","author":"0d7237a269b9d190135697ca","event":"graded","query":"=r","item":"k","assessor":"0d7237a269b9d190135697ca","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.105,"id":"00000000-0000-0000-0000-000000000012","chain":"d522affa25ef1fcb55524dd85432967be5eb81ab54c1e4cb26431af57adc2e64"}	d522affa25ef1fcb55524dd85432967be5eb81ab54c1e4cb26431af57adc2e64
all	24	1794874353112	{"seq":24,"at":"2026-11-17T00:12:33.112Z","author":"0d7237a269b9d190135697ca","event":"graded","query":"q","item":"z","assessor":"0d7237a269b9d190135697ca","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.112,"id":"00000000-0000-0000-0000-000000000013","chain":"f0640e9659573bc3c9cc6214a213376ac734270480ad1563b84b76823b0a464e"}	f0640e9659573bc3c9cc6214a213376ac734270480ad1563b84b76823b0a464e
all	25	1794874353115	{"seq":25,"at":"2026-11-17T00:12:33.115Z","author":"0d7237a269b9d190135697ca","event":"graded","query":"=r","item":"m","assessor":"0d7237a269b9d190135697ca","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.115,"id":"00000000-0000-0000-0000-000000000014","chain":"a885fdfbad3234f41caa4f463cb3bfdb0b9fbb04e1c7cb96dce99d42af711c19"}	a885fdfbad3234f41caa4f463cb3bfdb0b9fbb04e1c7cb96dce99d42af711c19
all	26	1794874353118	{"seq":26,"at":"2026-11-17T00:12:33.118Z","author":"0d7237a269b9d190135697ca","event":"graded","query":"q","item":"x","assessor":"0d7237a269b9d190135697ca","broad":"SS","fine":1.5,"seconds":3.0,"time":1794874353.118,"id":"00000000-0000-0000-0000-000000000015","chain":"dd1638d547717e83a779798d3b9c2756f8328867c3849149d54b69eeb170443a"}	dd1638d547717e83a779798d3b9c2756f8328867c3849149d54b69eeb170443a
all	27	1794874353124	{"seq":27,"at":"2026-11-17T00:12:33.124Z","author":"organiser 32e352f2ecb8fb3513668a75","event":"paused","chain":"a7d6c50e1aeba552b461129950c257283df0d9b9305a9e01732d2a5b8b1aeb73"}	a7d6c50e1aeba552b461129950c257283df0d9b9305a9e01732d2a5b8b1aeb73
all	28	1794874353127	{"seq":28,"at":"2026-11-17T00:12:33.127Z","author":"organiser 32e352f2ecb8fb3513668a75","event":"resumed","chain":"692387a6255db099f98d3c9260e84775df4a5100bd7f71383a84ae4018a996d9"}	692387a6255db099f98d3c9260e84775df4a5100bd7f71383a84ae4018a996d9
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, expires, revoked, person) FROM stdin;
4aa49ae4d3fca491f6522b04	all	\\x4d76a2b45aab5a5f41e91f90ad31c7dc4e56ca1a6a83b825586c074f07afdcbe	preference	for later	\N	\N	\N
5a1bab547d1cc2e67cd85d2d	all	\\x925bf044205443f76678a22905f62c2ffffdfe8ab16bd1498a42a8abb2d58144	grading	\N	\N	\N	f772dc26de2e535017ba2723
5f0029fd462f9eabb2afe7e9	all	\\x8c09654efb4abe20197936f796138c5d6c9601db73a7c67b31310b9d0027275a	preference	\N	\N	\N	d047ab5b67b42954a86140cb
99cfdcd690010e50ecf783ec	all	\\x9ac8c0eab79a4316b14e6345435c611532632eda10b38e6eef0208d671029415	preference	\N	\N	\N	e8c19d97cabd0d2365a5ad25
b831101fa16368ed39d740ef	all	\\x1b2d2eb93b22fd78ab5d0b07d4e13a06b8c51eadaff5f6f3595a161069eb7fc6	ranking	\N	\N	\N	5b507a3302b511b9b8461200
df37dc919a876f6fe2ce94f9	all	\\x21710ee30a853c0f5a3775ec91e96944d7ab13cdfffc6540a9cf398a20a9fb57	ranking	\N	\N	\N	ae267dc6d8360c15c6cdf195
ea0d38a11187b7a940b991b8	all	\\xae1d2b435c73a69042a5ce01197df6d1396920d9a3cdadb5ef9e21370adcd59e	grading	\N	\N	\N	0d7237a269b9d190135697ca
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
schema	2
\.


--
-- Data for Name: person; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person (id, campaign, kind, entry, state, language, consent, background, waits_since, created, changed) FROM stdin;
0d7237a269b9d190135697ca	all	grading	ea0d38a11187b7a940b991b8	active	en	1	cello, né	1794874353121	1794874353057	53
4ce6cdf3262186e377414e8f	all	preference	recruiter	active	en	1	cello, né	\N	1794874352987	19
5b507a3302b511b9b8461200	all	ranking	b831101fa16368ed39d740ef	active	en	1	cello, né	\N	1794874353015	26
ae267dc6d8360c15c6cdf195	all	ranking	df37dc919a876f6fe2ce94f9	active	en	1	cello, né	\N	1794874353018	30
d047ab5b67b42954a86140cb	all	preference	5f0029fd462f9eabb2afe7e9	active	en	1	cello, né	1794874352966	1794874352929	13
e8c19d97cabd0d2365a5ad25	all	preference	99cfdcd690010e50ecf783ec	active	en	1	cello, né	\N	1794874352933	5
f772dc26de2e535017ba2723	all	grading	5a1bab547d1cc2e67cd85d2d	active	en	1	cello, né	1794874353090	1794874353050	43
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x0d9f034352c20054cb1aa4088f5d7d06829658e32f10748e1515c62dfd7fe3c4	e8c19d97cabd0d2365a5ad25	1797466352933
\\x209afa38a8f56e4466261f4c533700678662fd094abae1768b6f07c6620783f2	f772dc26de2e535017ba2723	1797466353050
\\x214edd10b377c52c54854a509aa6f10bfb1233ef64bcd01f5e15677a2b46b549	0d7237a269b9d190135697ca	1797466353057
\\x9f7c925b6b835d1989b5b57175d03ec98b3f4b4f413af8b4f4f917ffc3bb8f39	ae267dc6d8360c15c6cdf195	1797466353018
\\xa607c1c3647f21460d8e9b5a43cbc0cff726f719b65571eec9f33299e8f2c43b	d047ab5b67b42954a86140cb	1797466352929
\\xb0b5814334cb998663a0e2f66a0b0517e9fb78a67cf70bb1a71132183846c21e	5b507a3302b511b9b8461200	1797466353015
\\xd6d34b33fd2d7255e32a6b103d454ebc009d6a9a412412be9231936cdaaf232a	4ce6cdf3262186e377414e8f	1797466352987
\.


--
-- Data for Name: receipt; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.receipt (person, id, task, seq, body_hash, saved) FROM stdin;
0d7237a269b9d190135697ca	00000000-0000-0000-0000-000000000010	0000001783cef5cd732d4624fef2b071	21	1ff42f5d8d96461d6353f1e5aaa9efaf103798712dedf22d77a260c429055811	2026-11-17T00:12:33.100Z
0d7237a269b9d190135697ca	00000000-0000-0000-0000-000000000011	00000018340f30bcff4f2cdb0ee86382	22	c8e45b09421fbf2cf2094c89c8eea0568ef63e3b34e3f35969733eaa98ea3e49	2026-11-17T00:12:33.102Z
0d7237a269b9d190135697ca	00000000-0000-0000-0000-000000000012	0000001947c4ee87ba68185ca2f05faa	23	61f96ec927a12ac5c5710d92987fb8442d6fd224ba55d94bdd42518a6e9c913c	2026-11-17T00:12:33.105Z
0d7237a269b9d190135697ca	00000000-0000-0000-0000-000000000013	0000001ad530ba133629652b27158ae4	24	c055a3f667a571661351c374b384e974ed586ef64181250d41f7ed4598d63467	2026-11-17T00:12:33.112Z
0d7237a269b9d190135697ca	00000000-0000-0000-0000-000000000014	0000001b55431d4cac49018fefad7d8d	25	446a41bd97adb26e5648d461c995f9d8cd772493324024a4b54582e31a39df51	2026-11-17T00:12:33.115Z
0d7237a269b9d190135697ca	00000000-0000-0000-0000-000000000015	0000001c552d5968b0a5610661519f54	26	4f746d904563f3c4e82831305b119ff98a6bac3b63fb6d5abe924fe6f2ca7d90	2026-11-17T00:12:33.118Z
4ce6cdf3262186e377414e8f	00000000-0000-0000-0000-000000000007	0000000a5d90843ef47a4ab6c37e658e	10	67432048c61ca502cad30e46bd683fb5c6bbfd28d205fa870f5b471350d6348d	2026-11-17T00:12:33.001Z
5b507a3302b511b9b8461200	00000000-0000-0000-0000-000000000008	0000000da91daa527f97b1208e6c9bdf	13	4e092d17bdb07ba4221ea78c6f70bfb4ad09c8d074afb23d838fa226a0bb97e1	2026-11-17T00:12:33.028Z
5b507a3302b511b9b8461200	00000000-0000-0000-0000-000000000009	0000000e04e1feac8c135d3a228b0d9e	14	038dae5ebd0d8a5719dd7d12c5ccb8d7161d1f81075540f6624e9e033eed5cc1	2026-11-17T00:12:33.032Z
d047ab5b67b42954a86140cb	00000000-0000-0000-0000-000000000001	000000013f83c3a4354dfe0a5c94e709	3	8b5d1752b9587f53e60e14fe57a6072300cfb7479f954aa3d9c39dbca2e9a3e2	2026-11-17T00:12:32.947Z
d047ab5b67b42954a86140cb	00000000-0000-0000-0000-000000000002	000000027bc8eb08aef8bd67e40f55c0	4	69fb03438858d83b7c0cc5045f7a1e414fadd4efbb550492b15c879cf7b9d522	2026-11-17T00:12:32.950Z
d047ab5b67b42954a86140cb	00000000-0000-0000-0000-000000000003	000000039281cdf94f4ba7a20377351f	5	ffd9942283523ab7b6d907cdd2e3f59f659a092e593dfab110b4046afa5c9ef9	2026-11-17T00:12:32.953Z
d047ab5b67b42954a86140cb	00000000-0000-0000-0000-000000000004	00000004bbe2786416ac9c5e03e615c6	6	50f1e3e77aa817f2e0fa5195e1a0d29ac901f0f22a25ebf5363f4aac13db1ccf	2026-11-17T00:12:32.960Z
d047ab5b67b42954a86140cb	00000000-0000-0000-0000-000000000005	00000005299d3a0718f0d59b80c5d34b	7	7f7ff3e05282b39f32ff883b1419fc7a044f0a7c02e188cc1a7090f9b3fdd939	2026-11-17T00:12:32.963Z
e8c19d97cabd0d2365a5ad25	00000000-0000-0000-0000-000000000006	000000062b79f27bfc6843716bd11806	8	a72188ca6061d3af2f5d8e19f25f866c913249938988956e0cf5b33576ef367d	2026-11-17T00:12:32.974Z
f772dc26de2e535017ba2723	00000000-0000-0000-0000-00000000000a	00000011db580c64ee0c7b9e059c3546	15	2e419bb40421f7f070179668d29086cfd7f177a718adfe9fa0db58c0c5bb2b11	2026-11-17T00:12:33.070Z
f772dc26de2e535017ba2723	00000000-0000-0000-0000-00000000000b	000000125dd09088f4fc34af74f6cf7e	16	0b4f799095a1ed5f74fbfc584544fe7bbed5ab31e303d73f96af24d8fabd7900	2026-11-17T00:12:33.073Z
f772dc26de2e535017ba2723	00000000-0000-0000-0000-00000000000c	00000013adfb553085621611e8f940a8	17	a82599449c59c4167492fdc2151e678089a3539d68c03d043cb48b87e91778e4	2026-11-17T00:12:33.075Z
f772dc26de2e535017ba2723	00000000-0000-0000-0000-00000000000d	00000014eaa5c1e6b3fe575a8185f08c	18	63dc6801a6266f4d0349ae4f410c4b92f3e5fd0fdab9502067ba97e2559535fe	2026-11-17T00:12:33.082Z
f772dc26de2e535017ba2723	00000000-0000-0000-0000-00000000000e	00000015175fc199bfd9960d626cdeb9	19	fe2b15469820d160791095e2870fa43e185ed44e7f3a02ecc3fa22a137181242	2026-11-17T00:12:33.085Z
f772dc26de2e535017ba2723	00000000-0000-0000-0000-00000000000f	00000016ce998164c61c7b2e6701e5ff	20	60969148451cadd6d751ab433dcf71454d0eeeeea87dec597942b2c013a22324	2026-11-17T00:12:33.087Z
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	e8c19d97cabd0d2365a5ad25	000000062b79f27bfc6843716bd11806	comment	1794874352974	both "good", né
all	e8c19d97cabd0d2365a5ad25	00000007ffc6255937803f6d5412763e	report	1794874352984	no sound
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
000000013f83c3a4354dfe0a5c94e709	all	d047ab5b67b42954a86140cb	1	preference	q	x	z	0	1	a	1794874952943	answered	7
000000027bc8eb08aef8bd67e40f55c0	all	d047ab5b67b42954a86140cb	2	preference	=r	l	m	1	1	\N	1794874952943	answered	8
000000039281cdf94f4ba7a20377351f	all	d047ab5b67b42954a86140cb	3	preference	q	y	z	0	1	\N	1794874952943	answered	9
00000004bbe2786416ac9c5e03e615c6	all	d047ab5b67b42954a86140cb	4	preference	=r	k	m	1	1	\N	1794874952957	answered	11
00000005299d3a0718f0d59b80c5d34b	all	d047ab5b67b42954a86140cb	5	preference	q	x	y	0	1	\N	1794874952957	answered	12
000000062b79f27bfc6843716bd11806	all	e8c19d97cabd0d2365a5ad25	6	preference	q	x	z	0	1	a	1794874952970	answered	15
00000007ffc6255937803f6d5412763e	all	e8c19d97cabd0d2365a5ad25	7	preference	=r	k	m	0	1	\N	1794874952970	reported	17
000000085c1d8daa112ad096d68e5455	all	e8c19d97cabd0d2365a5ad25	8	preference	q	x	y	1	1	\N	1794874952970	live	14
00000009816cce326ca8fa302d66db38	all	e8c19d97cabd0d2365a5ad25	9	preference	=r	l	m	0	1	\N	1794874952977	returned	17
0000000a5d90843ef47a4ab6c37e658e	all	4ce6cdf3262186e377414e8f	10	preference	q	x	z	0	1	a	1794874952996	answered	21
0000000b2c3120119ae6af45c5f0d403	all	4ce6cdf3262186e377414e8f	11	preference	=r	k	m	0	1	\N	1794874952996	live	20
0000000c0d4cad7d9c78138c29e97433	all	4ce6cdf3262186e377414e8f	12	preference	q	y	z	1	1	\N	1794874952996	live	20
0000000da91daa527f97b1208e6c9bdf	all	5b507a3302b511b9b8461200	13	ranking	=r			0	1	\N	1794874953024	answered	28
0000000e04e1feac8c135d3a228b0d9e	all	5b507a3302b511b9b8461200	14	ranking	q			0	1	\N	1794874953024	answered	29
0000000fad01c3792b0dc5300626438b	all	ae267dc6d8360c15c6cdf195	15	ranking	q			0	1	\N	1794874953039	live	31
00000010d78227fc1feb21b6aa17d80f	all	ae267dc6d8360c15c6cdf195	16	ranking	=r			0	1	\N	1794874953039	live	31
00000011db580c64ee0c7b9e059c3546	all	f772dc26de2e535017ba2723	17	grading	=r	l		0	1	\N	1794874953067	answered	36
000000125dd09088f4fc34af74f6cf7e	all	f772dc26de2e535017ba2723	18	grading	q	y		0	1	\N	1794874953067	answered	37
00000013adfb553085621611e8f940a8	all	f772dc26de2e535017ba2723	19	grading	=r	k		0	1	\N	1794874953067	answered	38
00000014eaa5c1e6b3fe575a8185f08c	all	f772dc26de2e535017ba2723	20	grading	q	z		0	1	\N	1794874953078	answered	40
00000015175fc199bfd9960d626cdeb9	all	f772dc26de2e535017ba2723	21	grading	=r	m		0	1	\N	1794874953078	answered	41
00000016ce998164c61c7b2e6701e5ff	all	f772dc26de2e535017ba2723	22	grading	q	x		0	1	\N	1794874953078	answered	42
0000001783cef5cd732d4624fef2b071	all	0d7237a269b9d190135697ca	23	grading	=r	l		0	1	\N	1794874953096	answered	46
00000018340f30bcff4f2cdb0ee86382	all	0d7237a269b9d190135697ca	24	grading	q	y		0	1	\N	1794874953096	answered	47
0000001947c4ee87ba68185ca2f05faa	all	0d7237a269b9d190135697ca	25	grading	=r	k		0	1	\N	1794874953096	answered	48
0000001ad530ba133629652b27158ae4	all	0d7237a269b9d190135697ca	26	grading	q	z		0	1	\N	1794874953108	answered	50
0000001b55431d4cac49018fefad7d8d	all	0d7237a269b9d190135697ca	27	grading	=r	m		0	1	\N	1794874953108	answered	51
0000001c552d5968b0a5610661519f54	all	0d7237a269b9d190135697ca	28	grading	q	x		0	1	\N	1794874953108	answered	52
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
32e352f2ecb8fb3513668a75	\\xa1e991a806430720b905551476833a9efdcc60e632fca2e18ff7fa4d14374b95	read manage people tokens	\N	1794874352906
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
-- Name: document document_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_campaign_fkey FOREIGN KEY (campaign) REFERENCES public.campaign(name);


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

\unrestrict McDeVwEviUt4V4FcIrfe4wdALb3KdKMybGQ40j8mq1HPUhT7fvAuhzPlNJbNYsf

