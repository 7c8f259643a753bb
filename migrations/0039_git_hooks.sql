-- A space that is kept in step can have an address which the host of its repository calls when somebody pushes. All of it
-- goes with the row: nobody is to call for a space that follows nothing.
alter table git_following
  -- Stands in the address.
  add column hook_id uuid unique,
  -- Sealed, not hashed: calls are signed with it.
  add column hook_secret bytea,
  add column hook_set_at timestamptz(3),
  -- The last call that was signed as it should be, and what was done about it.
  add column hook_called_at timestamptz(3),
  add column hook_result text check (hook_result in ('look', 'other-branch', 'no-push', 'stopped')),
  -- The last one that was not.
  add column hook_refused_at timestamptz(3),
  -- The number of the look that somebody called for. Looks are counted: one that had begun before the call is not enough.
  add column wanted_look int not null default 0,
  add constraint git_following_hook check (
    (hook_id is null) = (hook_secret is null) and (hook_id is null) = (hook_set_at is null)
    and (hook_called_at is null) = (hook_result is null)
    and (hook_id is not null or (hook_called_at is null and hook_refused_at is null)));
