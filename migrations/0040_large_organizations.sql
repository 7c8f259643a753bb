-- Most statements are planned once for all values, and so for an average organization. Where there are many, that is one with
-- three members and a space: to go through all that an organization has looks as good then as to look something up by its
-- key. In a large one beside them, each space of a site was compared with all spaces there are, and each of these with all
-- collections. So the planner is told that organizations are large.
alter table members alter column organization_id set (n_distinct = 10);
alter table spaces alter column organization_id set (n_distinct = 10);
alter table collections alter column organization_id set (n_distinct = 10);

-- It was told so of lines. But what it expects of a line it divides by the number of organizations once more: with many of
-- them, a page was read by way of all entries of its space. Here the line alone says how much there is.
alter table entries alter column organization_id set (n_distinct = 2);
alter table heads alter column organization_id set (n_distinct = 2);
alter table links alter column organization_id set (n_distinct = 2);
-- The same of comments, which are on a space or in a change request.
alter table comments alter column organization_id set (n_distinct = 2);
alter table comments alter column place_id set (n_distinct = 100);

-- What has rows is looked at now. What is empty is left alone until it has some: else it is taken for tiny when it has.
do $$
declare
  large text;
  has_rows boolean;
begin
  foreach large in array array['members', 'spaces', 'collections', 'entries', 'heads', 'links', 'comments'] loop
    execute format('select exists (select from %I)', large) into has_rows;
    if has_rows then execute format('analyze %I', large); end if;
  end loop;
end $$;

-- What was granted on a space or a collection goes with it. Without these, all grants of the organization were read for each
-- one that is removed.
create index member_grants_on_space on member_grants (organization_id, space_id) where space_id is not null;
create index member_grants_on_collection on member_grants (organization_id, collection_id) where collection_id is not null;
create index team_grants_on_space on team_grants (organization_id, space_id) where space_id is not null;
create index team_grants_on_collection on team_grants (organization_id, collection_id) where collection_id is not null;

-- Deliveries that failed are what people look for, and few among very many. Only those cost a write more.
create index webhook_deliveries_failed on webhook_deliveries (organization_id, webhook_id, id) where state = 'failed';

-- The same of links among the invites of an organization: they are few, and those by mail may be very many.
create index invites_by_link on invites (organization_id, created_at, id) where email is null;
