-- Which client wrote which entry of the guestbook in the last day, as keyed hashes, for the share that one client may have of a
-- full book. A mark is written with the batch of its entry. Unlogged: a crash of the database forgets them, which harms nobody.
create unlogged table writer_marks (
  entry text primary key,
  client text not null,
  at timestamptz not null,
  sequence bigint not null
);
create index writer_marks_sequence on writer_marks (sequence);
