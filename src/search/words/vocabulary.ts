import type { Database, Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import { Transaction } from '../../db/transaction.ts'
import { distance, isCorrectable, keysOf, mostErrors, partKeys, wrongKeys } from './neighbours.ts'
import { type Node, beginning, whole } from '../nodes.ts'
import type { Scope } from '../scope.ts'
import { listThere } from '../there.queries.ts'

const shortest = 3
const mostMeant = 20
const mostCorrected = 8
/** More than can be meant, since some of them may occur only in pages that the caller cannot see. */
const mostParts = 40
const mostLookedFor = 30

/**
 * Words that are known to be stored, so that most edits need no query. Cleared from time to time, because unused words
 * are removed.
 */
const known = new Set<string>()
const mostKnown = 100_000
const keptMs = 10 * 60 * 1000
let knownSince = 0

/** Adds the words that an organization has not used before to its vocabulary. */
export async function addWords(
  db: Db,
  organizationId: string,
  found: Iterable<readonly [word: string, lexeme: string | undefined]>,
): Promise<void> {
  if (performance.now() - knownSince > keptMs || known.size > mostKnown) {
    known.clear()
    knownSince = performance.now()
  }
  const pairs = new Map<string, [string, string]>()
  for (const [word, lexeme] of found) {
    if (lexeme === undefined || word.length < shortest) continue
    const key = `${organizationId}${word} ${lexeme}`
    if (!known.has(key)) pairs.set(key, [word, lexeme])
  }
  if (pairs.size === 0) return
  const fresh = await listUnknown(db, organizationId, [...pairs.values()])
  if (fresh.length > 0) await insertWords(db, organizationId, fresh)
  // Words that a transaction has added may still be rolled back.
  if (!(db instanceof Transaction)) for (const key of pairs.keys()) known.add(key)
}

/**
 * Always inserts in the same order, so that two transactions that add the same words wait for each other instead of
 * causing a deadlock.
 */
async function insertWords(db: Db, organizationId: string, fresh: WordRow[]): Promise<void> {
  const rows = fresh.map(({ word, lexeme }) => ({ word, lexeme, keys: keysOf(organizationId, word, lexeme) }))
  await db.run(
    sql`
    insert into search_words (organization_id, word, lexeme, keys)
    select ${organizationId}, r.word, r.lexeme, r.keys
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r (word text, lexeme text, keys int8[])
    order by r.word collate "C", r.lexeme collate "C" on conflict do nothing`,
  )
}

interface WordRow {
  word: string
  lexeme: string
}

/** Checks word by word: as a `not exists` it was planned as a join that read every word of the organization. */
function listUnknown(db: Db, organizationId: string, pairs: [string, string][]): Promise<WordRow[]> {
  return db.all(
    sql<WordRow>`
    select f.word, f.lexeme from unnest(${pairs.map(([word]) => word)}::text[],
      ${pairs.map(([, lexeme]) => lexeme)}::text[]) f (word, lexeme)
    where (select true from search_words w
      where w.organization_id = ${organizationId} and w.word = f.word and w.lexeme = f.lexeme) is null`,
  )
}

/**
 * Returns the lexemes of words that begin with `start`: no stem begins with "installat", but the word "installation"
 * does, and its stem is "instal". If there are many, all lexemes with that prefix are searched, which costs the
 * database more. Lexemes without the prefix are few, since a stem is about as long as its word, and come first. As all
 * of them are included, words in pages that the caller cannot read do not affect the results.
 */
export async function listCompletions(db: Db, organizationId: string, start: string): Promise<Node[]> {
  const rows = await db.all(sql<Pick<WordRow, 'lexeme'>>`
    select lexeme from search_words
    where organization_id = ${organizationId} and word >= ${start} and word < ${justAfter(start)}
    group by lexeme order by starts_with(lexeme, ${start}), lexeme limit ${mostMeant + 1}`)
  const lexemes = rows.map(({ lexeme }) => lexeme)
  if (lexemes.length <= mostMeant) return lexemes.map(whole)
  return [beginning(start), ...lexemes.filter((lexeme) => !lexeme.startsWith(start)).map(whole)]
}

/** Returns the first text that sorts after all texts with this prefix. */
function justAfter(start: string): string {
  const characters = [...start]
  const last = characters.pop()!.codePointAt(0)!
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : Math.min(last + 1, 0x10ffff))
}

