-- Columns have a kind, and those of a kind are written together. The columns so far are
-- dropped: they are derived, and are made again from the records when somebody needs them.

-- +goose Up
DROP TABLE columns;
CREATE TABLE columns (
    run_id   text   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    kind     text   NOT NULL,
    part     bigint NOT NULL,
    name     text   NOT NULL,
    n        bigint NOT NULL,
    checksum bigint NOT NULL,
    packed   bytea  NOT NULL,
    PRIMARY KEY (run_id, kind, part, name)
);
