-- Whoever is mentioned is looked up by their name. Without this, all members of the organization were read for each comment
-- that has an @ in it.
create index users_by_name on users (lower(display_name));
