-- What a webhook is narrowed to: {"spaces": [ids], "sites": [ids]}. Null: the whole organization. What is gone may stand
-- there still: that it went is told, too.
alter table webhooks add column filter jsonb;
