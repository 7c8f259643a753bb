-- When a token was last used, to the minute. Apart from the tokens: it is written again and again, and no right hangs on it.
create table token_uses (
  token_id uuid primary key references tokens (id) on delete cascade,
  used_at timestamptz(3) not null
);
