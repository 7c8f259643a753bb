-- Who hears by mail of what is merged in a space, whether or not they took part in it.
create table watched_spaces (
  organization_id uuid not null,
  space_id uuid not null,
  user_id uuid not null,
  since timestamptz(3) not null default now(),
  primary key (organization_id, space_id, user_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);

create index watched_spaces_of_member on watched_spaces (organization_id, user_id);
