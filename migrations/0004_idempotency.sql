-- The answer to a POST that carried an Idempotency-Key, committed with its effect and kept for a day.
create table idempotency (
  user_id uuid not null,
  -- SHA-256 over method, full path and key.
  key_hash bytea not null check (length(key_hash) = 32),
  request_hash bytea not null check (length(request_hash) = 32),
  status int not null,
  body bytea,
  -- Bodies may hold a secret that is shown once: they are kept sealed.
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key_hash)
);

create index idempotency_by_age on idempotency (created_at);
