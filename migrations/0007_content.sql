-- Everything versioned is an entry of a space: a page (kind 1), a file (2), a reusable content (3), a variable (4).
-- A space has a main line, and each change request is a line off it. A line counts its revisions.

create table lines (
  organization_id uuid not null,
  id uuid not null,
  space_id uuid not null,
  -- The main line that a branch stands on, and the revision of it; null on a main line.
  main_id uuid,
  base_seq int,
  head_seq int not null,
  head_id uuid not null,
  primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id),
  foreign key (organization_id, main_id) references lines (organization_id, id),
  check ((main_id is null) = (base_seq is null))
) with (fillfactor = 50);

create index lines_of_space on lines (organization_id, space_id);
create unique index main_line on lines (organization_id, space_id) where main_id is null;

create table revisions (
  organization_id uuid not null,
  line_id uuid not null,
  seq int not null,
  id uuid not null,
  base_seq int,
  parents uuid[] not null,
  type text not null check (type in ('edits', 'merge', 'rollback', 'update', 'computed')),
  author_id uuid,
  -- The change request whose merge made it.
  merged_from uuid,
  git jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, line_id, seq),
  unique (organization_id, id),
  foreign key (organization_id, line_id) references lines (organization_id, id)
);

create index revisions_lately on revisions using brin (created_at) with (autosummarize = on, pages_per_range = 16);

-- Bodies by hash (SHA-256, base64url), once an organization.
create table documents (
  organization_id uuid not null,
  hash text collate "C" not null,
  markdown text not null,
  primary key (organization_id, hash)
);

-- Bytes of files by hash, once an organization; where they are kept is the store's business.
create table blobs (
  organization_id uuid not null,
  hash text collate "C" not null,
  size int8 not null,
  content_type text not null,
  width int,
  height int,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, hash)
);

create index blobs_by_age on blobs (created_at);

-- Addresses that were given out for sending bytes to. What arrived is a blob, until something uses it or a day is over.
create table uploads (
  organization_id uuid not null references organizations (id) on delete cascade,
  key uuid not null unique,
  name text not null,
  content_type text not null,
  size int8 not null,
  kind text not null check (kind in ('customization_font', 'import_file', 'organization_file')),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  blob text collate "C",
  -- A key is good for one thing.
  used_at timestamptz(3),
  primary key (organization_id, key),
  foreign key (organization_id, blob) references blobs (organization_id, hash)
);

create index uploads_by_age on uploads (created_at);
create index uploads_blob on uploads (organization_id, blob) where blob is not null;

-- This entry looks like this on this line from this revision on. Rows are added and never changed.
-- state: 0 here, 1 deleted, 2 "as on main" (branches only). The top level has the nil uuid for a parent.
create table entries (
  organization_id uuid not null,
  line_id uuid not null,
  entry uuid not null,
  from_seq int not null,
  kind int2 not null,
  state int2 not null,
  parent uuid,
  slug text collate "C",
  position text collate "C",
  doc text collate "C",
  refs jsonb,
  data jsonb,
  blob text collate "C" generated always as (data ->> 'blob') stored,
  primary key (organization_id, line_id, entry, from_seq),
  foreign key (organization_id, doc) references documents (organization_id, hash),
  foreign key (organization_id, blob) references blobs (organization_id, hash),
  check ((state = 0) = (parent is not null))
);

create index entries_child on entries (organization_id, line_id, parent, kind, slug, from_seq) where state = 0;
create index entries_changed on entries (organization_id, line_id, from_seq);
create index entries_doc on entries (organization_id, doc) where doc is not null;
create index entries_blob on entries (organization_id, blob) where blob is not null;

-- The newest row of every entry of a line, deleted ones included. Carries what must be unique.
create table heads (
  organization_id uuid not null,
  line_id uuid not null,
  entry uuid not null,
  from_seq int not null,
  kind int2 not null,
  state int2 not null,
  parent uuid,
  slug text collate "C",
  position text collate "C",
  doc text collate "C",
  refs jsonb,
  data jsonb,
  primary key (organization_id, line_id, entry),
  -- Checked at the end of a statement, so that two siblings can swap their slugs in one.
  constraint sibling unique (organization_id, line_id, parent, kind, slug) deferrable initially immediate
) with (fillfactor = 70);

-- Left by an update or a revert; open while to_seq is null.
create table conflicts (
  organization_id uuid not null,
  line_id uuid not null,
  id uuid not null,
  entry uuid not null,
  kind text not null,
  field text not null,
  base jsonb,
  ours jsonb,
  theirs jsonb,
  from_seq int not null,
  to_seq int,
  primary key (organization_id, line_id, id),
  foreign key (organization_id, line_id) references lines (organization_id, id)
);

create index conflicts_open on conflicts (organization_id, line_id, id) where to_seq is null;

create table space_counters (
  organization_id uuid not null,
  space_id uuid not null,
  -- Of the newest change request: numbers have no gap, so this is their count, too.
  last_number int not null default 0,
  primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);

-- Sixteen rows a space, one chosen by connection and all summed when read: exact, and writers do not queue up.
create table counter_slots (
  organization_id uuid not null,
  space_id uuid not null,
  slot int2 not null,
  comments int not null default 0,
  requests_open int not null default 0,
  requests_draft int not null default 0,
  primary key (organization_id, space_id, slot),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
) with (fillfactor = 50);
