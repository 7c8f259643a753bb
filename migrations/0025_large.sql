-- Most statements are planned once for all values, and so for an average one. An average line is a change request with
-- an entry or two: any index that begins with the line looks as good as the one that leads to the entry. What people read
-- is the main line of a large space, which would then be read from its beginning for every single entry. So the planner
-- is told that lines are long.
alter table entries alter column line_id set (n_distinct = 100);
alter table heads alter column line_id set (n_distinct = 100);
alter table links alter column line_id set (n_distinct = 100);
analyze entries, heads, links;

-- What the record is asked for: what somebody did, what was done to something, and where something was done.
create index changes_by_actor on changes (organization_id, actor_id, id) where actor_id is not null;
create index changes_by_target on changes (organization_id, target_id, id);
create index changes_by_action on changes (organization_id, action, id);
