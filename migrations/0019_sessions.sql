-- Somebody who signed in with a browser. One that was ended is gone; the record of changes tells that it was there.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Where it gives rights. Null: wherever its person has any. Whoever comes by single sign-on is known to one alone.
  organization_id uuid references organizations (id) on delete cascade,
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  method text not null check (method in ('code', 'invite', 'saml')),
  address text not null check (length(address) <= 64),
  user_agent text not null check (length(user_agent) <= 300),
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

create index sessions_of_user on sessions (user_id, created_at desc, id desc);
create index sessions_expiring on sessions (expires_at);
create index sessions_of_organization on sessions (organization_id) where organization_id is not null;

-- One-time codes: for an address that was typed in, whether or not anybody has it, so that both cost the same.
create table sign_in_codes (
  address_hash bytea not null check (length(address_hash) = 32),
  -- Mailed to the address, or handed out by the operator: the one does not void the other.
  kind text not null check (kind in ('mailed', 'handed')),
  -- Null: nobody has the address, and no code is right.
  user_id uuid references users (id) on delete cascade,
  code_hash text not null,
  -- The browser that asked: what others ask for does not void what it has. Empty: any browser.
  browser_hash bytea not null check (length(browser_hash) = case kind when 'mailed' then 32 else 0 end),
  wrong_tries int not null default 0,
  expires_at timestamptz(3) not null,
  primary key (address_hash, kind, browser_hash)
);

create index sign_in_codes_expiring on sign_in_codes (expires_at);
create index sign_in_codes_of_user on sign_in_codes (user_id) where user_id is not null;

-- How often something was done in the current hour, by one network, for one address, or by the one for the other, over
-- all nodes.
create table sign_in_counts (
  what text not null check (what in ('asked-by', 'asked-for', 'asked-for-by', 'failed-by')),
  key_hash bytea not null check (length(key_hash) = 32),
  since timestamptz(3) not null,
  times int not null,
  primary key (what, key_hash)
);

create index sign_in_counts_by_age on sign_in_counts (since);

-- Mail to be sent, written with the change that it tells of. What was sent is gone.
create table mails (
  id uuid primary key,
  organization_id uuid references organizations (id) on delete cascade,
  kind text not null check (kind in ('sign-in-code', 'invite', 'review-request', 'reply', 'comment', 'said')),
  -- To whom: somebody with an account, or an address. Neither: what was said, for whoever is to hear of it.
  user_id uuid references users (id) on delete cascade,
  address text check (length(address) between 3 and 320),
  -- Ids of what it tells of. The words are looked up when it is sent, and with them, whether its reader may see them.
  about jsonb not null default '{}',
  -- What is kept nowhere else: a one-time code, sealed with the secret of the instance.
  sealed bytea,
  -- When to send it; while somebody does, when to try again should they never come back.
  due_at timestamptz(3) not null default now(),
  tries int not null default 0,
  created_at timestamptz(3) not null default now()
);

create index mails_due on mails (due_at);
create index mails_to_user on mails (user_id) where user_id is not null;
create index mails_of_organization on mails (organization_id) where organization_id is not null;

-- How many invites an organization had mailed in the current day.
create table invite_mail_counts (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- To whom; empty: in all.
  address_hash bytea not null check (length(address_hash) in (0, 32)),
  since timestamptz(3) not null,
  times int not null,
  primary key (organization_id, address_hash)
);

create index invite_mail_counts_by_age on invite_mail_counts (since);

-- What somebody does not want to be told by mail.
create table muted_mail (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('review-request', 'reply', 'comment')),
  muted_at timestamptz(3) not null default now(),
  primary key (user_id, kind)
);
