-- A store is a log of batches. The snapshot holds everything up to and including its sequence; those batches keep their id
-- for a while, so that a writer whose connection broke at COMMIT can find out what became of it, and lose their text.
create table store_snapshots (
  store text primary key,
  version int not null,
  sequence bigint not null,
  state json not null
);
create table store_batches (
  store text not null,
  sequence bigint not null,
  version int not null,
  batch uuid not null unique,
  changes json,
  at timestamptz not null default now(),
  primary key (store, sequence)
);

-- Keys that every instance needs, where they are not given as files.
create table secrets (
  name text primary key,
  value bytea not null
);

-- Signatures that were accepted; each counts once.
create table used_signatures (
  id text primary key,
  created bigint not null
);
create index used_signatures_created on used_signatures (created);

create table owner_log (
  n bigint generated always as identity primary key,
  time timestamptz not null,
  by text not null,
  action text not null,
  entry text,
  reason text
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the owner''s log is only ever added to';
end $$;
create trigger owner_log_is_append_only before update or delete on owner_log
  for each row execute function refuse_change();

-- Counts of a client within a window. Unlogged: a crash of the database forgets them, which harms nobody.
create unlogged table rate_counters (
  key text primary key,
  taken int not null,
  ends_at timestamptz not null
);
create index rate_counters_ends_at on rate_counters (ends_at);

-- Takes from several counters, each up to its limit, and gives what each had taken before and when its window ends.
create function take_counters(keys text[], wanted int[], limits int[], seconds float8[], moment timestamptz)
returns table (taken_before int, window_ends_at timestamptz) language plpgsql as $$
begin
  for i in 1 .. coalesce(array_length(keys, 1), 0) loop
    insert into rate_counters as c values (keys[i], 0, moment + make_interval(secs => seconds[i]))
      on conflict (key) do nothing;
    select c.taken, c.ends_at into taken_before, window_ends_at from rate_counters c where c.key = keys[i] for update;
    if coalesce(taken_before, 0) = 0 or window_ends_at <= moment then
      taken_before := 0;
      window_ends_at := moment + make_interval(secs => seconds[i]);
    end if;
    insert into rate_counters as c values (keys[i], least(wanted[i], limits[i]), window_ends_at)
      on conflict (key) do update set taken = least(taken_before + wanted[i], limits[i]), ends_at = window_ends_at;
    return next;
  end loop;
end $$;

-- Which client wrote which entry in the last day, as keyed hashes; for the share that one client may have of a full book.
create unlogged table writer_marks (
  entry text primary key,
  client text not null,
  at timestamptz not null
);
