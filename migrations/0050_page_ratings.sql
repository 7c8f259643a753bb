-- Whether pages of a published site help, as their readers say: how often a day, in UTC; and what they wrote beside it. As
-- with all that is counted there, nothing of whoever reads, and no reference to the site: a task removes it.

create table site_page_ratings (
  organization_id uuid not null,
  site_id uuid not null,
  day date not null,
  space_id uuid not null,
  page_id uuid not null,
  helpful bigint not null check (helpful >= 0),
  unhelpful bigint not null check (unhelpful >= 0),
  primary key (organization_id, site_id, day, space_id, page_id),
  check (helpful + unhelpful > 0)
);

create index site_page_ratings_by_day on site_page_ratings (day);

-- Of a site and a day there are not more than a hundred: what comes then is not kept.
create table site_page_remarks (
  organization_id uuid not null,
  site_id uuid not null,
  day date not null,
  -- Newer ones come behind older ones.
  id uuid not null,
  space_id uuid not null,
  page_id uuid not null,
  text text not null check (length(text) between 1 and 500),
  primary key (organization_id, site_id, day, id)
);

create index site_page_remarks_by_day on site_page_remarks (day);
