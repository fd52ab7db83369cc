--
-- PostgreSQL database dump
--

\restrict nRjWv861tdlYIilTkAUwNFZKDH0wna5xO19L25CLdnI3ayDMjaxsrXcWjSwsKUL

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
    task bigint,
    body_hash text
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
all	1795036792733	open	28	5c054a0460a8442f19199a36ae5ab4ad58626ccf7778aa6dda1f9118705b6a58	55	1	{"preset":"prolific","name":null,"id":null,"capture":null,"kind":null,"limit":3,"outcomes":{"complete":{"code":"C1","url":null}}}
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (campaign, value, params, person) FROM stdin;
all	pid-1	{"SESSION_ID":"né","STUDY_ID":"s"}	336c1a386709a596e7ddbfbc
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

COPY public.event (key, campaign, seq, at, line, chain, task, body_hash) FROM stdin;
1099511627777	all	1	1795036792733	{"seq":1,"at":"2026-11-18T21:19:52.733Z","author":"organiser 9cd7dcdd700a64e5ca378c45","event":"opened","version":1,"spec":{"name":"all","title":"A campaign","kinds":["preference","ranking","grading"],"instructions":{},"consent":{"version":"1","text":{"en":"Agree?"}},"settings":{"seed":1,"votes":2,"decide":"majority","alpha":null,"strategy":"sort","confidence":0.9,"top":null,"budget":null,"matters":0.242,"held_out":0.0,"held_out_votes":1,"price":{"reward":0.02,"fee":{"fixed":0.005},"minimum":0.0,"surcharge":null},"names":"exact"},"lists":[{"query":"=r","show":{"text":"text =r"},"items":[{"item":"k","show":{"text":"text k"}},{"item":"l","show":{"text":"text l"}},{"item":"m","show":{"text":"text m"}}]},{"query":"q","show":{"audio":"950ca48f1fd1da74c1da47777dbc1aee11f6a4e306e7b7d95ead257d9a1075ef","text":"text q"},"items":[{"item":"x","show":{"image":"2f5377edb154bb5666bfb85ae12a37b889f68ae11cd880fb0c4164912aac0ff4","text":"text x","alt":"a staff"}},{"item":"y","show":{"text":"text y"}},{"item":"z","show":{"text":"text z"}}]}],"gold":{"share":0.3,"pairs":[{"query":"q","a":"x","b":"z","answer":"a"}]},"recruiter":null,"judging":{"lease_seconds":600,"per_person":null,"people":null,"ahead":3,"hear":"ended","mix":true,"graders":2,"wait_seconds":120,"fine":{"min":0.0,"max":10.0,"step":0.1},"background":true}},"chain":"23261a7cafeb9e212b3a1b5f971157e5ab5f9caa2378de977231c9b93b7dd944"}	23261a7cafeb9e212b3a1b5f971157e5ab5f9caa2378de977231c9b93b7dd944	\N	\N
1099511627778	all	2	1795036792733	{"seq":2,"at":"2026-11-18T21:19:52.733Z","author":"server","event":"asked","batch":1,"pairs":[{"query":"q","a":"y","b":"x","votes":2,"more":2},{"query":"=r","a":"m","b":"l","votes":2,"more":2},{"query":"q","a":"z","b":"y","votes":2,"more":2},{"query":"=r","a":"m","b":"k","votes":2,"more":2}],"chain":"db46a4e4ae90c0ba20784f6f640676049f29e16036cef794f28e297405f4b013"}	db46a4e4ae90c0ba20784f6f640676049f29e16036cef794f28e297405f4b013	\N	\N
1099511627779	all	3	1795036792817	{"seq":3,"at":"2026-11-18T21:19:52.817Z","author":"f46fb5fe0a5b97abe7aa97b6","event":"answered","query":"=r","a":"m","b":"l","assessor":"f46fb5fe0a5b97abe7aa97b6","answer":"b","seconds":2.5,"time":1795036792.817,"id":"00000000-0000-0000-0000-000000000001","chain":"406a161d2290f50db3134699c993e99b1199f7e4ea208c133a9e8ca07612e1e1"}	406a161d2290f50db3134699c993e99b1199f7e4ea208c133a9e8ca07612e1e1	1099511627777	2179e96a45de5ee507946e4f058c72ab18b9eb292a276bd66497ad55cb4e3264
1099511627780	all	4	1795036792821	{"seq":4,"at":"2026-11-18T21:19:52.821Z","author":"f46fb5fe0a5b97abe7aa97b6","event":"checked","query":"q","a":"z","b":"x","assessor":"f46fb5fe0a5b97abe7aa97b6","answer":"b","seconds":2.5,"time":1795036792.821,"id":"00000000-0000-0000-0000-000000000002","expected":"b","chain":"363b99e5c815f727a459c243bdc7ce20e5de15278ed298fb3f9031470679c41d"}	363b99e5c815f727a459c243bdc7ce20e5de15278ed298fb3f9031470679c41d	1099511627778	d4fd681b28e9333193bb00524f5bddb696d415938e69db40b3a8116a1d5dcab7
1099511627781	all	5	1795036792825	{"seq":5,"at":"2026-11-18T21:19:52.825Z","author":"f46fb5fe0a5b97abe7aa97b6","event":"answered","query":"=r","a":"k","b":"m","assessor":"f46fb5fe0a5b97abe7aa97b6","answer":"a","seconds":2.5,"time":1795036792.825,"id":"00000000-0000-0000-0000-000000000003","chain":"6da68c0bbb61cb66dc0825fda69da6f0fa3962460e38b6dc676e1b9494f74c53"}	6da68c0bbb61cb66dc0825fda69da6f0fa3962460e38b6dc676e1b9494f74c53	1099511627779	6118a5bdc80055853e1efa81a9aafd30f445587f9b10e3247c5fc4f580d337d4
1099511627782	all	6	1795036792832	{"seq":6,"at":"2026-11-18T21:19:52.832Z","author":"f46fb5fe0a5b97abe7aa97b6","event":"answered","query":"q","a":"y","b":"z","assessor":"f46fb5fe0a5b97abe7aa97b6","answer":"a","seconds":2.5,"time":1795036792.832,"id":"00000000-0000-0000-0000-000000000004","chain":"1c64ba4660ff52b62b069c0f720e37b1db7c9992c68d14772e158a21ac488685"}	1c64ba4660ff52b62b069c0f720e37b1db7c9992c68d14772e158a21ac488685	1099511627780	530e079029f9cbd0d0e053ab315a22fbcff57356a7f4cfc98f21bf5462a3653e
1099511627783	all	7	1795036792835	{"seq":7,"at":"2026-11-18T21:19:52.835Z","author":"f46fb5fe0a5b97abe7aa97b6","event":"answered","query":"q","a":"y","b":"x","assessor":"f46fb5fe0a5b97abe7aa97b6","answer":"b","seconds":2.5,"time":1795036792.835,"id":"00000000-0000-0000-0000-000000000005","chain":"6c7da24157c07cb6500952ac0af20a257776d8fcbc66bf970bd40e79b9993fed"}	6c7da24157c07cb6500952ac0af20a257776d8fcbc66bf970bd40e79b9993fed	1099511627781	5b7b6fbd95f1842f5cc5c246ddce69f4d6cd6d0cab86761750f0a5117e7007b3
1099511627784	all	8	1795036792844	{"seq":8,"at":"2026-11-18T21:19:52.844Z","author":"f4791ebb2b8d301193e18974","event":"checked","query":"q","a":"z","b":"x","assessor":"f4791ebb2b8d301193e18974","answer":"b","seconds":2.5,"time":1795036792.844,"id":"00000000-0000-0000-0000-000000000006","listened":{"query":{"plays":2,"ended":true}},"hidden":1.5,"expected":"b","chain":"dd53184d4c44e1c4b8af8aa2672edd79b925f4a04294fb20e07acc28662e6046"}	dd53184d4c44e1c4b8af8aa2672edd79b925f4a04294fb20e07acc28662e6046	1099511627782	db51162da5105816cc9c11261c1aac51c786082f813f2d7f4cf3bb2f6a34b2e2
1099511627785	all	9	1795036792853	{"seq":9,"at":"2026-11-18T21:19:52.853Z","author":"f4791ebb2b8d301193e18974","event":"reported","query":"=r","item":"k","assessor":"f4791ebb2b8d301193e18974","problem":"wrong","chain":"d229ba429c62d2d65b9d22a17ef98de21801a5ea49646fbdf3daf58e25874ed6"}	d229ba429c62d2d65b9d22a17ef98de21801a5ea49646fbdf3daf58e25874ed6	\N	\N
1099511627786	all	10	1795036792869	{"seq":10,"at":"2026-11-18T21:19:52.869Z","author":"336c1a386709a596e7ddbfbc","event":"checked","query":"q","a":"x","b":"z","assessor":"336c1a386709a596e7ddbfbc","answer":"a","seconds":2.5,"time":1795036792.869,"id":"00000000-0000-0000-0000-000000000007","expected":"a","chain":"68e8422dc0b951869dd1c94000253b73325a79965abd6b8efc37a43d93b6427e"}	68e8422dc0b951869dd1c94000253b73325a79965abd6b8efc37a43d93b6427e	1099511627786	50a06ac62c1c186eb1ceb0a7c14a08b1c8d2d4e15c538cd8b4a15fdcd22a60b7
1099511627787	all	11	1795036792872	{"seq":11,"at":"2026-11-18T21:19:52.872Z","author":"organiser 9cd7dcdd700a64e5ca378c45","event":"excluded","assessor":"336c1a386709a596e7ddbfbc","chain":"da4d06259aca248e227bcb6535f4bc1e5972f21dd3cf7dfaee06cecec0f3116c"}	da4d06259aca248e227bcb6535f4bc1e5972f21dd3cf7dfaee06cecec0f3116c	\N	\N
1099511627788	all	12	1795036792877	{"seq":12,"at":"2026-11-18T21:19:52.877Z","author":"organiser 9cd7dcdd700a64e5ca378c45","event":"readmitted","assessor":"336c1a386709a596e7ddbfbc","chain":"b9efcb7717f5d462361212404542762d9fdf6fee8726c46ab67f7b753ef3e7b0"}	b9efcb7717f5d462361212404542762d9fdf6fee8726c46ab67f7b753ef3e7b0	\N	\N
1099511627789	all	13	1795036792942	{"seq":13,"at":"2026-11-18T21:19:52.942Z","author":"cb219fbd25efca0423b88bf2","event":"ranked","query":"=r","assessor":"cb219fbd25efca0423b88bf2","groups":[["k"],["m"],["l"]],"unranked":[],"seconds":30.0,"time":1795036792.942,"id":"00000000-0000-0000-0000-000000000008","chain":"dc4efa139770359a0c91109b06028a93cdf81498558cb8b6925b6b22225e434e"}	dc4efa139770359a0c91109b06028a93cdf81498558cb8b6925b6b22225e434e	1099511627789	e8727adc3434b7bd80e4ed9153da1d4b74ba8c35ca96389e768f11e52ff83578
1099511627790	all	14	1795036792946	{"seq":14,"at":"2026-11-18T21:19:52.946Z","author":"cb219fbd25efca0423b88bf2","event":"ranked","query":"q","assessor":"cb219fbd25efca0423b88bf2","groups":[["x"],["z"],["y"]],"unranked":[],"seconds":30.0,"time":1795036792.946,"id":"00000000-0000-0000-0000-000000000009","chain":"a96c971a54f3ad96b2664f686ec12bf6971a01cf3e237798ed6b411b4971845b"}	a96c971a54f3ad96b2664f686ec12bf6971a01cf3e237798ed6b411b4971845b	1099511627790	30140f7b1c5f5c73cb51059e4ba6efed26d8b07d76bf03f4958feaa71a4a7046
1099511627791	all	15	1795036792988	{"seq":15,"at":"2026-11-18T21:19:52.988Z","author":"ff709bedb68ecebc13cdde6b","event":"graded","query":"=r","item":"l","assessor":"ff709bedb68ecebc13cdde6b","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036792.988,"id":"00000000-0000-0000-0000-00000000000a","chain":"939159a9e42d23a082d00ddadba0dc08b1ba465c23eb28ccb0fdb4fd73ce5dd4"}	939159a9e42d23a082d00ddadba0dc08b1ba465c23eb28ccb0fdb4fd73ce5dd4	1099511627793	33dcf282042acc1aa42ec029f09232b43c01315d1cee0eaee7157d9941f21344
1099511627792	all	16	1795036792991	{"seq":16,"at":"2026-11-18T21:19:52.991Z","author":"ff709bedb68ecebc13cdde6b","event":"graded","query":"q","item":"z","assessor":"ff709bedb68ecebc13cdde6b","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036792.991,"id":"00000000-0000-0000-0000-00000000000b","chain":"b74da7ab31b46456ed5c110410e0c643d84a1eec9840ae1c18d4fb6fb12e4cdc"}	b74da7ab31b46456ed5c110410e0c643d84a1eec9840ae1c18d4fb6fb12e4cdc	1099511627794	5966b842495bfe83072d91d3816d45ff40b6aa84df4c65b05bf41b8ee8f35115
1099511627793	all	17	1795036792993	{"seq":17,"at":"2026-11-18T21:19:52.993Z","author":"ff709bedb68ecebc13cdde6b","event":"graded","query":"=r","item":"m","assessor":"ff709bedb68ecebc13cdde6b","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036792.993,"id":"00000000-0000-0000-0000-00000000000c","chain":"b91ef6aecd740d49e0a33cf5ce82eaa1dc06564bca7b0836d48979ad84927abc"}	b91ef6aecd740d49e0a33cf5ce82eaa1dc06564bca7b0836d48979ad84927abc	1099511627795	183134c831954e915eb87766c0f0f599a7e77c7d134388500dc11f98d4b5435f
1099511627794	all	18	1795036793008	{"seq":18,"at":"2026-11-18T21:19:53.008Z","author":"ff709bedb68ecebc13cdde6b","event":"graded","query":"q","item":"x","assessor":"ff709bedb68ecebc13cdde6b","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.008,"id":"00000000-0000-0000-0000-00000000000d","chain":"c16183c095646a3b319a6a6ff9a48fe19a92df0d0b806528652e995e92cc76bc"}	c16183c095646a3b319a6a6ff9a48fe19a92df0d0b806528652e995e92cc76bc	1099511627796	d45b65dc0fdba3701c00b810abdcba4aab0e8ee51f4a6112bf595aebfb498a09
1099511627795	all	19	1795036793011	{"seq":19,"at":"2026-11-18T21:19:53.011Z","author":"ff709bedb68ecebc13cdde6b","event":"graded","query":"=r","item":"k","assessor":"ff709bedb68ecebc13cdde6b","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.011,"id":"00000000-0000-0000-0000-00000000000e","chain":"904356792b056884b61384028447eab224bcc362ec50e312a5b57548e424f64e"}	904356792b056884b61384028447eab224bcc362ec50e312a5b57548e424f64e	1099511627797	5de5c60089434679a13670b7970f72f584cb71a70b1cc7e6c1fb5f35f7ebcab8
1099511627796	all	20	1795036793014	{"seq":20,"at":"2026-11-18T21:19:53.014Z","author":"ff709bedb68ecebc13cdde6b","event":"graded","query":"q","item":"y","assessor":"ff709bedb68ecebc13cdde6b","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.014,"id":"00000000-0000-0000-0000-00000000000f","chain":"994d4d01c1ed373add72b7b9e951f8f34f2a320654bc44c65bb4c6df446cf4a5"}	994d4d01c1ed373add72b7b9e951f8f34f2a320654bc44c65bb4c6df446cf4a5	1099511627798	457e054df48a51e13157b14b14e285a00a4f880538dfc3a891347b66bb601265
1099511627797	all	21	1795036793033	{"seq":21,"at":"2026-11-18T21:19:53.033Z","author":"cdfc8d1c53520e3f89cf42e9","event":"graded","query":"=r","item":"l","assessor":"cdfc8d1c53520e3f89cf42e9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.033,"id":"00000000-0000-0000-0000-000000000010","chain":"8de8f234b374e6c6eab63f273de4d5e8863b1faf182a0bda88b3ce19de7f5973"}	8de8f234b374e6c6eab63f273de4d5e8863b1faf182a0bda88b3ce19de7f5973	1099511627799	f9cd250087ac310c46b6c6bca33f63c51cfbf4ff7201ff3abd4e4d9fe1e3725f
1099511627798	all	22	1795036793037	{"seq":22,"at":"2026-11-18T21:19:53.037Z","author":"cdfc8d1c53520e3f89cf42e9","event":"graded","query":"q","item":"x","assessor":"cdfc8d1c53520e3f89cf42e9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.037,"id":"00000000-0000-0000-0000-000000000011","chain":"c0de4e6de7c3334659f841b68faf24cf68cad6842eeec28efa85b240ca9fdd54"}	c0de4e6de7c3334659f841b68faf24cf68cad6842eeec28efa85b240ca9fdd54	1099511627800	a0df8be85e08321567c1d37b277c58e967c86b7af71556de533e5e4be58ca966
1099511627799	all	23	1795036793040	{"seq":23,"at":"2026-11-18T21:19:53.040Z","author":"cdfc8d1c53520e3f89cf42e9","event":"graded","query":"=r","item":"m","assessor":"cdfc8d1c53520e3f89cf42e9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.04,"id":"00000000-0000-0000-0000-000000000012","chain":"96e90c91e05a03975b4382e0ff8d1d5b8b189c730e7bfd22d11029f71fe4a824"}	96e90c91e05a03975b4382e0ff8d1d5b8b189c730e7bfd22d11029f71fe4a824	1099511627801	8823b2ff532279c808590b712930d64ad8ef927837cc6f0e0217ddc4a099b10c
1099511627800	all	24	1795036793053	{"seq":24,"at":"2026-11-18T21:19:53.053Z","author":"cdfc8d1c53520e3f89cf42e9","event":"graded","query":"q","item":"y","assessor":"cdfc8d1c53520e3f89cf42e9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.053,"id":"00000000-0000-0000-0000-000000000013","chain":"8ac30690e8baf5acc02a16a4d6244b30006c0785bb9132106aac58d2fd6b2469"}	8ac30690e8baf5acc02a16a4d6244b30006c0785bb9132106aac58d2fd6b2469	1099511627802	9e91255e871e3e69bd42b9aa692a9371dadac75dc56a3a046aa48b674ae67eb9
1099511627801	all	25	1795036793059	{"seq":25,"at":"2026-11-18T21:19:53.059Z","author":"cdfc8d1c53520e3f89cf42e9","event":"graded","query":"=r","item":"k","assessor":"cdfc8d1c53520e3f89cf42e9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.059,"id":"00000000-0000-0000-0000-000000000014","chain":"9c936dcdb47a6cd5c06130ea08aa36f43205622d3a5184ddad99abf21cd36e7d"}	9c936dcdb47a6cd5c06130ea08aa36f43205622d3a5184ddad99abf21cd36e7d	1099511627803	9f1aba4dde1835d79f9aee6b6491a9985a3ad1308e25703bdccaa102e61a4031
1099511627802	all	26	1795036793063	{"seq":26,"at":"2026-11-18T21:19:53.063Z","author":"cdfc8d1c53520e3f89cf42e9","event":"graded","query":"q","item":"z","assessor":"cdfc8d1c53520e3f89cf42e9","broad":"SS","fine":1.5,"seconds":3.0,"time":1795036793.063,"id":"00000000-0000-0000-0000-000000000015","chain":"bbb143932e064bb0efecacbcdd54b076d1d26e92627828c3686cbfa5032a0f6c"}	bbb143932e064bb0efecacbcdd54b076d1d26e92627828c3686cbfa5032a0f6c	1099511627804	11aa92c56c45df41dffe8f5872f7ee2a706f1c291710d6a826e2d228201d1d59
1099511627803	all	27	1795036793070	{"seq":27,"at":"2026-11-18T21:19:53.070Z","author":"organiser 9cd7dcdd700a64e5ca378c45","event":"paused","chain":"73866994cfe08bdc70bb905c81b69a5ca47a54610c3fb63b5b8404082f591ad9"}	73866994cfe08bdc70bb905c81b69a5ca47a54610c3fb63b5b8404082f591ad9	\N	\N
1099511627804	all	28	1795036793074	{"seq":28,"at":"2026-11-18T21:19:53.074Z","author":"organiser 9cd7dcdd700a64e5ca378c45","event":"resumed","chain":"5c054a0460a8442f19199a36ae5ab4ad58626ccf7778aa6dda1f9118705b6a58"}	5c054a0460a8442f19199a36ae5ab4ad58626ccf7778aa6dda1f9118705b6a58	\N	\N
\.


--
-- Data for Name: invite; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.invite (id, campaign, hash, kind, label, expires, revoked, person) FROM stdin;
01c1b4db12b9705bbf68216a	all	\\x51d35edc69b4b3bc5ed7b8bb9b0c2a27d571b7cb81adecbe65bfecb30b3ad83c	grading	\N	\N	\N	cdfc8d1c53520e3f89cf42e9
1e64bff6cac86e70d402fa1a	all	\\x3ac781b26760fc4ab0d7f2741c7603d9d0a05664b3c178ebc0c21c5bf0535fad	preference	\N	\N	\N	f4791ebb2b8d301193e18974
8bbc69dc8fce4c4207435e8f	all	\\xe25a8ce5a4ea5d746d0a09ee139503805250b7b30785b65592ff6d054b0e8e49	grading	\N	\N	\N	ff709bedb68ecebc13cdde6b
a325ac0cd97f186ebaa1e49b	all	\\xc983c053afdd9d5797a418533b7d9b9867bc266a7b29f08e8955b1baa36b0845	preference	\N	\N	\N	f46fb5fe0a5b97abe7aa97b6
c103d7be0d0ecd93f4fd82c5	all	\\xb2df2ce1250e804dd89dbc8e7961639ac75959b1c316f22a794febe2c9a147cb	preference	for later	\N	\N	\N
c349541adbaf8cfc533335e7	all	\\x6c3e352ccddd4eb9e82a9f7fd0560a10b72439553f64a37a306e2882500b41f6	ranking	\N	\N	\N	cb219fbd25efca0423b88bf2
f1d4ca6ff011d690db6a5155	all	\\x717ea820119f109fbe2934e07efbc607dc46cb2946a678e79ca058776153c6f4	ranking	\N	\N	\N	69581acf7b417b028ef6f8ca
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
336c1a386709a596e7ddbfbc	all	preference	recruiter	active	en	1	cello, né	\N	1795036792857	19
69581acf7b417b028ef6f8ca	all	ranking	f1d4ca6ff011d690db6a5155	active	en	1	cello, né	\N	1795036792917	30
cb219fbd25efca0423b88bf2	all	ranking	c349541adbaf8cfc533335e7	active	en	1	cello, né	\N	1795036792907	26
cdfc8d1c53520e3f89cf42e9	all	grading	01c1b4db12b9705bbf68216a	active	en	1	cello, né	1795036793067	1795036792972	53
f46fb5fe0a5b97abe7aa97b6	all	preference	a325ac0cd97f186ebaa1e49b	active	en	1	cello, né	1795036792837	1795036792794	13
f4791ebb2b8d301193e18974	all	preference	1e64bff6cac86e70d402fa1a	active	en	1	cello, né	\N	1795036792799	5
ff709bedb68ecebc13cdde6b	all	grading	8bbc69dc8fce4c4207435e8f	active	en	1	cello, né	1795036793017	1795036792969	43
\.


--
-- Data for Name: person_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.person_token (hash, person, expires) FROM stdin;
\\x72da140ccaa261b4df20bac6284f98b89659142dc59eeda8aab473f5ce7be1a0	ff709bedb68ecebc13cdde6b	1797628792969
\\x807b61208415e7d0a118f98c58dee913a36b63b70e4ae08347fdd2a1ed8c9862	f4791ebb2b8d301193e18974	1797628792799
\\xa4edfceb6b2f294a9c984cef09e196732ce3adc8e5c4c2f8cc3ff4515267bd11	336c1a386709a596e7ddbfbc	1797628792857
\\xbecd293ad6714296b2759b3f421622e489175005e066f4c93a88f53ff21e791c	f46fb5fe0a5b97abe7aa97b6	1797628792794
\\xd6cf9b5e165852f6621ea742dd5517e55a46d8c61d9887be010f2dccfbf0e7b8	69581acf7b417b028ef6f8ca	1797628792917
\\xf3debc82bb5e44ace5132aba02b6273e20529e26bbbaa998df1f8fd0318ce473	cb219fbd25efca0423b88bf2	1797628792907
\\xfed642a1ec09e0f47dd87815d48bc898b5d4ff6aef6bf7aa265f5401be8cbfd0	cdfc8d1c53520e3f89cf42e9	1797628792972
\.


--
-- Data for Name: remark; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.remark (campaign, person, task, kind, at, text) FROM stdin;
all	f4791ebb2b8d301193e18974	1099511627782	comment	1795036792844	both "good", né
all	f4791ebb2b8d301193e18974	1099511627783	report	1795036792853	no sound
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
1099511627777	1-0dea4d7165bd4ff34e35ccf8	all	f46fb5fe0a5b97abe7aa97b6	1	preference	=r	l	m	1	1	\N	1795037392812	live	6
1099511627778	2-73b42ba72487ab925730119a	all	f46fb5fe0a5b97abe7aa97b6	2	preference	q	x	z	1	1	b	1795037392812	live	6
1099511627779	3-49b3dfb8212f80e8de5e3ad1	all	f46fb5fe0a5b97abe7aa97b6	3	preference	=r	k	m	0	1	\N	1795037392812	live	6
1099511627780	4-3096a6004c0034f6dfa30c67	all	f46fb5fe0a5b97abe7aa97b6	4	preference	q	y	z	0	1	\N	1795037392828	live	10
1099511627781	5-d3b2ec6c4ec80b245ccf58af	all	f46fb5fe0a5b97abe7aa97b6	5	preference	q	x	y	1	0	\N	1795037392828	live	10
1099511627782	6-ca4fdfbfdead64e041c96331	all	f4791ebb2b8d301193e18974	6	preference	q	x	z	1	1	b	1795037392840	live	14
1099511627783	7-cd08dd5ed0aaf56edbfa3ec5	all	f4791ebb2b8d301193e18974	7	preference	=r	k	m	1	1	\N	1795037392840	reported	17
1099511627784	8-b901f0b7d4f9c5578b7805b7	all	f4791ebb2b8d301193e18974	8	preference	q	x	y	0	1	\N	1795037392840	live	14
1099511627785	9-941fa12e3856fed006b8dade	all	f4791ebb2b8d301193e18974	9	preference	=r	l	m	0	1	\N	1795037392849	live	16
1099511627786	a-032f1451f1e3e8c6f98cdf6b	all	336c1a386709a596e7ddbfbc	10	preference	q	x	z	0	1	a	1795037392865	live	20
1099511627787	b-cfd10f9840e71c449b3d1bd2	all	336c1a386709a596e7ddbfbc	11	preference	=r	k	m	1	1	\N	1795037392865	live	20
1099511627788	c-49fb9b825a81c45e42315a81	all	336c1a386709a596e7ddbfbc	12	preference	q	y	z	1	1	\N	1795037392865	live	20
1099511627789	d-894989b480a24a477b3363f8	all	cb219fbd25efca0423b88bf2	13	ranking	=r			0	1	\N	1795037392937	live	27
1099511627790	e-ee6ceb07f4cde4acd402a64f	all	cb219fbd25efca0423b88bf2	14	ranking	q			0	1	\N	1795037392937	live	27
1099511627791	f-4898a306627f267f9045a5ee	all	69581acf7b417b028ef6f8ca	15	ranking	=r			0	1	\N	1795037392953	live	31
1099511627792	10-67a8b173f1362e66140ad255	all	69581acf7b417b028ef6f8ca	16	ranking	q			0	1	\N	1795037392953	live	31
1099511627793	11-6bcc4c2fc981af4b2cd984d0	all	ff709bedb68ecebc13cdde6b	17	grading	=r	l		0	1	\N	1795037392983	live	35
1099511627794	12-ec402c5bf96c45d13429c4fa	all	ff709bedb68ecebc13cdde6b	18	grading	q	z		0	1	\N	1795037392983	live	35
1099511627795	13-88a809c558bde6d1de5eadf3	all	ff709bedb68ecebc13cdde6b	19	grading	=r	m		0	1	\N	1795037392983	live	35
1099511627796	14-fde11dd94ed629e9fa835e47	all	ff709bedb68ecebc13cdde6b	20	grading	q	x		0	1	\N	1795037393004	live	39
1099511627797	15-bd7671efacea44e8b2e16a25	all	ff709bedb68ecebc13cdde6b	21	grading	=r	k		0	1	\N	1795037393004	live	39
1099511627798	16-f6d5802f5a74687d0e18939d	all	ff709bedb68ecebc13cdde6b	22	grading	q	y		0	1	\N	1795037393004	live	39
1099511627799	17-a163a85298017c9c28e43ddf	all	cdfc8d1c53520e3f89cf42e9	23	grading	=r	l		0	1	\N	1795037393024	live	45
1099511627800	18-6eceec22a97391cf089c146e	all	cdfc8d1c53520e3f89cf42e9	24	grading	q	x		0	1	\N	1795037393024	live	45
1099511627801	19-86093038ea2b8a92c80a11d8	all	cdfc8d1c53520e3f89cf42e9	25	grading	=r	m		0	1	\N	1795037393024	live	45
1099511627802	1a-3a1deb74480b0eec4dd3175c	all	cdfc8d1c53520e3f89cf42e9	26	grading	q	y		0	1	\N	1795037393043	live	49
1099511627803	1b-b0d8977d695145c64d0bff9b	all	cdfc8d1c53520e3f89cf42e9	27	grading	=r	k		0	1	\N	1795037393043	live	49
1099511627804	1c-3dcd03c6350a5d1a3f9b74ed	all	cdfc8d1c53520e3f89cf42e9	28	grading	q	z		0	1	\N	1795037393043	live	49
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (id, hash, scopes, campaign, created) FROM stdin;
9cd7dcdd700a64e5ca378c45	\\x2535b325bbe8e4f5e62c3221ff3bc64bddc17611488c8aced2ebee210ccb4b39	read manage people tokens	\N	1795036792509
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

\unrestrict nRjWv861tdlYIilTkAUwNFZKDH0wna5xO19L25CLdnI3ayDMjaxsrXcWjSwsKUL

