-- Every change of state, written in the transaction that made it: the audit log, and the events to deliver.
-- Append-only. `tx` orders readers: a row is safe to deliver once every older transaction has ended.
create table changes (
  -- The nil uuid for what belongs to no organization: accounts, tokens.
  organization_id uuid not null,
  -- Time-ordered, so that one index serves the list of an organization, its filter by time and a single entry.
  id uuid not null,
  at timestamptz(3) not null default now(),
  tx int8 not null default pg_current_xact_id()::text::int8,
  action text not null,
  actor_id uuid,
  token_id uuid,
  target_type text not null,
  target_id text not null,
  -- Names of the fields that changed; never their content.
  fields text[],
  request_id text,
  address text,
  primary key (organization_id, id)
);

-- Rows come in almost this order, so a block range index finds the newest ones and costs a write next to nothing.
create index changes_in_order on changes using brin (tx) with (autosummarize = on, pages_per_range = 16);

create function refuse_rewriting_history() returns trigger language plpgsql as $$
begin
  raise exception 'The record of changes is append-only';
end $$;

create trigger changes_append_only before update or delete or truncate on changes
  for each statement execute function refuse_rewriting_history();
