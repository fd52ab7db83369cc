CREATE TABLE campaign (name TEXT PRIMARY KEY, title TEXT NOT NULL, created BIGINT NOT NULL, state TEXT NOT NULL, seq BIGINT NOT NULL, chain TEXT NOT NULL, version BIGINT NOT NULL, number BIGINT NOT NULL UNIQUE, recruiter TEXT);
CREATE TABLE person (id TEXT PRIMARY KEY, campaign TEXT NOT NULL REFERENCES campaign (name), kind TEXT NOT NULL, entry TEXT NOT NULL, state TEXT NOT NULL, language TEXT NOT NULL, consent TEXT, background TEXT, waits_since BIGINT, consented BIGINT, ended BIGINT, place BIGINT, erased BIGINT, created BIGINT NOT NULL, changed BIGINT NOT NULL);
CREATE INDEX person_changed ON person (campaign, changed);
CREATE TABLE person_token (hash BYTES PRIMARY KEY, person TEXT NOT NULL REFERENCES person (id), expires BIGINT NOT NULL);
CREATE INDEX person_token_person ON person_token (person);
CREATE TABLE claim (campaign TEXT NOT NULL REFERENCES campaign (name), value TEXT NOT NULL, params TEXT NOT NULL, person TEXT NOT NULL REFERENCES person (id), PRIMARY KEY (campaign, value));
CREATE TABLE invite (id TEXT PRIMARY KEY, campaign TEXT NOT NULL REFERENCES campaign (name), hash BYTES NOT NULL UNIQUE, kind TEXT NOT NULL, label TEXT, email TEXT, expires BIGINT, revoked BIGINT, person TEXT REFERENCES person (id));
CREATE TABLE task (key NUMBER PRIMARY KEY, id TEXT NOT NULL, campaign TEXT NOT NULL REFERENCES campaign (name), person TEXT NOT NULL REFERENCES person (id), number BIGINT NOT NULL, kind TEXT NOT NULL, query TEXT NOT NULL, low TEXT NOT NULL, high TEXT NOT NULL, side BIGINT NOT NULL, fresh BIGINT NOT NULL, gold TEXT, expires BIGINT NOT NULL, state TEXT NOT NULL, changed BIGINT NOT NULL);
CREATE INDEX task_changed ON task (campaign, changed); -- PostgreSQL
CREATE TABLE event (key NUMBER PRIMARY KEY, campaign TEXT NOT NULL REFERENCES campaign (name), seq BIGINT NOT NULL, at BIGINT NOT NULL, line TEXT NOT NULL, chain TEXT NOT NULL, task BIGINT REFERENCES task (key));
CREATE TABLE draft (task NUMBER PRIMARY KEY REFERENCES task (key), version BIGINT NOT NULL, body TEXT NOT NULL);
CREATE TABLE remark (campaign TEXT NOT NULL REFERENCES campaign (name), person TEXT NOT NULL REFERENCES person (id), task BIGINT NOT NULL REFERENCES task (key), kind TEXT NOT NULL, at BIGINT NOT NULL, text TEXT NOT NULL);
CREATE INDEX remark_campaign ON remark (campaign);
CREATE TABLE media (id TEXT PRIMARY KEY, type TEXT NOT NULL, size BIGINT NOT NULL, millis BIGINT, bytes BYTES NOT NULL);
CREATE TABLE token (id TEXT PRIMARY KEY, hash BYTES NOT NULL UNIQUE, scopes TEXT NOT NULL, campaign TEXT REFERENCES campaign (name), created BIGINT NOT NULL);
CREATE TABLE session (hash BYTES PRIMARY KEY, token TEXT NOT NULL REFERENCES token (id) ON DELETE CASCADE, expires BIGINT NOT NULL);
