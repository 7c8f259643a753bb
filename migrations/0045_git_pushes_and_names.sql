-- Files of the repository that are too large, or too many, to be kept: what they are called is known all the same, so that
-- no page takes the name of one.
alter table git_syncs add column unkept text[] not null default '{}';

-- A commit that is on its way to the repository: its id, the revision (line, seq) that it holds, and the folder that it holds it
-- in. Nothing once it is known to be there, or once something else was read or written.
alter table git_syncs add column pushed jsonb;

-- Whose edits are to be noticed: those that were seen, also where it failed to write them out.
drop index git_following_written;
create index git_following_written on git_following (organization_id, space_id)
  where direction <> 'import' and main_seq is not null;
