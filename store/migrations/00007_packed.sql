-- Texts are packed; see pack.go. Rows that an older version stored stay as they are:
-- their packed columns are null, and those of packed rows without the ending are ''.
-- texts holds what the requests of many calls repeat, each once; text_id is its row.
--
-- A process of an older version that has the database open would not find the texts.
-- Its reads and writes fail: the columns that it knows have new names.

-- +goose Up
ALTER TABLE records RENAME COLUMN record TO record_plain;
ALTER TABLE records ADD COLUMN brief_packed bytea;
ALTER TABLE records ADD COLUMN record_packed bytea;

CREATE TABLE texts (
    id       bigint NOT NULL PRIMARY KEY,
    checksum bigint NOT NULL,
    packed   bytea  NOT NULL
);
ALTER TABLE calls RENAME COLUMN request TO request_plain;
ALTER TABLE calls RENAME COLUMN reply TO reply_plain;
ALTER TABLE calls ADD COLUMN text_id bigint;
ALTER TABLE calls ADD COLUMN packed bytea;
