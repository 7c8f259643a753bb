-- Logos and icons that were uploaded for a site. Their addresses are open to everybody, as the site itself may show them to
-- whoever is about to sign in.
create table site_pictures (
  organization_id uuid not null,
  site_id uuid not null,
  id uuid not null unique,
  name text not null check (length(name) <= 256),
  blob text collate "C" not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, blob) references blobs (organization_id, hash)
);

create index site_pictures_by_age on site_pictures (organization_id, site_id, created_at, id);
create index site_pictures_by_blob on site_pictures (organization_id, blob);
create index site_pictures_by_creator on site_pictures (created_by);
