import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../db/connect.ts'
import { isRefusedValue } from '../db/refused.ts'
import { networkOf } from '../http/network.ts'
import { newId } from '../ids.ts'
import { WrittenLater } from '../written-later.ts'
import { AnswersOfDay } from './answers-of-day.ts'
import {
  addMissingPaths,
  addRatings,
  addRemarks,
  addSearches,
  addViews,
  mostRemarks,
  mostTexts,
} from './counts.queries.ts'
import { dayOf } from './day.ts'
import { Questions } from './questions.ts'
import { isPerson, isReader } from './readers.ts'
import { type Count, type OfSite, type PageRead, type Remark, type TextAsked, Tally } from './tally.ts'
import { countedAs, missingPathOf, others, remarkOf, wordsOf } from './texts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    insights: Insights
  }
}

const gatherMs = 5_000
const dayMs = 24 * 60 * 60 * 1000
const mostKept = 50_000
/**
 * Limit for one statement. If all possible counts were written at once, it would come close to its time limit, and
 * would then never succeed.
 */
const mostAtOnce = 2_000

/**
 * Counts what readers of published sites read, search for, do not find, and say about pages. Reading a page costs one
 * addition in memory. The counts are written together every few seconds, and a process that is killed loses the counts
 * not yet written. Nothing is stored about individual readers: searches are assigned to a reader by a hash that is kept
 * for seconds, and answers by one that is kept for a day. The salt exists only as long as the process.
 */
