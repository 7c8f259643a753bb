-- What pages elsewhere say of themselves that pages of an organization show. Nothing of it is content: what is not here is
-- read again, so an archive has none of it.
create table embeds (
  organization_id uuid not null references organizations (id) on delete cascade,
  address_hash bytea not null check (length(address_hash) = 32),
  address text not null check (length(address) <= 2048 and address ~ '^https?://'),
  title text check (length(title) <= 200),
  site text check (length(site) <= 100),
  description text check (length(description) <= 400),
  icon text check (length(icon) <= 2048 and icon ~ '^https?://'),
  -- Why it could not be read the last time. What was read before that stays.
  error text check (length(error) <= 50),
  -- When somebody last wanted to show it, to about a day.
  asked_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  changed_at timestamptz(3),
  -- When it is read next; while somebody reads it, when to try again should they never come to an end.
  due_at timestamptz(3) default now(),
  primary key (organization_id, address_hash)
);

create index embeds_due on embeds (due_at) where due_at is not null;
create index embeds_asked on embeds (asked_at);
