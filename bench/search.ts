import { globSync, readFileSync } from 'node:fs'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { derive } from '../src/derived/derive.ts'
import { newId } from '../src/ids.ts'
import { bodyHash } from '../src/revisions/bodies.ts'
import { listEntries } from '../src/revisions/entries.ts'
import { commit, findMainLine, lockLine } from '../src/revisions/lines.ts'
import { indexSections } from '../src/search/indexing/index-main.ts'
import { lexiconOf } from '../src/search/words/lexicon.ts'
import { nameLexeme } from '../src/search/words/name.ts'
import { insertIndexed } from '../src/search/indexing/progress.queries.ts'
import { Stems } from '../src/search/words/stems.ts'
import { vectorOf } from '../src/search/indexing/vector.ts'
import { addWords } from '../src/search/words/vocabulary.ts'
import { type Word, wordsOf } from '../src/search/words/words.ts'
import { call, organizationAt } from './call.ts'
import { type Figure, atLeast, atMost, median } from './figures.ts'
import { newFolder, remove, startLectern } from './server.ts'
import { loadSpace } from './spaces.ts'

const spaceCount = 20
const pagesPerSpace = 625
const sectionsPerPage = 8
const questions = 400

/**
 * With 100,000 sections: how long queries take, how many per second are answered, and what it costs to index a page.
 */
