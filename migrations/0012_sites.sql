-- A site shows spaces to readers: at its root, or in sections, which may stand in groups.

create table sites (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  type text not null default 'basic',
  title text not null check (length(title) between 2 and 128),
  visibility text not null default 'public' check (visibility in ('public', 'unlisted', 'share-link', 'visitor-auth')),
  published boolean not null default false,
  published_at timestamptz(3),
  -- The last part of its address below the organization's.
  basename text collate "C" not null check (length(basename) between 1 and 100),
  -- A host of its own, and the address of a proxy that shows it elsewhere.
  hostname text collate "C" unique,
  proxy text check (length(proxy) <= 512),
  icon jsonb,
  agents_context text not null default 'included' check (agents_context in ('excluded', 'included')),
  adaptive_enabled boolean not null default false,
  adaptive_schema jsonb,
  adaptive_updated_at timestamptz(3),
  -- How visitors sign in. The key is sealed with the secret of the instance.
  auth_backend text not null default 'custom' check (auth_backend in ('custom', 'integration')),
  auth_key bytea not null,
  auth_fallback_url text check (length(auth_fallback_url) <= 2048),
  auth_logout_url text check (length(auth_logout_url) <= 2048),
  -- Only what differs from the default look.
  customization jsonb not null default '{}',
  customization_updated_at timestamptz(3),
  -- Counts every change of what readers see of the site itself: snapshots are kept by it.
  version int8 not null default 1,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, basename)
);

create index sites_by_age on sites (organization_id, created_at, id);

alter table organizations add default_site_id uuid;
alter table organizations add foreign key (id, default_site_id) references sites (organization_id, id)
  on delete set null (default_site_id);

create table site_section_groups (
  organization_id uuid not null,
  site_id uuid not null,
  id uuid not null,
  title text not null check (length(title) between 1 and 100),
  icon text check (length(icon) <= 50),
  -- Groups and the sections outside of them stand in one order.
  position text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);

create table site_sections (
  organization_id uuid not null,
  site_id uuid not null,
  id uuid not null,
  group_id uuid,
  title text not null check (length(title) between 2 and 128),
  description text check (length(description) <= 256),
  icon text check (length(icon) <= 50),
  path text collate "C" not null check (length(path) between 1 and 100),
  condition text check (length(condition) between 1 and 1024),
  position text collate "C" not null,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, id),
  unique (organization_id, site_id, path),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, site_id, group_id) references site_section_groups (organization_id, site_id, id)
    on delete set null (group_id)
);

create unique index default_section on site_sections (organization_id, site_id) where is_default;

create table site_spaces (
  organization_id uuid not null,
  site_id uuid not null,
  id uuid not null,
  -- Null: at the root of the site.
  section_id uuid,
  space_id uuid not null,
  -- Null: that of the space.
  title text check (length(title) between 1 and 128),
  path text collate "C" not null check (length(path) between 1 and 100),
  condition text check (length(condition) between 1 and 1024),
  position text collate "C" not null,
  is_default boolean not null default false,
  -- What differs from the look of the site.
  customization jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, site_id, section_id) references site_sections (organization_id, site_id, id) on delete cascade,
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);

create unique index default_site_space on site_spaces
  (organization_id, site_id, coalesce(section_id, '00000000-0000-0000-0000-000000000000')) where is_default;
create unique index site_space_path on site_spaces
  (organization_id, site_id, coalesce(section_id, '00000000-0000-0000-0000-000000000000'), path);
create index site_spaces_of_space on site_spaces (organization_id, space_id);

create table share_links (
  organization_id uuid not null,
  site_id uuid not null,
  id uuid not null,
  name text not null check (length(name) <= 50),
  active boolean not null default true,
  -- Found by its hash, shown again from what is sealed.
  key_hash text collate "C" not null unique,
  key_sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);

create index share_links_by_age on share_links (organization_id, site_id, created_at, id);

create table site_redirects (
  organization_id uuid not null,
  site_id uuid not null,
  id uuid not null,
  source text not null check (length(source) between 1 and 512),
  -- What it is matched by: lower case, decoded, without a slash at its end; a trailing * of a wildcard stays.
  match text collate "C" not null,
  destination jsonb not null,
  capture_wildcard boolean not null default false,
  permanent boolean not null default false,
  draft boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, id),
  unique (organization_id, site_id, draft, match),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);

create index site_redirects_by_age on site_redirects (organization_id, site_id, draft, created_at, id);
create index site_redirects_by_update on site_redirects (organization_id, site_id, draft, updated_at, id);
create index site_redirects_by_source on site_redirects (organization_id, site_id, draft, source collate "C", id);

-- Where pages of main lay before they were moved or renamed. One row for a page with all that lies below it.
create table former_paths (
  organization_id uuid not null,
  space_id uuid not null,
  path text collate "C" not null,
  entry uuid not null,
  moved_at timestamptz(3) not null default now(),
  primary key (organization_id, space_id, path),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);

create table site_member_grants (
  organization_id uuid not null,
  site_id uuid not null,
  user_id uuid not null,
  role role,
  granted_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, user_id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);

create index site_member_grants_of_user on site_member_grants (organization_id, user_id, site_id);

create table site_team_grants (
  organization_id uuid not null,
  site_id uuid not null,
  team_id uuid not null,
  role role,
  granted_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, team_id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);

create index site_team_grants_of_team on site_team_grants (organization_id, team_id, site_id);
