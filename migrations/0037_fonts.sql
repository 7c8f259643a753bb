-- Fonts of an organization, for the looks of its sites: a family, and a file for each of its weights. Their addresses are open
-- to everybody, as readers of a site load them before anybody knows who they are.
create table fonts (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  family text not null check (length(family) between 1 and 50),
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);

create index fonts_by_age on fonts (organization_id, created_at, id);
create index fonts_by_creator on fonts (created_by);

create table font_faces (
  organization_id uuid not null,
  font_id uuid not null,
  weight smallint not null check (weight between 1 and 1000),
  name text not null check (length(name) <= 256),
  blob text collate "C" not null,
  primary key (organization_id, font_id, weight),
  foreign key (organization_id, font_id) references fonts (organization_id, id) on delete cascade,
  foreign key (organization_id, blob) references blobs (organization_id, hash)
);

create index font_faces_by_blob on font_faces (organization_id, blob);
