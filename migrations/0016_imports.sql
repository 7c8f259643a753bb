-- Imports that run in the background: what is to be brought where, how far that is, and what came of it.

create table import_runs (
  organization_id uuid not null,
  id uuid not null unique,
  space_id uuid not null,
  -- Where in the space: a change request instead of the main content, a page that all of it goes below.
  change_request_id uuid,
  page_id uuid,
  -- For whom it is, as far as anybody said so.
  site_id uuid,
  source jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'in-progress', 'completed', 'failed', 'cancelled')),
  reason text,
  created_by uuid references users (id) on delete set null,
  -- Rights are those of this token, when it is written.
  token_id uuid not null,
  -- How often somebody began; whoever finds another number here has lost it to somebody else.
  attempts int not null default 0,
  -- When it is taken up; while somebody works on it, when to begin anew should they never come back.
  due_at timestamptz(3) default now(),
  found int not null default 0,
  done int not null default 0,
  pages jsonb not null default '[]',
  skipped jsonb not null default '[]',
  imported int,
  total int,
  revision uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  check ((status in ('pending', 'in-progress')) = (completed_at is null)),
  check ((completed_at is null) = (due_at is not null)),
  check ((status = 'completed') = (revision is not null)),
  check (status <> 'failed' or reason is not null)
);

create index import_runs_due on import_runs (due_at) where due_at is not null;
create index import_runs_by_age on import_runs (organization_id, created_at, id);
create index import_runs_by_space on import_runs (organization_id, space_id, created_at, id);
create index import_runs_ended on import_runs (completed_at);
