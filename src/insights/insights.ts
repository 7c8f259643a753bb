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
/** With all there can be at once, a statement would come near the time it has; and then never get through. */
const mostAtOnce = 2_000

/**
 * Counts what readers of published sites read, look for, do not find, and say about pages. A page that is read costs one addition in memory;
 * all is written together every few seconds, and what a process that was killed had not written yet is lost. Nothing is
 * kept about whoever reads: who asked something is told by a hash, for seconds, and who answered something for a day;
 * its salt goes with the process.
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
  /** Once, and not every few seconds for as long as the database is away. */
  #isTold = false

  constructor({ db, log, config }: { db: Database; log: FastifyBaseLogger; config: Pick<Config, 'insights'> }) {
    this.#db = db
    this.#log = log
    this.#isOn = config.insights
  }

  /** A page went out to somebody, or they have it as it is. */
  viewed(request: IncomingMessage, page: PageRead): void {
    if (!this.#isOn || !isReader(request)) return
    const day = this.#today()
    if (this.#views.again(page.key, day)) return
    this.#views.add({ key: page.key, about: page, day, times: 1, unfound: 0 })
    this.#writing.soon()
  }

  /** Somebody who may read the site was told how many pages have these words. */
  searched(request: FastifyRequest, site: OfSite, question: string, count: number): void {
    const words = wordsOf(question)
    if (!this.#isOn || words === '' || !isReader(request.raw)) return
    const asker = this.#nameless(request.ip, site.siteId)
    this.#questions.ask(asker, { place: site, words, found: count > 0 })
    this.#writing.soon()
  }

  /** Somebody who may read the site was told that nothing is here. */
  missed(request: FastifyRequest, site: OfSite, segments: readonly string[]): void {
    const path = this.#isOn && isReader(request.raw) ? missingPathOf(segments) : undefined
    if (path === undefined) return
    this.#addText(this.#missing, site, path, 0)
    this.#writing.soon()
  }

  /** Somebody who reads a page said whether it helps. Of one reader, the first answer of a day counts. */
  rated(request: FastifyRequest, page: PageRead, isHelpful: boolean): void {
    if (!this.#isTaken(request, page, ['rated', page.key])) return
    this.#ratings.add({ key: page.key, about: page, day: this.#today(), times: 1, unfound: isHelpful ? 0 : 1 })
    this.#writing.soon()
  }

  /** They wrote what could be better. */
  remarked(request: FastifyRequest, page: PageRead, written: string): void {
    const text = remarkOf(written)
    if (text === '' || !this.#isTaken(request, page, ['remarked', page.siteId])) return
    const about = { ...page, id: newId(), text }
    this.#remarks.add({ key: `${page.key} ${text}`, about, day: this.#today(), times: 1, unfound: 0 })
    this.#writing.soon()
  }

  /**
   * Once from one reader, for a page and a day. Several may come from one address, and are told apart by their browsers:
   * these say what they like, so of one address not many count for the `share` that it has.
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
    // Also where the clock was set back.
    if (now < this.#dayBegins || now >= this.#dayBegins + dayMs) {
      this.#day = dayOf(now)
      this.#dayBegins = Math.floor(now / dayMs) * dayMs
    }
    return this.#day
  }

  /** Writes what was counted. Of questions only those that nobody goes on with, unless this is the `end`. */
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
   * Part by part, what happened most first: there may not be room for all texts. What could not be written waits for the
   * next time, with what is counted until then. What the database refuses for what it says would wait for ever, and all
   * that comes with it: it is given up.
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
