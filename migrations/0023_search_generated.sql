-- What of the pages that are made from specifications is found: from which state of a space and of its specifications
-- their rows in `search_sections` were made.
create table search_generated (
  organization_id uuid not null,
  space_id uuid not null,
  stamp text not null,
  primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);
