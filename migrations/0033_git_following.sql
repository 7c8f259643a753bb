-- Spaces that are kept in step with a repository by themselves: which one, who wants it so, and when it is looked at next.
create table git_following (
  organization_id uuid not null,
  space_id uuid not null,
  -- Another one each time that somebody sets it up: whoever works on what was there before has no say any more.
  id uuid not null,
  url text not null check (length(url) <= 2048),
  ref text not null check (length(ref) <= 255),
  project_directory text not null default '',
  -- User and password, sealed.
  credentials bytea,
  direction text not null check (direction in ('both', 'import', 'export')),
  message text,
  -- What people are told about the repository.
  info jsonb not null default '{}',
  -- Whose rights it has.
  asked_by uuid references users (id) on delete set null,
  asked_at timestamptz(3) not null default now(),
  -- Nothing where it has stopped.
  next_look_at timestamptz(3) default now(),
  -- Until then somebody looks.
  claimed_until timestamptz(3),
  looks int not null default 0,
  looked_at timestamptz(3),
  -- What that look found: the newest commit of the branch, and the revision that the main content was at.
  branch_oid text collate "C",
  main_seq int,
  -- The import or export that it asked for, until that has ended.
  operation_id uuid,
  -- What is wrong, since when, and how often one after the other.
  problem text,
  failing_since timestamptz(3),
  failures int not null default 0,
  -- When whoever set it up was told by mail.
  told_at timestamptz(3),
  primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  check (next_look_at is not null or (credentials is null and problem is not null)),
  check ((problem is null) = (failing_since is null))
);

create index git_following_due on git_following (next_look_at) where next_look_at is not null;
-- Those that are written out as soon as the main content has changed.
create index git_following_written on git_following (organization_id, space_id)
  where direction <> 'import' and problem is null;
create index git_following_by_asker on git_following (asked_by);

-- Whoever set it up is told when it fails for days, unless they do not want to be.
alter table mails drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('sign-in-code', 'invite', 'review-request', 'reply', 'comment',
    'webhook-disabled', 'git-failing', 'said'));

alter table muted_mail drop constraint muted_mail_kind_check,
  add constraint muted_mail_kind_check check (kind in ('review-request', 'reply', 'comment', 'webhook-disabled',
    'git-failing'));
