-- A space and the spaces that say the same in other languages.

create table translations (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null unique,
  title text not null check (length(title) between 1 and 100),
  -- What is translated, and the language it is written in.
  source_id uuid,
  source_language text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, source_id) references spaces (organization_id, id) on delete set null (source_id)
);

create index translations_by_age on translations (organization_id, created_at, id);
create index translations_of_source on translations (organization_id, source_id);

create table translation_variants (
  organization_id uuid not null,
  translation_id uuid not null,
  language text not null,
  space_id uuid not null,
  primary key (organization_id, translation_id, language),
  -- A page is marked with what it was translated from, so there can be but one.
  constraint one_translation unique (organization_id, space_id),
  foreign key (organization_id, translation_id) references translations (organization_id, id) on delete cascade,
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);
