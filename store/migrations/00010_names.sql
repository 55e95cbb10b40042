-- Items are found by their name: the labels of what was judged, in whichever run.

-- +goose Up
CREATE INDEX items_by_name ON items (kind, name, parent);