/**
 * Returns the words that may have been meant, by word: words that contain it, otherwise those that differ least, either
 * as written or in their stems. Known words are taken as meant, unless all words are known and still nothing was found.
 * Only words that occur in `scope` count as known or meant: pages that the caller cannot read must not affect the
 * answer.
 */
export async function listMeant(
  db: Database,
  scope: Scope,
  words: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, string[]>> {
  const few = [...words].slice(0, mostCorrected)
  const guesses = await Promise.all(few.map(([word, stems]) => findGuesses(db, scope.organizationId, word, stems)))
  const near = await seenOf(db, scope, guesses.flatMap(nearest))
  // For words that cannot be misspelt it is not checked whether they are known. They stay as they are, whatever happens
  // to the others.
  const areAllKnown = guesses.every(
    ({ word, parts, byErrors }) =>
      near(byErrors.get(0)).length > 0 || (!isCorrectable(word) && near(parts).length === 0),
  )
  const isKnown = ({ byErrors }: Guesses) => !areAllKnown && near(byErrors.get(0)).length > 0
  const partsOf = ({ parts }: Guesses) => (areAllKnown ? [] : near(parts))
  const isOpen = (guess: Guesses) =>
    !isKnown(guess) && partsOf(guess).length === 0 && near(guess.byErrors.get(1)).length === 0
  // Each lookup has a cost, and words that differ by more are many. They are looked up only if nothing closer exists.
  const far = await seenOf(db, scope, guesses.filter(isOpen).flatMap(farther))
  return new Map(
    guesses
      .filter((guess) => !isKnown(guess))
      .map((guess) => {
        const { word, byErrors } = guess
        const best =
          [partsOf(guess), near(byErrors.get(1)), far(byErrors.get(2))].find(({ length }) => length > 0) ?? []
        return [word, [...new Set(best.map(({ lexeme }) => lexeme))].slice(0, mostMeant)]
      }),
  )
}

/** Returns a filter for the words that occur where the caller may read. */
async function seenOf(db: Database, scope: Scope, rows: readonly WordRow[]) {
  const there = await listThere(db, scope, new Set(rows.map(({ lexeme }) => lexeme)))
  return (some: readonly WordRow[] = []) => some.filter(({ lexeme }) => there.has(lexeme))
}

/** The first words to look up: the word itself, the words that differ least, and the words that contain it. */
const nearest = ({ byErrors, parts }: Guesses): WordRow[] =>
  [...(byErrors.get(0) ?? []), ...(byErrors.get(1) ?? []), ...parts].slice(0, mostLookedFor)

const farther = ({ word, byErrors }: Guesses): WordRow[] =>
  mostErrors(word) > 1 ? (byErrors.get(2) ?? []).slice(0, mostLookedFor) : []

/** Words of an organization that are similar to a word. */
interface Guesses {
  word: string
  parts: WordRow[]
  byErrors: Map<number, WordRow[]>
}

async function findGuesses(db: Db, organizationId: string, word: string, stems: readonly string[]): Promise<Guesses> {
  const [parts, similar] = await Promise.all([
    listHolding(db, organizationId, word),
    listSimilar(db, organizationId, new Set([word, ...stems])),
  ])
  const errorsIn = (each: WordRow) =>
    Math.min(distance(word, each.word), ...stems.map((stem) => distance(stem, each.lexeme)))
  return { word, parts, byErrors: Map.groupBy(similar, errorsIn) }
}

/** Lists words that contain this one, the shortest first. */
async function listHolding(db: Db, organizationId: string, word: string): Promise<WordRow[]> {
  const keys = partKeys(organizationId, word)
  if (keys.length === 0) return []
  return db.all(sql<WordRow>`
    select word, lexeme from (select * from search_words where keys @> ${keys}::int8[] offset 0) w
    where organization_id = ${organizationId} and position(${word} in word) > 0 and word <> ${word}
    order by length(word), word limit ${mostParts}`)
}

/**
 * Looks up each key separately: planned for all keys together, the whole table was read. The organization is checked
 * afterwards (`offset 0`): the keys already include it, and reading all its words would cost more.
 */
async function listSimilar(db: Db, organizationId: string, words: ReadonlySet<string>): Promise<WordRow[]> {
  const keys = new Set([...words].flatMap((word) => wrongKeys(organizationId, word)))
  if (keys.size === 0) return []
  return db.all(sql<WordRow>`
    select distinct w.word, w.lexeme from unnest(${[...keys]}::int8[]) k (key)
    cross join lateral (select * from search_words where keys @> array[k.key] offset 0) w
    where w.organization_id = ${organizationId}`)
}
