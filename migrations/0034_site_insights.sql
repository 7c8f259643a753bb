-- What is read of a published site, what is looked for there, and what is asked for and not there: how often a day, in UTC.
-- Nothing of whoever reads. No row refers to its site: a large one has millions of these, and nobody who deletes it is to
-- wait until they are gone. A task removes them then, and those that are older than 400 days.

-- The space stays here though it leaves the site, or the organization. A page may be one that is made from a specification,
-- and stored nowhere.
create table site_page_views (
  organization_id uuid not null,
  site_id uuid not null,
  day date not null,
  space_id uuid not null,
  page_id uuid not null,
  views bigint not null check (views > 0),
  primary key (organization_id, site_id, day, space_id, page_id)
);

create index site_page_views_by_day on site_page_views (day);

-- Of a site and a day there are not more different words than a thousand: all others are counted together, as none.
create table site_searches (
  organization_id uuid not null,
  site_id uuid not null,
  day date not null,
  words text collate "C" not null check (length(words) <= 100),
  searches bigint not null check (searches > 0),
  -- Of these, how many found nothing.
  unfound bigint not null check (unfound between 0 and searches),
  primary key (organization_id, site_id, day, words)
);

create index site_searches_by_day on site_searches (day);

-- The same for paths that lead nowhere.
create table site_missing_paths (
  organization_id uuid not null,
  site_id uuid not null,
  day date not null,
  path text collate "C" not null check (length(path) <= 512),
  requests bigint not null check (requests > 0),
  primary key (organization_id, site_id, day, path)
);

create index site_missing_paths_by_day on site_missing_paths (day);
