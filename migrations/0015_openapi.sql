-- Descriptions of APIs that an organization keeps, and how they were each time that they changed.

create table openapi_specs (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  slug text collate "C" not null check (length(slug) between 1 and 100),
  -- Where it is fetched from, or the text that was handed in.
  source_url text check (length(source_url) <= 2048),
  source_blob text collate "C",
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  state text not null default 'pending' check (state in ('pending', 'progress', 'complete')),
  -- Counts how often somebody asked for it to be read: who worked on an older request throws the result away.
  asked int not null default 1,
  -- When it is read next: at once, in some hours, or (a text) never again. While somebody reads it, when to try again
  -- should they never come to an end.
  due_at timestamptz(3) default now(),
  last_version uuid,
  last_processed_at timestamptz(3),
  last_error text check (last_error in ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR')),
  last_error_message text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, slug),
  foreign key (organization_id, source_blob) references blobs (organization_id, hash),
  check ((source_url is null) <> (source_blob is null)),
  check (state <> 'complete' or last_version is not null or last_error is not null),
  check ((last_error is null) = (last_error_message is null))
);

create index openapi_specs_due on openapi_specs (due_at);
create index openapi_specs_by_age on openapi_specs (organization_id, created_at, id);
create index openapi_specs_by_source on openapi_specs (organization_id, source_blob);

create table openapi_spec_versions (
  organization_id uuid not null,
  spec_id uuid not null,
  id uuid not null unique,
  -- All of it in one document, in the form of today; the other documents it was made of, if any, and their names; and
  -- the text as it came.
  document_blob text collate "C" not null,
  externals_blob text collate "C",
  externals text[] not null,
  source_blob text collate "C" not null,
  format text not null check (format in ('json', 'yaml')),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, spec_id, id),
  foreign key (organization_id, spec_id) references openapi_specs (organization_id, id) on delete cascade,
  foreign key (organization_id, document_blob) references blobs (organization_id, hash),
  foreign key (organization_id, externals_blob) references blobs (organization_id, hash),
  foreign key (organization_id, source_blob) references blobs (organization_id, hash)
);

create index openapi_versions_by_age on openapi_spec_versions (organization_id, spec_id, created_at, id);
create index openapi_versions_by_document on openapi_spec_versions (organization_id, document_blob);
create index openapi_versions_by_externals on openapi_spec_versions (organization_id, externals_blob);
create index openapi_versions_by_source on openapi_spec_versions (organization_id, source_blob);

alter table openapi_specs add foreign key (organization_id, id, last_version)
  references openapi_spec_versions (organization_id, spec_id, id);

-- Pages that are made from something else: few, and asked for often.
create index entries_computed on entries (organization_id, line_id) where kind = 1 and data ->> 'type' = 'computed';
