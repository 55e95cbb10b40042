-- The packed columns of the records of a run, in parts of successive records; see package
-- columns. They are derived: they may be deleted, and are made again from the records when
-- somebody needs them. n is the number of records of the part. A part of -1 is about the
-- whole run.

-- +goose Up
CREATE TABLE columns (
    run_id   text   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    part     bigint NOT NULL,
    name     text   NOT NULL,
    n        bigint NOT NULL,
    checksum bigint NOT NULL,
    packed   bytea  NOT NULL,
    PRIMARY KEY (run_id, part, name)
);
