-- A share link may ask for a password. Then its key leads to the question only; what opens the site is another secret, which
-- a browser gets for the password. With another password comes another secret, so nobody stays in who came by the old one.
alter table share_links
  add password_hash text,
  add opened_hash text collate "C" unique,
  add opened_sealed bytea,
  add check (num_nulls(password_hash, opened_hash, opened_sealed) in (0, 3));

-- Wrong passwords are counted like other ways to get in.
alter table sign_in_counts
  drop constraint sign_in_counts_what_check,
  add constraint sign_in_counts_what_check
    check (what in ('asked-by', 'asked-for', 'asked-for-by', 'failed-by', 'wrong-password-by'));
