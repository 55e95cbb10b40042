-- One schema for SQLite and PostgreSQL: text, bigint, and nothing that only one
-- of them has. Times are text in UTC with nine decimals, so that their order as
-- text is their order in time. header and record hold JSON as text; the other
-- columns repeat what queries look for. A record's text may hold \u0000, which
-- PostgreSQL's jsonb refuses.

-- +goose Up
CREATE TABLE runs (
    id           text   NOT NULL PRIMARY KEY,
    name         text   NOT NULL,
    state        text   NOT NULL,
    started      text   NOT NULL,
    dataset_hash text   NOT NULL,
    cases        bigint NOT NULL,
    header       text   NOT NULL
);
CREATE INDEX runs_by_start ON runs (started, id);

CREATE TABLE records (
    run_id  text   NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq     bigint NOT NULL,
    case_id text   NOT NULL,
    failure text   NOT NULL,
    record  text   NOT NULL,
    PRIMARY KEY (run_id, seq)
);
