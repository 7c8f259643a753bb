import type { Database } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { Node } from '../nodes.ts'

/** The share of all rows that contain a word. Words that are missing here are rare. */
interface Commonness {
  rows: number
  shares: ReadonlyMap<string, number>
}

const known = new WeakMap<Database, { found: Promise<Commonness>; until: number }>()
const keptMs = 10 * 60 * 1000

/**
 * Estimates how many rows of the whole installation match a query, from the database's own statistics. Only the search
 * strategy may depend on this.
 */
export async function guessRows(db: Database, node: Node): Promise<number> {
  const { rows, shares } = await commonnessIn(db)
  return rows * shareOf(node, shares)
}

/** Estimates which part of all rows matches a query. */
export async function guessShare(db: Database, node: Node): Promise<number> {
  return shareOf(node, (await commonnessIn(db)).shares)
}

function commonnessIn(db: Database): Promise<Commonness> {
  const now = performance.now()
  let kept = known.get(db)
  if (!kept || kept.until < now) {
    kept = { found: findCommonness(db), until: now + keptMs }
    kept.found.catch(() => known.delete(db))
    known.set(db, kept)
  }
  return kept.found
}

/** Words that are searched together occur together more often than by chance. */
const together = 0.3

function shareOf(node: Node, shares: ReadonlyMap<string, number>): number {
  if ('lexeme' in node) return node.prefix ? 1 : (shares.get(node.lexeme) ?? 0)
  if ('any' in node) return node.any.reduce((sum, each) => sum + shareOf(each, shares), 0)
  const parts = 'all' in node ? node.all : node.phrase.map((step) => step.node)
  return together * Math.min(...parts.map((each) => shareOf(each, shares)))
}

async function findCommonness(db: Database): Promise<Commonness> {
  const { rows, words, shares } = await db.one(sql<{ rows: number; words: string[] | null; shares: number[] | null }>`
    select c.reltuples as rows, s.most_common_elems::text::text[] as words, s.most_common_elem_freqs as shares
    from pg_class c left join pg_stats s
      on s.schemaname = c.relnamespace::regnamespace::text and s.tablename = c.relname and s.attname = 'words'
    where c.oid = 'search_sections'::regclass`)
  return { rows: Math.max(0, rows), shares: new Map(words?.map((word, i) => [word, shares?.[i] ?? 0])) }
}
