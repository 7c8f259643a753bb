-- Spaces that are kept in repositories as well: what is known of the repository, and the work of reading and writing it.

create table git_syncs (
  organization_id uuid not null,
  space_id uuid not null,
  -- The repository that was named last, without user and password; nothing where it was a folder of this machine.
  url text check (length(url) <= 2048),
  ref text check (length(ref) <= 255),
  project_directory text not null default '',
  -- For people: where files and commits can be looked at, and who keeps them.
  tree_url text check (length(tree_url) <= 2048),
  commit_url text check (length(commit_url) <= 2048),
  provider text check (provider in ('github', 'gitlab')),
  -- Two states of the repository, each as a revision that holds just that: the one that is part of the main content, and
  -- the one that was read last. Both are revisions of main, or, where main has edits of its own, of a line beside it that
  -- nobody else writes to.
  merged_line uuid,
  merged_seq int,
  merged_oid text collate "C",
  seen_line uuid,
  seen_seq int,
  seen_oid text collate "C",
  -- The change request that brings what was seen into main, and its revision as it was made.
  change_request_id uuid,
  change_request_head uuid,
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  check ((merged_line is null) = (merged_seq is null)),
  check ((seen_line is null) = (seen_seq is null)),
  check ((change_request_id is null) = (change_request_head is null))
);

-- Files of the repository that are no content (its table of contents, a licence), and the bytes of texts that are not
-- quite text: so that all of it can be written again as it was.
create table git_files (
  organization_id uuid not null,
  space_id uuid not null,
  path text collate "C" not null check (length(path) between 1 and 1000),
  oid text collate "C" not null,
  blob text collate "C" not null,
  executable boolean not null default false,
  of_content boolean not null default false,
  primary key (organization_id, space_id, path),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  foreign key (organization_id, blob) references blobs (organization_id, hash)
);

create index git_files_by_blob on git_files (organization_id, blob);

create table git_operations (
  organization_id uuid not null,
  space_id uuid not null,
  id uuid not null unique,
  direction text not null check (direction in ('import', 'export')),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'success', 'failure', 'timeout')),
  url text not null,
  ref text not null,
  project_directory text not null default '',
  -- User and password, sealed; gone when it has ended.
  credentials bytea,
  force boolean not null default false,
  standalone boolean not null default false,
  message text,
  -- What people are told about the repository, from then on.
  info jsonb not null default '{}',
  asked_by uuid references users (id) on delete set null,
  -- How far it is, and what came of it.
  phase text,
  result jsonb,
  error text,
  attempts int not null default 0,
  -- When it is taken up; while it runs, when to try again should nobody come back from it.
  due_at timestamptz(3) default now(),
  asked_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (organization_id, space_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  check ((ended_at is null) = (due_at is not null)),
  check (ended_at is null or credentials is null),
  check ((state in ('waiting', 'running')) = (ended_at is null))
);

create index git_operations_due on git_operations (due_at) where due_at is not null;
-- One after the other, whoever works on them.
create unique index git_operation_running on git_operations (organization_id, space_id) where state = 'running';
