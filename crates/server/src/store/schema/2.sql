CREATE TABLE document (campaign TEXT PRIMARY KEY REFERENCES campaign (name), text TEXT NOT NULL);
INSERT INTO document (campaign, text) SELECT name, document FROM campaign;
ALTER TABLE campaign DROP COLUMN document;
