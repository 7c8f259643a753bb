-- What the pages and reusable contents of main lines point at now, one row a link. Whoever writes one holds its line.
create table links (
  organization_id uuid not null,
  line_id uuid not null,
  source uuid not null,
  ord int not null,
  -- The address, as the text has it.
  raw text not null,
  -- 0 reference, 1 depends on.
  relation int2 not null,
  -- Set where it leads to another space.
  target_space uuid,
  -- The page, file or reusable content it leads to; where that is gone, the one that it names.
  target uuid,
  -- The path it asks for, where it names none that is there.
  wanted text collate "C",
  anchor text,
  -- 0 ok, 1 broken, 2 somewhere in the app.
  status int2 not null,
  primary key (organization_id, line_id, source, ord)
);

create index links_by_status on links (organization_id, line_id, status, source, ord) where status <> 0;
create index links_target on links (organization_id, line_id, target, source) where target is not null and target_space is null;
create index links_anchor on links (organization_id, line_id, target) where anchor is not null and target_space is null;
create index links_wanted on links (organization_id, line_id, wanted) where wanted is not null and target_space is null;
create index links_out on links (organization_id, line_id, target_space, source, ord) where target_space is not null;
create index links_in on links (organization_id, target_space, target, line_id, source) where target_space is not null;

alter table space_counters
  add links int not null default 0,
  add broken int not null default 0,
  add in_app int not null default 0;

-- Spaces that others link to, and up to which revision of theirs those links were looked at; below 1, all are
-- to be looked at.
create table linked_spaces (
  organization_id uuid not null references organizations (id) on delete cascade,
  target_space uuid not null,
  seen_seq int not null,
  primary key (organization_id, target_space)
);

-- Spaces whose links are not all known yet: those of entries up to this one are.
create table link_backlog (
  organization_id uuid not null,
  space_id uuid not null,
  up_to uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);

insert into link_backlog (organization_id, space_id) select organization_id, id from spaces;
