-- Since when a webhook listens: when it was last switched on. Null: since it was made.
alter table webhooks add column listens_since timestamptz(3);

-- One change request of a space was looked for among all of them, and one site among all of its organization: where there
-- are many organizations, an average one has one of each, and to go through them looks as good as to look one up by its key.
-- So the planner is told that there are many, as it was of members, spaces and collections.
alter table change_requests alter column organization_id set (n_distinct = 10);
alter table change_requests alter column space_id set (n_distinct = 100);
alter table sites alter column organization_id set (n_distinct = 10);

-- What is empty is left alone until it has rows: else it is taken for tiny when it has.
do $$
begin
  if exists (select from change_requests) then analyze change_requests; end if;
  if exists (select from sites) then analyze sites; end if;
end $$;
