-- What is asked for with a token or a browser is done with its rights, and no longer once these are gone. Neither: it keeps a space
-- in sync, with the rights of the person who set that up.
alter table git_operations add column token_id uuid, add column session_id uuid,
  add constraint git_operations_one_way check (num_nonnulls(token_id, session_id) <= 1);
