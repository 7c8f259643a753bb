-- What a change is about beside its target: ids of its space, its revision and the like. Never content.
alter table changes add details jsonb;

-- Where events of an organization are sent.
create table webhooks (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  title text not null check (length(title) <= 100),
  url text not null check (length(url) <= 2048),
  -- Null: every type there is, and those to come.
  events text[],
  active boolean not null default true,
  -- Sealed with the secret of the instance. After it was changed, the one before signs as well for a while.
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz(3),
  -- Since when nothing was taken; how many attempts, and how many deliveries in the end, failed in a row.
  failing_since timestamptz(3),
  failed_attempts int not null default 0,
  failed_deliveries int not null default 0,
  -- While whoever is there does not answer, they are left alone until then.
  paused_until timestamptz(3),
  -- Why it was switched off by itself.
  disabled_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Gone for everybody; its deliveries are removed in batches by a job.
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  check ((former_secret is null) = (former_until is null))
);

create index webhooks_by_age on webhooks (organization_id, created_at, id);

create table webhook_deliveries (
  organization_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  -- In the order of the events.
  seq int8 generated always as identity,
  event_id uuid not null,
  type text not null,
  -- What the event is about: one after the other for the same subject.
  subject text collate "C" not null,
  -- The very bytes, so that all attempts send the same.
  body text not null,
  replay_of uuid,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- When to send it; while somebody does, when to try again should they never come back. Null: it waits for the one
  -- before with the same subject, or it is done.
  due_at timestamptz(3),
  tries int not null default 0,
  -- [{"at", "ms", "status" or "error"}]
  attempts jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (organization_id, webhook_id, id),
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade,
  check (state = 'pending' or due_at is null),
  check ((state = 'pending') = (finished_at is null))
);

-- An event is delivered once, whoever finds it in the record, and however often they do.
create unique index webhook_deliveries_once on webhook_deliveries (organization_id, webhook_id, event_id)
  where replay_of is null;
create index webhook_deliveries_due on webhook_deliveries (organization_id, webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_waiting on webhook_deliveries (organization_id, webhook_id, subject, seq)
  where state = 'pending';
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

-- How far the record of changes was read: everything before it has become deliveries.
create table webhook_cursor (
  one boolean primary key default true check (one),
  tx int8 not null,
  id uuid not null
);

insert into webhook_cursor (tx, id)
select pg_snapshot_xmin(pg_current_snapshot())::text::int8, '00000000-0000-0000-0000-000000000000';
