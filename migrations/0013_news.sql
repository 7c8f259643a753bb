-- Every node asks each second which sites changed lately, beside what it is told.

create index sites_lately on sites (updated_at);

-- An address that a proxy shows leads to its site. Several may name the same one: the oldest has it.
create index sites_by_proxy on sites (proxy, created_at) where proxy is not null;
