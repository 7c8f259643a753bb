-- Archives that are being sent, or were: how far each is. Nothing depends on these rows.

create table export_runs (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  -- Of one space; of the whole organization, where there is none.
  space_id uuid,
  created_by uuid references users (id) on delete set null,
  status text not null default 'in-progress' check (status in ('in-progress', 'completed', 'failed')),
  files int not null default 0,
  total_files int not null,
  bytes bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  -- While it is sent, written every few seconds: one that was not written for long has lost its process.
  updated_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  check ((status = 'in-progress') = (completed_at is null))
);

create index export_runs_by_age on export_runs (organization_id, created_at, id);
create index export_runs_by_space on export_runs (organization_id, space_id) where space_id is not null;
create index export_runs_old on export_runs (created_at);
