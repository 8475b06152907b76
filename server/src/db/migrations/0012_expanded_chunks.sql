-- The text of a chunk with each row of its tables written out with its headers. null: the chunk has no table.
alter table chunks add column expanded_text text;
