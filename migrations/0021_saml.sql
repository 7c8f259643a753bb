-- Whoever comes through the identity provider of an organization gets an account that belongs to that organization: a
-- member there and nowhere else. Its address is what the provider says, so it proves nothing, and it may be that of
-- somebody's own account, which stays another one.
alter table users add column home_organization_id uuid references organizations (id) on delete cascade;

drop index users_email;
create unique index users_email on users (lower(email)) where home_organization_id is null;
create index users_by_email on users (lower(email));
create index users_at_home on users (home_organization_id) where home_organization_id is not null;

create table saml_providers (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  label text not null check (length(label) between 1 and 30),
  -- Until all three are there, nobody signs in.
  entity_id text check (length(entity_id) between 1 and 1024),
  certificate text check (length(certificate) between 1 and 10000),
  sso_url text check (length(sso_url) between 1 and 2048),
  -- Of the certificate that runs out first.
  certificate_expires_at timestamptz(3),
  default_team_id uuid,
  -- null: whoever comes is a guest.
  default_role role,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, default_team_id) references teams (organization_id, id)
    on delete set null (default_team_id)
);

create index saml_providers_by_age on saml_providers (organization_id, created_at, id);
create index saml_providers_by_team on saml_providers (organization_id, default_team_id)
  where default_team_id is not null;

-- Who somebody is: what a provider calls them, letter by letter.
create table saml_identities (
  organization_id uuid not null,
  provider_id uuid not null,
  name_id text collate "C" not null check (length(name_id) between 1 and 256),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (organization_id, provider_id, name_id),
  foreign key (organization_id, provider_id) references saml_providers (organization_id, id) on delete cascade
);

create index saml_identities_of_user on saml_identities (user_id);

-- A login on its way: begun by a browser, answered by the provider, ended by the same browser.
create table saml_logins (
  organization_id uuid not null,
  provider_id uuid not null,
  id uuid not null,
  request_id text collate "C" not null,
  -- Of the secret in the browser's cookie.
  browser_hash bytea not null check (length(browser_hash) = 32),
  next_path text not null check (length(next_path) between 1 and 2048),
  address text,
  -- Answers that were refused. After a few, no other is looked at.
  tries int not null default 0,
  -- Who it is, once an answer was verified.
  answer jsonb,
  answered_at timestamptz(3),
  -- When that browser came for it. Kept until it expires, so that whoever repeats it can be told apart from a stranger.
  finished_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, provider_id, id),
  foreign key (organization_id, provider_id) references saml_providers (organization_id, id) on delete cascade
);

create index saml_logins_by_age on saml_logins (created_at);
create index saml_logins_by_address on saml_logins (address, created_at);

-- Assertions that were used, until they expire anyway: none is used twice.
create table saml_assertions (
  organization_id uuid not null,
  provider_id uuid not null,
  id_hash bytea not null check (length(id_hash) = 32),
  expires_at timestamptz(3) not null,
  primary key (organization_id, provider_id, id_hash),
  foreign key (organization_id, provider_id) references saml_providers (organization_id, id) on delete cascade
);

create index saml_assertions_expiring on saml_assertions (expires_at);