export async function searchFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, { ...readConfig({}).limits, statementMs: 120_000 })
  try {
    const organizationId = await organizationAt(lectern.url)
    const text = new Text()
    const spaces = await loadSections(db, organizationId, text)
    const asked = Array.from({ length: questions }, () => text.question())
    const inSpace = (query: string, i: number) =>
      `${lectern.url}/v1/spaces/${spaces[i % spaces.length]}/search?limit=20&query=${encodeURIComponent(query)}`
    const everywhere = (query: string) =>
      `${lectern.url}/v1/orgs/${organizationId}/search?limit=10&query=${encodeURIComponent(query)}`
    return [
      ...(await questionFigures('a space', asked.map(inSpace))),
      ...(await questionFigures('an organization', asked.map(everywhere))),
      ...(await indexFigures(db, organizationId, spaces[0]!, text)),
    ]
  } finally {
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

interface Line {
  text: string
  words: Word[]
}

/** The material for one page, from a single source: a page says much about one topic and nothing about most others. */
interface Topic {
  titles: Line[]
  lines: Line[]
}

/** Real lines from program documentation, combined at random but the same way in each run. */
class Text {
  readonly #topics: Topic[]
  #seed = 20260101

  constructor() {
    const texts = globSync('node_modules/**/*.md').map((file) => readFileSync(file, 'utf8'))
    this.#topics = texts
      .filter(({ length }) => length < 200_000)
      .map((text) => derive(text).sections)
      .map((sections) => ({
        titles: linesOf(
          sections.map(({ title }) => title),
          3,
          60,
        ),
        lines: linesOf(
          sections.flatMap(({ text }) => text.split('\n')),
          20,
          400,
        ),
      }))
      .filter(({ titles, lines }) => titles.length >= 3 && lines.length >= 30)
  }

  #chance(): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) >>> 0
    return this.#seed / 2 ** 32
  }

  #one<Each>(of: Each[]): Each {
    return of[Math.floor(this.#chance() * of.length)]!
  }

  topic = () => this.#one(this.#topics)

  title = ({ titles }: Topic) => this.#one(titles)

  body({ lines }: Topic): Line {
    let [text, at] = ['', 0]
    const words: Word[] = []
    while (text.length < 800) {
      const line = this.#one(lines)
      text += `${line.text}\n\n`
      for (const word of line.words) words.push({ ...word, at: at + word.at })
      at += line.words.at(-1)?.at ?? 0
    }
    return { text, words }
  }

  /** Returns one to three words from one line. Sometimes the last one is incomplete or misspelt. */
  question(): string {
    const words = this.#one(this.topic().lines).text.match(/[A-Za-z]{4,}/g) ?? ['package']
    const from = Math.floor(this.#chance() * words.length)
    const some = words.slice(from, from + 1 + Math.floor(this.#chance() * 3))
    const last = some.at(-1)!
    const kind = this.#chance()
    if (kind < 0.15) return [...some.slice(0, -1), last.slice(0, Math.max(3, last.length - 2))].join(' ')
    if (kind < 0.25) return [...some.slice(0, -1), last[1]! + last[0]! + last.slice(2)].join(' ')
    return some.join(' ')
  }
}

/** Splits each line into words once. Doing that for every section would take most of the run. */
function linesOf(texts: string[], least: number, most: number): Line[] {
  const fitting = [...new Set(texts)].filter(({ length }) => length >= least && length <= most)
  return fitting.map((text) => ({ text, words: wordsOf(text) }))
}

async function loadSections(db: Database, organizationId: string, text: Text): Promise<string[]> {
  await db.run(sql`drop index search_sections_words`)
  const spaces: string[] = []
  for (let i = 0; i < spaceCount; i++) {
    const { id } = await loadSpace(db, organizationId, pagesPerSpace)
    // In case the server has already indexed the space: all that is loaded so far is titles.
    await db.run(sql`delete from search_spaces where organization_id = ${organizationId} and space_id = ${id}`)
    await db.run(sql`delete from search_sections where organization_id = ${organizationId} and space_id = ${id}`)
    await transaction(db, nobody, async (tx) =>
      insertIndexed(tx, { organizationId, spaceId: id, lexicon: lexiconOf(null) }),
    )
    spaces.push(id)
  }
  for (const spaceId of spaces) await writeSections(db, organizationId, spaceId, text)
  await db.run(
    sql`create index search_sections_words on search_sections
      using gin (words, ts_filter(words, '{a,b}'), (array[organization_id, space_id]))`.asSlow(),
  )
  for (const table of [sql`search_sections`, sql`search_words`]) await db.run(sql`vacuum analyze ${table}`.asSlow())
  return spaces
}

async function writeSections(db: Database, organizationId: string, spaceId: string, text: Text): Promise<void> {
  const pages = await listPages(db, organizationId, spaceId)
  const none = { text: '', words: [] }
  const rows = pages.flatMap((page_id) => {
    const topic = text.topic()
    const title = text.title(topic)
    return Array.from({ length: sectionsPerPage }, (_, i) => {
      const [heading, body] = [i === 0 ? none : text.title(topic), text.body(topic)]
      const parts = { title: title.words, heading: heading.words, body: body.words }
      return {
        page_id,
        name: title.text,
        anchor: i === 0 ? '' : `section-${i}`,
        heading: heading.text,
        body: body.text,
        parts,
      }
    })
  })
  const words = new Set(rows.flatMap(({ parts }) => Object.values(parts).flat()).map((word) => word.text))
  const stems = await Stems.of(db, lexiconOf(null), words)
  const indexed = rows.map(({ parts, name, ...row }) => ({
    ...row,
    words: vectorOf(parts, stems, nameLexeme(name)),
    title_length: parts.title.length,
  }))
  await db.run(
    sql`insert into search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words,
      title_length)
    select ${organizationId}, ${spaceId}, page_id, anchor, 0, '', heading, body, words, title_length
    from jsonb_to_recordset(${JSON.stringify(indexed)}::jsonb) r (page_id uuid, anchor text, heading text, body text,
      words tsvector, title_length int2)`.asSlow(),
  )
  await transaction(db, nobody, (tx) =>
    addWords(
      tx,
      organizationId,
      [...words].map((word) => [word, stems.lexemes(word)[0]] as const),
    ),
  )
}

async function listPages(db: Database, organizationId: string, spaceId: string): Promise<string[]> {
  const rows = await db.all(sql<{ entry: string }>`
    select h.entry from lines l join heads h on h.organization_id = l.organization_id and h.line_id = l.id
    where l.organization_id = ${organizationId} and l.space_id = ${spaceId} order by 1`)
  return rows.map(({ entry }) => entry)
}

async function questionFigures(where: string, urls: string[]): Promise<Figure[]> {
  // The first queries also pay for plans and stems.
  for (const url of urls.slice(0, 50)) await call(url)
  const times: number[] = []
  for (const url of urls) {
    const startedAt = performance.now()
    await call(url)
    times.push(performance.now() - startedAt)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const waiting = [...urls, ...urls]
  const startedAt = performance.now()
  const client = async () => {
    for (let url = waiting.pop(); url; url = waiting.pop()) await call(url)
  }
  await Promise.all(Array.from({ length: 8 }, client))
  const rate = (urls.length * 2) / ((performance.now() - startedAt) / 1_000)
  return [
    atMost(`Search in ${where}, 100,000 sections, p50`, 15, sorted[Math.floor(sorted.length * 0.5)]!, ' ms'),
    atMost(`Search in ${where}, 100,000 sections, p99`, 60, sorted[Math.floor(sorted.length * 0.99)]!, ' ms'),
    atLeast(`Questions to ${where} a second, 100,000 sections, 8 at once`, 100, rate),
  ]
}

/** Measures indexing alone, inside the transaction that writes the page. */
async function indexFigures(db: Database, organizationId: string, spaceId: string, text: Text): Promise<Figure[]> {
  const pages = await listPages(db, organizationId, spaceId)
  const { id: lineId } = await findMainLine(db, organizationId, spaceId)
  const section = (topic = text.topic()) => `## ${text.title(topic).text}\n\n${text.body(topic).text}`
  const index = async (pageId: string, markdown: string) =>
    transaction(db, nobody, async (tx) => {
      const before = await lockLine(tx, organizationId, lineId)
      const [page] = await listEntries(tx, before.head, [pageId])
      const [rows, bodies] = [[{ ...page!, doc: bodyHash(markdown) }], new Map([[bodyHash(markdown), markdown]])]
      const after = await commit(tx, before, { type: 'edits', parents: [newId()], rows, bodies })
      const startedAt = performance.now()
      await indexSections(tx, { before, after, rows, bodies })
      // Statements that were sent without waiting have completed once this one returns.
      await tx.one(sql`select 1`)
      return performance.now() - startedAt
    })
  const [all, one] = [[] as number[], [] as number[]]
  for (const pageId of pages.slice(0, 60)) {
    const body = Array.from({ length: sectionsPerPage }, () => section())
    all.push(await index(pageId, body.join('\n\n')))
    body[3] = section()
    one.push(await index(pageId, body.join('\n\n')))
  }
  return [
    atMost('Indexing a page anew, all of its 8 sections', 10, median(all.slice(10)), ' ms'),
    atMost('Indexing a page anew, one section of 8', 10, median(one.slice(10)), ' ms'),
  ]
}
