-- What makes this database one installation: nodes with another secret or another file store must not join it.
create table instance (
  singleton boolean primary key default true check (singleton),
  id uuid not null,
  secret_fingerprint text not null,
  store_id uuid not null,
  first_admin uuid,
  created_at timestamptz(3) not null default now()
);

create extension if not exists pg_trgm;
