-- Every row has a checksum of itself; see checksum.go. It is computed by the next
-- migration, and stands before the long texts, so that a list reads it without them.
-- tally repeats kept and failed in one number, kept * 2^31 + failed.
--
-- A process of an older version that has the database open would not update the
-- checksums. Its writes fail: head has a new name, and checksum has no default.

-- +goose Up
ALTER TABLE runs RENAME COLUMN header TO head;
ALTER TABLE runs ADD COLUMN checksum bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN tally bigint NOT NULL DEFAULT 0;
UPDATE runs SET tally = kept * 2147483648 + failed;

CREATE TABLE records_5 (
    run_id   text   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq      bigint NOT NULL,
    position bigint NOT NULL,
    case_id  text   NOT NULL,
    failure  text   NOT NULL,
    checksum bigint NOT NULL,
    brief    text   NOT NULL,
    record   text   NOT NULL,
    PRIMARY KEY (run_id, seq)
);
INSERT INTO records_5 (run_id, seq, position, case_id, failure, checksum, brief, record)
    SELECT run_id, seq, position, case_id, failure, 0, brief, record FROM records;
DROP TABLE records;
ALTER TABLE records_5 RENAME TO records;
CREATE UNIQUE INDEX records_by_position ON records (run_id, position);
CREATE INDEX records_by_case ON records (run_id, case_id, seq);

CREATE TABLE calls_5 (
    key           text   NOT NULL PRIMARY KEY,
    run_id        text   NOT NULL,
    operation     text   NOT NULL,
    provider      text   NOT NULL,
    model         text   NOT NULL,
    made          text   NOT NULL,
    input_tokens  bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cost          bigint NOT NULL,
    latency       bigint NOT NULL,
    checksum      bigint NOT NULL,
    request       text   NOT NULL,
    reply         text   NOT NULL
);
INSERT INTO calls_5 (key, run_id, operation, provider, model, made, input_tokens, output_tokens, cost, latency, checksum, request, reply)
    SELECT key, run_id, operation, provider, model, made, input_tokens, output_tokens, cost, latency, 0, request, reply FROM calls;
DROP TABLE calls;
ALTER TABLE calls_5 RENAME TO calls;
CREATE INDEX calls_by_run ON calls (run_id, key);

CREATE TABLE items_5 (
    kind     text   NOT NULL,
    id       text   NOT NULL,
    name     text   NOT NULL,
    parent   text   NOT NULL,
    created  text   NOT NULL,
    updated  text   NOT NULL,
    size     bigint NOT NULL,
    checksum bigint NOT NULL,
    body     text   NOT NULL,
    PRIMARY KEY (kind, id)
);
INSERT INTO items_5 (kind, id, name, parent, created, updated, size, checksum, body)
    SELECT kind, id, name, parent, created, updated, size, 0, body FROM items;
DROP TABLE items;
ALTER TABLE items_5 RENAME TO items;
CREATE INDEX items_by_time ON items (kind, created, id);
CREATE INDEX items_by_parent ON items (kind, parent, created, id);
