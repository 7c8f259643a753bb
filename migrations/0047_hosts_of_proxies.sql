-- Hosts are the same in any case, and are looked for in lower case.
update sites set proxy = lower(split_part(proxy, '/', 1)) || substr(proxy, length(split_part(proxy, '/', 1)) + 1)
  where split_part(proxy, '/', 1) <> lower(split_part(proxy, '/', 1));
