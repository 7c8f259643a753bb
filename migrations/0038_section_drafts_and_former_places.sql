-- A section that is being made: readers of the site do not see it yet, nor what stands in it.
alter table site_sections add draft boolean not null default false;

-- Where spaces of a site stood before they were moved to another section, or got another path: who comes by such an
-- address is led on. One row for a space with all its pages.
create table former_site_paths (
  organization_id uuid not null,
  site_id uuid not null,
  -- Below the site, in lower case; nothing for the address of the site itself.
  path text collate "C" not null,
  site_space_id uuid not null,
  moved_at timestamptz(3) not null default now(),
  -- One version after the other may stand at the same address: those that left it earlier are found from there as well.
  primary key (organization_id, site_id, path, site_space_id),
  foreign key (organization_id, site_id, site_space_id) references site_spaces (organization_id, site_id, id)
    on delete cascade
);

create index former_site_paths_of_space on former_site_paths (organization_id, site_id, site_space_id);
