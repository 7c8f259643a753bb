import type { Database } from '../../db/connect.ts'
import type { Change } from '../../db/news.ts'
import { type SiteSnapshot, makeSnapshot } from './snapshot.ts'
import { type LateNews, listStates, readSiteRows } from './snapshot.queries.ts'
import { type Keeper, Watch } from './watch.ts'

interface Held {
  found: Promise<SiteSnapshot | undefined>
  /** Set once the snapshot has been read. */
  snapshot?: SiteSnapshot | undefined
  bytes: number
  /** When its next share link expires. It is then read again. */
  end?: Moment | undefined
  /** News that arrived while it was being read: lines with a new revision, and whether the site itself changed. */
  heard: { lines: Map<string, number>; isTouched: boolean }
}

const maxBytes = 64 * 1024 * 1024

/** A site that changes during each of this many reads is returned as it was, and not cached. */
const mostReads = 5

/**
 * Snapshots of the sites that are being read, in memory. A snapshot is dropped when something in it changes: for
 * commits of this process, before the answer is sent; for commits of another node, as soon as its message arrives. If
 * there are too many, those that were requested least recently are dropped.
 */
export class SiteSnapshots implements Keeper {
  readonly #db: Database
  readonly #held = new Map<string, Held>()
  /** For each line, the snapshots that show it. */
  readonly #showing = new Map<string, Set<string>>()
  /** Snapshots that are currently being read. */
  readonly #reading = new Map<string, Held>()
  readonly #watch: Watch
  readonly #stopListening: () => void
  #bytes = 0

  constructor(db: Database) {
    this.#db = db
    this.#watch = new Watch(db, this)
    this.#stopListening = db.news.listen((changes) => this.#hear(changes))
  }

