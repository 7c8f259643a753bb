-- What an identity provider calls those whom it told us about, so that it finds them again. Whoever leaves is forgotten.
create table scim_users (
  organization_id uuid not null,
  user_id uuid not null,
  user_name text not null check (length(user_name) between 1 and 256),
  external_id text collate "C" check (length(external_id) between 1 and 256),
  -- Told apart by providers alone: here somebody has one name.
  given_name text check (length(given_name) between 1 and 64),
  family_name text check (length(family_name) between 1 and 64),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);

create unique index scim_users_by_name on scim_users (organization_id, lower(user_name));
create index scim_users_by_external_id on scim_users (organization_id, external_id) where external_id is not null;

create table scim_groups (
  organization_id uuid not null,
  team_id uuid not null,
  external_id text collate "C" not null check (length(external_id) between 1 and 256),
  primary key (organization_id, team_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);

create index scim_groups_by_external_id on scim_groups (organization_id, external_id);
