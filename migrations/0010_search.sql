-- What is found: one row a section of each current page of a main line. A long section has several parts.
create table search_sections (
  organization_id uuid not null,
  space_id uuid not null,
  page_id uuid not null,
  -- Of its heading; empty for what stands above the first one, a row that every page has.
  anchor text collate "C" not null,
  part int not null,
  -- Of all that the row is made of: what is the same is not written again.
  hash text collate "C" not null,
  heading text not null,
  body text not null,
  -- A: title of the page, B: heading, D: body.
  words tsvector not null,
  -- Of how many words the title is: what is asked for says more of a short one.
  title_length int2 not null,
  primary key (organization_id, space_id, page_id, anchor, part),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
) with (toast_tuple_target = 8000);

-- Ranking reads it for every candidate: whole and in its row it is read five times as fast.
alter table search_sections alter column words set storage external;

-- By words; by words of titles and headings alone, to find the best among very many; and by where they stand, so that
-- what others have written costs nothing.
create index search_sections_words on search_sections
  using gin (words, ts_filter(words, '{a,b}'), (array[organization_id, space_id]));

-- How far a space is indexed.
create table search_spaces (
  organization_id uuid not null,
  space_id uuid not null,
  -- Which dictionaries its rows are made with, and which ones some of them may still be made with.
  lexicon text not null,
  former text[] not null default '{}',
  version text not null,
  -- Pages up to this one are done; null: all are.
  done_to uuid,
  primary key (organization_id, space_id),
  foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
);

create index search_spaces_lexicon on search_spaces (organization_id, lexicon);

-- The words that an organization uses, as people type them, and what each is found by: to complete and to correct.
create table search_words (
  organization_id uuid not null references organizations (id) on delete cascade,
  word text collate "C" not null,
  lexeme text collate "C" not null,
  -- Numbers: the organization with each way to leave a letter out of the word or its lexeme, and with each three letters
  -- in a row of the word.
  keys int8[] not null,
  primary key (organization_id, word, lexeme)
);

create index search_words_keys on search_words using gin (keys);
