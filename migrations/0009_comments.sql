-- What people say about a space, or in a change request of it; what answers a comment is a comment with a parent.
create table comments (
  organization_id uuid not null,
  id uuid not null,
  space_id uuid not null,
  change_request_id uuid,
  -- Where it is listed and counted: the change request, or the space itself.
  place_id uuid not null generated always as (coalesce(change_request_id, space_id)) stored,
  parent_id uuid,
  author_id uuid not null references users (id),
  markdown text not null,
  posted_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  resolved_at timestamptz(3),
  resolved_by uuid references users (id),
  is_open boolean not null generated always as (resolved_at is null) stored,
  -- What it is about, as it was when it was posted: the revision, the review, the page, the block (its key, a few of its
  -- words, and the hash of the body it stood in: while the page has that body, the block is there).
  revision_id uuid not null,
  review_id uuid,
  page_id uuid,
  page jsonb,
  node text collate "C",
  node_preview text,
  node_doc text collate "C",
  replies int not null default 0,
  primary key (organization_id, id),
  foreign key (organization_id, space_id) references spaces (organization_id, id),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id),
  foreign key (organization_id, review_id) references reviews (organization_id, id),
  foreign key (organization_id, parent_id) references comments (organization_id, id) on delete cascade,
  check ((resolved_at is null) = (resolved_by is null)),
  check ((page_id is null) = (page is null)),
  check (node is null or page_id is not null),
  check (parent_id is null or resolved_at is null and page_id is null and review_id is null and replies = 0)
) with (fillfactor = 80);

-- One index for each thing that a list can be narrowed to, with the state in it: a page of any of them, the first or the
-- last, is a walk along one of these, or along two or a few of them side by side.
create index comments_by_age on comments (organization_id, place_id, is_open, posted_at, id) where parent_id is null;
create index comments_by_author on comments (organization_id, place_id, author_id, is_open, posted_at, id)
  where parent_id is null;
create index comments_by_page on comments (organization_id, place_id, page_id, is_open, posted_at, id)
  where parent_id is null and page_id is not null;
create index comments_by_page_and_author on comments (organization_id, place_id, page_id, author_id, is_open, posted_at, id)
  where parent_id is null and page_id is not null;
create index comments_replies on comments (organization_id, parent_id, posted_at, id) where parent_id is not null;
create unique index comments_of_review on comments (organization_id, review_id) where review_id is not null;
create index comments_of_space on comments (organization_id, space_id);
create index comments_of_request on comments (organization_id, change_request_id) where change_request_id is not null;

-- A person once for each emoji. It is sent back as it was given; its name is the same in every way to give it.
create table comment_reactions (
  organization_id uuid not null,
  space_id uuid not null,
  comment_id uuid not null,
  name text collate "C" not null,
  user_id uuid not null references users (id) on delete cascade,
  emoji text not null,
  reacted_at timestamptz(3) not null default now(),
  primary key (organization_id, comment_id, name, user_id),
  foreign key (organization_id, comment_id) references comments (organization_id, id) on delete cascade
);

create index comment_reactions_of_space on comment_reactions (organization_id, space_id);

-- Who commented on a space itself, and how often. Who commented in a change request stands among its contributors.
create table commenters (
  organization_id uuid not null,
  space_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  count int not null,
  primary key (organization_id, space_id, user_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);

-- How many comments there are, in the way of all counters of a space.
alter table counter_slots add comments_resolved int not null default 0;

create table request_counter_slots (
  organization_id uuid not null,
  change_request_id uuid not null,
  slot int2 not null,
  comments int not null default 0,
  comments_resolved int not null default 0,
  primary key (organization_id, change_request_id, slot),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on delete cascade
) with (fillfactor = 50);

-- What reviewers wrote becomes comments like all others. The column it stood in stays empty from now on.
insert into comments (organization_id, id, space_id, change_request_id, author_id, markdown, posted_at, revision_id, review_id)
select v.organization_id, v.id, r.space_id, r.id, v.reviewer_id, v.comment, v.created_at, v.revision_id, v.id
from reviews v join change_requests r on r.organization_id = v.organization_id and r.id = v.change_request_id
where v.comment is not null;

insert into request_counter_slots (organization_id, change_request_id, slot, comments)
select organization_id, change_request_id, 0, count(*) from comments group by 1, 2;

insert into contributors (organization_id, change_request_id, user_id, action, count, updated_at)
select organization_id, change_request_id, author_id, 'comment', count(*), max(posted_at) from comments group by 1, 2, 3;

update reviews set comment = null where comment is not null;
