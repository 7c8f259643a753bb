create table users (
  id uuid primary key,
  email text not null check (length(email) between 3 and 320),
  -- Somebody proved to read mail at this address, or an operator vouched for it on the command line.
  email_verified boolean not null default false,
  display_name text not null check (length(display_name) between 1 and 64),
  photo_url text check (length(photo_url) <= 2048),
  -- May create organizations. Gives nothing inside any.
  instance_admin boolean not null default false,
  disabled boolean not null default false,
  created_at timestamptz(3) not null default now()
);

create unique index users_email on users (lower(email));
create index users_search on users using gin (lower(display_name || ' ' || email) gin_trgm_ops);

alter table instance add foreign key (first_admin) references users (id);

create table tokens (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  hash bytea not null unique check (length(hash) = 32),
  label text not null check (length(label) between 1 and 50),
  -- null: as much as its owner may do.
  scopes text[],
  -- Set by LECTERN_ADMIN_TOKEN: another value replaces it, and a revoked one is remembered for ever.
  from_environment boolean not null default false,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);

create index tokens_of_user on tokens (user_id, created_at desc, id desc);
create index tokens_expiring on tokens (expires_at) where expires_at is not null;
create unique index tokens_from_environment on tokens (from_environment) where from_environment and revoked_at is null;
