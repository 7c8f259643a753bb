-- Whoever is signed in with a browser imports as well: then rights are those of that session, when it is written.
alter table import_runs add column session_id uuid;
alter table import_runs alter column token_id drop not null;
alter table import_runs add constraint import_runs_by_somebody check (num_nonnulls(token_id, session_id) = 1);
