-- What is kept beside runs and calls, each as one JSON text: results and
-- evaluations of accuracy tests, profiles, baselines, data sets, documents,
-- labels, tokens. kind says what it is; parent names what it belongs to, such
-- as a label's run, or is ''. size is the number of bytes of body.

-- +goose Up
CREATE TABLE items (
    kind    text   NOT NULL,
    id      text   NOT NULL,
    name    text   NOT NULL,
    parent  text   NOT NULL,
    created text   NOT NULL,
    updated text   NOT NULL,
    size    bigint NOT NULL,
    body    text   NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX items_by_time ON items (kind, created, id);
CREATE INDEX items_by_parent ON items (kind, parent, created, id);
