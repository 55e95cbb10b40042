-- What lists and streams need: position counts a run's records from 1 in the
-- order in which they were kept, brief is the record without its long parts, as
-- JSON, or '' in a record that an older version kept. brief stands before record,
-- so that reading it does not read that. kept and failed count a run's records,
-- and those of them without a response.

-- +goose Up
CREATE TABLE kept (
    run_id   text   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq      bigint NOT NULL,
    position bigint NOT NULL,
    case_id  text   NOT NULL,
    failure  text   NOT NULL,
    brief    text   NOT NULL,
    record   text   NOT NULL,
    PRIMARY KEY (run_id, seq)
);
INSERT INTO kept (run_id, seq, position, case_id, failure, brief, record)
    SELECT run_id, seq, row_number() OVER (PARTITION BY run_id ORDER BY seq), case_id, failure, '', record FROM records;
DROP TABLE records;
ALTER TABLE kept RENAME TO records;
CREATE UNIQUE INDEX records_by_position ON records (run_id, position);
CREATE INDEX records_by_case ON records (run_id, case_id, seq);

ALTER TABLE runs ADD COLUMN kept bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN failed bigint NOT NULL DEFAULT 0;
UPDATE runs SET
    kept = (SELECT count(*) FROM records WHERE run_id = runs.id),
    failed = (SELECT count(*) FROM records WHERE run_id = runs.id AND failure <> '');
CREATE INDEX runs_by_name ON runs (name, started, id);
