-- The ledger: every call to a model, whichever run paid for it. run_id has no
-- foreign key, because a call outlives its run and may come from another
-- machine. request and reply hold JSON as text, made is a time as in runs, cost
-- is in micro-dollars, latency in nanoseconds.

-- +goose Up
CREATE TABLE calls (
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
    request       text   NOT NULL,
    reply         text   NOT NULL
);
CREATE INDEX calls_by_run ON calls (run_id, key);