  /** Returns the current snapshot of a site, published or not. The first call starts watching for changes. */
  get(siteId: string): Promise<SiteSnapshot | undefined> {
    this.#watch.start()
    const known = this.#held.get(siteId)
    // A snapshot that is currently being read is as new as one that would be read now.
    if (!known || (known.snapshot && !this.#isGood(known))) return this.#read(siteId)
    // A Map keeps the order of insertion, so this moves the snapshot to the end.
    this.#held.delete(siteId)
    this.#held.set(siteId, known)
    return known.found
  }

  /** The same without waiting, if it is in memory and certain to be current. */
  known(siteId: string): SiteSnapshot | undefined {
    const known = this.#held.get(siteId)
    return known && this.#isGood(known) ? known.snapshot : undefined
  }

  /**
   * Returns the current snapshot if it is newer than this one, for a caller who knows of something that is missing in
   * it.
   */
  async newer({ site }: SiteSnapshot): Promise<SiteSnapshot | undefined> {
    const { sites } = await listStates(this.#db, [site.id], [])
    const isOld = (held: number) => sites.some(({ version }) => version > held)
    if (!isOld(site.version)) return undefined
    const held = this.#held.get(site.id)?.snapshot
    if (held && isOld(held.site.version)) this.#drop(site.id)
    return this.get(site.id)
  }

  #isGood({ end }: Held): boolean {
    return this.#watch.isSure && !(end && hasCome(end))
  }

  /** For a caller who has noticed that a snapshot is out of date. */
  forget(siteId: string): void {
    this.#renew(siteId)
  }

  async close(): Promise<void> {
    this.#stopListening()
    await this.#watch.close()
  }

  held() {
    const snapshots = [...this.#held.values()].flatMap(({ snapshot }) => snapshot ?? [])
    return {
      siteIds: snapshots.map(({ site }) => site.id),
      lines: snapshots.flatMap(({ variants }) => [...variants.values()].map(({ head }) => head)),
    }
  }

  compare({ sites, lines }: LateNews, whole: boolean): void {
    const versions = new Map(sites.map(({ id, version }) => [id, version]))
    const heads = new Map(lines.map(({ id, seq }) => [id, seq]))
    for (const [id, { snapshot }] of this.#held) {
      if (!snapshot) continue
      const isOld = (now: number | undefined, held: number) => (now === undefined ? whole : now > held)
      const hasNews =
        isOld(versions.get(id), snapshot.site.version) ||
        [...snapshot.variants.values()].some(({ head }) => isOld(heads.get(head.lineId), head.seq))
      if (hasNews) this.#drop(id)
    }
  }

  #read(siteId: string): Promise<SiteSnapshot | undefined> {
    this.#drop(siteId)
    const held = { bytes: 0, heard: nothingHeard() } as Held
    held.found = this.#load(siteId, held)
    this.#held.set(siteId, held)
    this.#reading.set(siteId, held)
    held.found.catch(() => this.#abandon(siteId, held))
    return held.found
  }

  /**
   * A request after a change must not get what was read before it. So the news that arrives during the read is compared
   * at the end, and if it is newer, everything is read again.
   */
  async #load(siteId: string, held: Held): Promise<SiteSnapshot | undefined> {
    for (let reads = 1; ; reads++) {
      held.heard = nothingHeard()
      const readAt = moment()
      const rows = await readSiteRows(this.#db, siteId)
      const snapshot = rows && makeSnapshot(rows)
      held.end = rows?.shareKeysHoldMs == null ? undefined : after(readAt, rows.shareKeysHoldMs)
      const isNew = !held.heard.isTouched && !(snapshot && showsOlder(snapshot, held.heard.lines))
      if (isNew && snapshot) this.#keep(siteId, held, snapshot)
      else if (isNew || reads === mostReads) this.#abandon(siteId, held)
      if (isNew || reads === mostReads) return snapshot
    }
  }

  #keep(siteId: string, held: Held, snapshot: SiteSnapshot): void {
    if (this.#held.get(siteId) !== held) return
    this.#reading.delete(siteId)
    held.snapshot = snapshot
    held.bytes = bytesOf(snapshot)
    this.#bytes += held.bytes
    for (const { head } of snapshot.variants.values()) {
      const showing = this.#showing.get(head.lineId) ?? new Set()
      this.#showing.set(head.lineId, showing.add(siteId))
    }
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= maxBytes) break
      this.#drop(oldest)
    }
  }

  #abandon(siteId: string, held: Held): void {
    if (this.#held.get(siteId) === held) this.#drop(siteId)
  }

  #hear(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind === 'site') this.#renew(change.id)
      else this.#renewShowing(change.id, change.seq)
    }
  }

  #renewShowing(lineId: string, seq: number): void {
    // It is not known yet which lines these will show.
    for (const { heard } of this.#reading.values()) heard.lines.set(lineId, seq)
    for (const siteId of this.#showing.get(lineId) ?? []) {
      const snapshot = this.#held.get(siteId)?.snapshot
      if (snapshot && showsOlder(snapshot, new Map([[lineId, seq]]))) this.#drop(siteId)
    }
  }

  #renew(siteId: string): void {
    const reading = this.#reading.get(siteId)
    if (reading) reading.heard.isTouched = true
    else this.#drop(siteId)
  }

  #drop(siteId: string): void {
    const held = this.#held.get(siteId)
    if (!held) return
    this.#held.delete(siteId)
    this.#reading.delete(siteId)
    this.#bytes -= held.bytes
    for (const { head } of held.snapshot?.variants.values() ?? []) {
      const showing = this.#showing.get(head.lineId)
      showing?.delete(siteId)
      if (showing?.size === 0) this.#showing.delete(head.lineId)
    }
  }
}

interface Moment {
  monotonic: number
  wall: number
}

const moment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() })

/**
 * The database returns a duration, and we count it from before the query, so it is never too long. One of our clocks
 * stops while the machine sleeps, and the other may be set back. The first one to reach the end counts, since being
 * early costs only a read.
 */
const after = ({ monotonic, wall }: Moment, ms: number): Moment => ({ monotonic: monotonic + ms, wall: wall + ms })

const hasCome = ({ monotonic, wall }: Moment) => performance.now() >= monotonic || Date.now() >= wall

const nothingHeard = (): Held['heard'] => ({ lines: new Map(), isTouched: false })

const showsOlder = ({ variants }: SiteSnapshot, lines: ReadonlyMap<string, number>) =>
  lines.size > 0 && [...variants.values()].some(({ head }) => (lines.get(head.lineId) ?? 0) > head.seq)

/** The approximate size in memory. */
function bytesOf({ structure, variants, redirectCount }: SiteSnapshot): number {
  return 4_000 + structure.sections.length * 1_000 + variants.size * 3_000 + redirectCount * 600
}
