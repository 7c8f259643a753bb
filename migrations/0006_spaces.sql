create table collections (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  parent_id uuid,
  title text not null check (length(title) between 1 and 50),
  description text check (length(description) <= 100),
  -- No level of its own: the nearest one around it holds. With one, null means: nobody but those who were granted.
  inherits boolean not null default true,
  level role check (not inherits or level is null),
  -- Collections and spaces stand in one order below the same parent.
  position text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, parent_id) references collections (organization_id, id)
);

create index collections_below on collections (organization_id, parent_id, position, id);
create index collections_by_age on collections (organization_id, created_at, id);

create table spaces (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  collection_id uuid,
  title text not null check (length(title) between 1 and 50),
  emoji text check (length(emoji) between 1 and 50),
  icon text check (length(icon) <= 2048),
  edit_mode text not null default 'locked' check (edit_mode in ('live', 'locked')),
  language text,
  inherits boolean not null default true,
  level role check (not inherits or level is null),
  position text collate "C" not null,
  -- {"type": "inherit" | "none"} or {"type": "rules", "rules": […]}
  merge_rules jsonb not null default '{"type": "inherit"}',
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- In the trash since then; after seven days a job removes it.
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, collection_id) references collections (organization_id, id)
);

create index spaces_in_collection on spaces (organization_id, collection_id, position, id);
create index spaces_by_age on spaces (organization_id, created_at, id);
create index spaces_in_trash on spaces (deleted_at) where deleted_at is not null;

alter table organizations add merge_rules jsonb not null default '{"type": "none"}';

-- Who was given what on a space or a collection. A role of null is an explicit "no access".
create table member_grants (
  organization_id uuid not null,
  space_id uuid,
  collection_id uuid,
  thing_id uuid not null generated always as (coalesce(space_id, collection_id)) stored,
  user_id uuid not null,
  role role,
  granted_at timestamptz(3) not null default now(),
  primary key (organization_id, thing_id, user_id),
  check (num_nonnulls(space_id, collection_id) = 1),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  foreign key (organization_id, collection_id) references collections (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);

create index member_grants_of_user on member_grants (organization_id, user_id, thing_id);
create index member_grants_by_age on member_grants (organization_id, thing_id, granted_at, user_id);

create table team_grants (
  organization_id uuid not null,
  space_id uuid,
  collection_id uuid,
  thing_id uuid not null generated always as (coalesce(space_id, collection_id)) stored,
  team_id uuid not null,
  role role,
  granted_at timestamptz(3) not null default now(),
  primary key (organization_id, thing_id, team_id),
  check (num_nonnulls(space_id, collection_id) = 1),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  foreign key (organization_id, collection_id) references collections (organization_id, id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);

create index team_grants_of_team on team_grants (organization_id, team_id, thing_id);
create index team_grants_by_age on team_grants (organization_id, thing_id, granted_at, team_id);
