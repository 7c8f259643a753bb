create domain role as text check (value in ('read', 'comment', 'edit', 'review', 'create', 'admin'));

create table organizations (
  id uuid primary key,
  title text not null check (length(title) between 2 and 255),
  hostname text collate "C" not null unique check (hostname ~ '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$'),
  use_case text,
  community_type text,
  default_role role,
  logo text check (length(logo) <= 2048),
  sso boolean not null default false,
  ai boolean not null default false,
  invite_links boolean not null default true,
  created_at timestamptz(3) not null default now()
);

-- An e-mail domain belongs to one organization of an instance.
create table email_domains (
  domain text collate "C" primary key check (domain = lower(domain) and length(domain) between 3 and 253),
  organization_id uuid not null references organizations (id) on delete cascade
);

create index email_domains_of_organization on email_domains (organization_id);

create table members (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- null: a guest, who sees only what was granted directly.
  role role,
  disabled boolean not null default false,
  sso boolean not null default false,
  joined_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3),
  primary key (organization_id, user_id)
);

create index members_by_joined on members (organization_id, joined_at, user_id);
create index members_by_seen on members (organization_id, last_seen_at, user_id) where last_seen_at is not null;
create index members_by_role on members (organization_id, role, joined_at, user_id);
create index members_of_user on members (user_id, organization_id);

create table teams (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  title text not null check (length(title) between 1 and 64),
  created_at timestamptz(3) not null default now(),
  unique (organization_id, id)
);

create index teams_by_age on teams (organization_id, created_at, id);

create table team_members (
  organization_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('owner', 'member')),
  added_at timestamptz(3) not null default now(),
  primary key (organization_id, team_id, user_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  -- Whoever leaves the organization leaves its teams.
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);

create index team_members_by_age on team_members (organization_id, team_id, added_at, user_id);
create index team_members_of_user on team_members (organization_id, user_id, team_id);

-- An administrator keeps a member's token out of the organization; only its owner or the operator revokes it everywhere.
create table barred_tokens (
  organization_id uuid not null references organizations (id) on delete cascade,
  token_id uuid not null references tokens (id) on delete cascade,
  barred_at timestamptz(3) not null default now(),
  primary key (organization_id, token_id)
);

create index barred_tokens_by_token on barred_tokens (token_id);

create table invites (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  -- An e-mail invite works once, for its own address; a link invite until it is deleted.
  email text check (length(email) between 3 and 320),
  role role,
  sso boolean not null default false,
  -- The secret of its address: found by hash, kept sealed so that those who manage invites can see the link again.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  secret_sealed bytea not null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3)
);

create unique index invites_of_address on invites (organization_id, lower(email)) where email is not null;
create index invites_by_age on invites (organization_id, created_at, id);
create index invites_expiring on invites (expires_at) where expires_at is not null;

-- How often a link was used in the current minute: at most 20 accepts, over all nodes.
create table invite_uses (
  invite_id uuid primary key references invites (id) on delete cascade,
  minute timestamptz not null,
  uses int not null
);
