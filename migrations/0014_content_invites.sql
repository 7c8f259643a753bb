-- A link may also lead to a space or a collection: whoever follows it joins as a guest, with this role there.
alter table invites add space_id uuid;
alter table invites add collection_id uuid;
alter table invites add check (num_nonnulls(space_id, collection_id) = 0 or (num_nonnulls(space_id, collection_id) = 1 and email is null));
alter table invites add foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade;
alter table invites add foreign key (organization_id, collection_id) references collections (organization_id, id) on delete cascade;

create index invites_to_space on invites (organization_id, space_id) where space_id is not null;
create index invites_to_collection on invites (organization_id, collection_id) where collection_id is not null;
