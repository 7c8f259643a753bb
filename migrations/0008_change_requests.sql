create table change_requests (
  organization_id uuid not null,
  id uuid not null,
  space_id uuid not null,
  number int not null,
  line_id uuid not null,
  status text not null default 'draft' check (status in ('draft', 'open', 'archived', 'merged')),
  subject text not null default '' check (length(subject) <= 100),
  description text,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The main revision it was made from, the one it was last updated to, the one its merge made.
  revision_initial uuid not null,
  revision_ancestor uuid,
  revision_merged uuid,
  merged_by uuid references users (id) on delete set null,
  primary key (organization_id, id),
  unique (organization_id, space_id, number),
  foreign key (organization_id, space_id) references spaces (organization_id, id),
  foreign key (organization_id, line_id) references lines (organization_id, id),
  check ((status = 'merged') = (revision_merged is not null))
);

create index change_requests_by_update on change_requests (organization_id, space_id, status, updated_at desc, id desc);
create index change_requests_by_age on change_requests (organization_id, space_id, status, created_at desc, id desc);
create index change_requests_of_organization on change_requests (organization_id, status, updated_at desc, id desc);
create index change_requests_of_line on change_requests (organization_id, line_id);

-- Who edited, and who commented.
create table contributors (
  organization_id uuid not null,
  change_request_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  action text not null check (action in ('edit', 'comment')),
  count int not null default 1,
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, change_request_id, user_id, action),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on delete cascade
);

create index contributors_by_user on contributors (organization_id, user_id, change_request_id);

create table reviews (
  organization_id uuid not null,
  id uuid not null,
  change_request_id uuid not null,
  revision_id uuid not null,
  reviewer_id uuid not null references users (id) on delete cascade,
  status text not null check (status in ('approved', 'changes-requested')),
  comment text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on delete cascade
);

create index reviews_by_age on reviews (organization_id, change_request_id, created_at, id);

create table requested_reviewers (
  organization_id uuid not null,
  change_request_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  requested_by uuid references users (id) on delete set null,
  revision_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, change_request_id, user_id),
  foreign key (organization_id, change_request_id) references change_requests (organization_id, id) on delete cascade
);

create index requested_reviewers_by_user on requested_reviewers (organization_id, user_id, change_request_id);
create index requested_reviewers_by_age on requested_reviewers (organization_id, change_request_id, created_at, user_id);
