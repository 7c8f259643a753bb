-- Plain links among the sections of a site, which lead out of it.
create table site_external_links (
  organization_id uuid not null,
  site_id uuid not null,
  id uuid not null,
  group_id uuid,
  title text not null check (length(title) between 2 and 128),
  -- Whoever wrote it, an archive too: nothing that a browser would run.
  url text not null check (length(url) <= 2048 and url ~ '^https?://'),
  description text check (length(description) <= 256),
  icon text check (length(icon) <= 50),
  condition text check (length(condition) between 1 and 1024),
  -- Readers do not see it yet.
  draft boolean not null default false,
  -- In one order with the sections and groups beside it.
  position text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, site_id, group_id) references site_section_groups (organization_id, site_id, id)
    on delete set null (group_id)
);

-- A version that is being written: readers of the site do not see it yet.
alter table site_spaces add draft boolean not null default false;