export class Insights {
  readonly #db: Database
  readonly #log: FastifyBaseLogger
  readonly #isOn: boolean
  readonly #salt = randomBytes(32).toString('base64')
  readonly #views = new Tally<PageRead>(mostKept)
  readonly #searches = new Tally<TextAsked>(mostKept, mostTexts)
  readonly #missing = new Tally<TextAsked>(mostKept, mostTexts)
  readonly #ratings = new Tally<PageRead>(mostKept)
  readonly #remarks = new Tally<Remark>(mostKept, mostRemarks)
  readonly #answers = new AnswersOfDay(mostKept)
  readonly #questions = new Questions<OfSite>(({ place, words, found }) =>
    this.#addText(this.#searches, place, countedAs(words), found ? 0 : 1),
  )
  #day = ''
  #dayBegins = 0
  readonly #writing = new WrittenLater(gatherMs, () => this.#write())
  /**
   * Whether the failure was already logged. It is logged once, not every few seconds while the database is unavailable.
   */
  #isTold = false

  constructor({ db, log, config }: { db: Database; log: FastifyBaseLogger; config: Pick<Config, 'insights'> }) {
    this.#db = db
    this.#log = log
    this.#isOn = config.insights
  }

  /** Called when a page was sent to a reader, or when the reader's copy was still current. */
  viewed(request: IncomingMessage, page: PageRead): void {
    if (!this.#isOn || !isReader(request)) return
    const day = this.#today()
    if (this.#views.again(page.key, day)) return
    this.#views.add({ key: page.key, about: page, day, times: 1, unfound: 0 })
    this.#writing.soon()
  }

  /** Called when a reader of the site got the number of pages that match a search. */
  searched(request: FastifyRequest, site: OfSite, question: string, count: number): void {
    const words = wordsOf(question)
    if (!this.#isOn || words === '' || !isReader(request.raw)) return
    const asker = this.#nameless(request.ip, site.siteId)
    this.#questions.ask(asker, { place: site, words, found: count > 0 })
    this.#writing.soon()
  }

  /** Called when a reader of the site got the answer that nothing exists at this path. */
  missed(request: FastifyRequest, site: OfSite, segments: readonly string[]): void {
    const path = this.#isOn && isReader(request.raw) ? missingPathOf(segments) : undefined
    if (path === undefined) return
    this.#addText(this.#missing, site, path, 0)
    this.#writing.soon()
  }

  /** Called when a reader rated a page as helpful or not. The first answer of each reader on a day counts. */
  rated(request: FastifyRequest, page: PageRead, isHelpful: boolean): void {
    if (!this.#isTaken(request, page, ['rated', page.key])) return
    this.#ratings.add({ key: page.key, about: page, day: this.#today(), times: 1, unfound: isHelpful ? 0 : 1 })
    this.#writing.soon()
  }

  /** Called when a reader wrote what could be better. */
  remarked(request: FastifyRequest, page: PageRead, written: string): void {
    const text = remarkOf(written)
    if (text === '' || !this.#isTaken(request, page, ['remarked', page.siteId])) return
    const about = { ...page, id: newId(), text }
    this.#remarks.add({ key: `${page.key} ${text}`, about, day: this.#today(), times: 1, unfound: 0 })
    this.#writing.soon()
  }

  /**
   * Counts once per reader, page and day. Readers who share an address are distinguished by their user agents. These
   * can be faked, so only a few answers from one address count for each `share`.
   */
  #isTaken({ raw, ip }: FastifyRequest, { key }: PageRead, share: [what: string, of: string]): boolean {
    if (!this.#isOn || !isPerson(raw)) return false
    const network = networkOf(ip)
    const reader = this.#nameless(network, ...share, key, raw.headers['user-agent']!)
    return this.#answers.take(this.#today(), reader, this.#nameless(network, ...share))
  }

  #nameless(...parts: string[]): string {
    return hash('sha256', JSON.stringify([this.#salt, ...parts]), 'base64url')
  }

  #addText(tally: Tally<TextAsked>, site: OfSite, text: string, unfound: number): void {
    const count = (text: string): Count<TextAsked> => ({
      key: `${site.siteId} ${text}`,
      about: { ...site, text },
      day: this.#today(),
      times: 1,
      unfound,
    })
    if (!tally.add(count(text))) tally.add(count(others), { always: true })
  }

  #today(): string {
    const now = Date.now()
    // Also recomputed if the clock was set back.
    if (now < this.#dayBegins || now >= this.#dayBegins + dayMs) {
      this.#day = dayOf(now)
      this.#dayBegins = Math.floor(now / dayMs) * dayMs
    }
    return this.#day
  }

  /** Writes the counts. Searches that a reader may still be typing are only written at the `end`. */
  flush({ end = false } = {}): Promise<void> {
    if (end) this.#questions.settle(end)
    return this.#writing.now()
  }

  async #write(): Promise<void> {
    this.#questions.settle()
    const written = await Promise.all([
      this.#writeOut(this.#views, (counts) => addViews(this.#db, counts)),
      this.#writeOut(this.#searches, (counts) => addSearches(this.#db, counts)),
      this.#writeOut(this.#missing, (counts) => addMissingPaths(this.#db, counts)),
      this.#writeOut(this.#ratings, (counts) => addRatings(this.#db, counts)),
      this.#writeOut(this.#remarks, (counts) => addRemarks(this.#db, counts)),
    ])
    const isAll = written.every(Boolean)
    if (isAll) this.#isTold = false
    if (!isAll || !this.#questions.isEmpty) this.#writing.soon()
  }

  /**
   * Writes in parts, with the highest counts first, because there may not be room for all texts. Counts that could not
   * be written are kept for the next attempt, together with what is counted until then. Counts that the database
   * refuses because of their values are dropped: they would wait for ever, and block all counts written with them.
   */
  async #writeOut<About extends OfSite>(
    tally: Tally<About>,
    write: (counts: Count<About>[]) => Promise<void>,
  ): Promise<boolean> {
    const counts = tally.take().toSorted((a, b) => b.times - a.times)
    const parts = partsOf(counts, mostAtOnce)
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        await write(part)
      } catch (error) {
        if (!isRefusedValue(error)) {
          for (const count of [part, ...parts].flat()) tally.add(count, { always: true })
          this.#tell(error, 'what readers read was not written down yet')
          return false
        }
        if (part.length > 1) parts.unshift(...partsOf(part, Math.ceil(part.length / 2)))
        else this.#tell(error, 'something that readers did cannot be written down, and is not counted')
      }
    }
    return true
  }

  #tell(error: unknown, what: string): void {
    if (!this.#isTold) this.#log.warn({ err: error }, what)
    this.#isTold = true
  }
}

const partsOf = <Item>(items: readonly Item[], length: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / length) }, (_, at) => items.slice(at * length, (at + 1) * length))
