-- A share link may end by itself. Null: it does not.
alter table share_links add expires_at timestamptz(3);
