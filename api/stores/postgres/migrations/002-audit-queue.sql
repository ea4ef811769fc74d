-- Audits over all instances. An instance that hasn't been heard of for a while is dead: what it ran is taken over.
create table audit_instances (
  id uuid primary key,
  seen_at timestamptz not null
);

-- A run is one audit for all who wait for it. What is over stays a minute, for those who ask again.
create table audit_runs (
  id bigint generated always as identity primary key,
  href text not null,
  site text not null,
  -- A keyed hash of the client network that asked first; null for the service itself.
  network text,
  state text not null default 'queued' check (state in ('queued', 'running', 'over')),
  -- Nobody waits any more, and nobody may join.
  is_left boolean not null default false,
  attempt int not null default 0,
  instance uuid references audit_instances on delete set null,
  place int check ((place is not null) = (state = 'running')),
  progress json,
  ending json,
  ended_at timestamptz check ((ended_at is not null) = (state = 'over'))
);
create unique index audit_runs_joined on audit_runs (href) where state <> 'over' and not is_left;
create unique index audit_runs_at_once on audit_runs (place);

-- What the running ones visit: one at a time, whoever runs it.
create table audit_sites (
  site text primary key,
  run bigint not null references audit_runs on delete cascade
);
create index audit_sites_run on audit_sites (run);

create table audit_waiters (
  id uuid primary key,
  run bigint not null references audit_runs on delete cascade,
  instance uuid not null references audit_instances on delete cascade,
  network text
);
create index audit_waiters_run on audit_waiters (run);

create table audit_findings (
  run bigint not null references audit_runs on delete cascade,
  attempt int not null,
  n int not null,
  finding json not null,
  primary key (run, attempt, n)
);
