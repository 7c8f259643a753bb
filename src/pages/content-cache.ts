import type { Database } from '../db/connect.ts'
import { type Document, parse } from '../content/parse.ts'
import { KeptAnswer } from '../http/kept.ts'
import { findBody } from '../revisions/bodies.ts'
import { ByteCache } from '../revisions/cache.ts'
import { type Entry, type Kind, listAll, listChanged, listOverlay, page } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { PageTree } from './tree.ts'

/** The approximate memory of an entry, with its place in a tree and the output cached for it. */
const entryBytes = 1_400

/** A parsed body takes several times the size of its text, and some memory even for the shortest one. */
const documentBytes = 2_000
const bytesPerCharacter = 10

const mostLines = 10_000

/** Returns the generated body with this name, or undefined for a body that somebody wrote. */
export type Generate = (organizationId: string, doc: string) => Promise<string> | undefined

/**
 * Cache of content. Every key names a revision or a body, and those never change, so nothing here can be out of date.
 * Which revision is the newest is queried from the database each time.
 */
export class ContentCache {
  readonly #db: Database
  readonly #kept: ByteCache
  readonly #generate: Generate | undefined
  /** For each main line, the revision whose tree was built last. The next tree is built from it. */
  readonly #lastTrees = new Map<string, Revision>()

  /** `generate` returns the bodies of generated pages. */
  constructor(db: Database, { kept = new ByteCache(), generate }: { kept?: ByteCache; generate?: Generate } = {}) {
    this.#db = db
    this.#kept = kept
    this.#generate = generate
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  /** For tests that check what is read again. */
  forget(): void {
    this.#kept.clear()
    this.#lastTrees.clear()
  }

  /** Returns the tree of a revision if it is cached. */
  async knownTree(at: Revision): Promise<PageTree | undefined> {
    return this.#kept.find<PageTree>(`tree ${keyOf(at)}`)
  }

  tree(at: Revision): Promise<PageTree> {
    return this.#kept.keep(
      `tree ${keyOf(at)}`,
      () => this.#makeTree(at),
      ({ byId }) => (byId.size + 1) * entryBytes,
    )
  }

  /** Returns all entries of a kind other than pages, sorted by id. `entryWith` finds one of them. */
  entries(at: Revision, kind: Exclude<Kind, 1>): Promise<readonly Entry[]> {
    return this.#kept.keep(
      `entries ${kind} ${keyOf(at)}`,
      async () => (await listAll(this.#db, at, kind)).toSorted((a, b) => (a.entry < b.entry ? -1 : 1)),
      ({ length }) => (length + 1) * entryBytes,
    )
  }

  /** Returns a body as written. */
  async body(organizationId: string, doc: string | null): Promise<string> {
    if (doc === null) return ''
    const make = () => this.#findBody(organizationId, doc)
    return this.#kept.keep(`body ${organizationId} ${doc}`, make, ({ length }) => 2 * length)
  }

  /** Returns a body as a tree. If the caller has the text, passing it as `markdown` saves a lookup. */
  async document(organizationId: string, doc: string | null, markdown?: string): Promise<Document> {
    if (doc === null) return parse('')
    const make = async () => parse(markdown ?? (await this.#findBody(organizationId, doc)))
    return this.#kept.keep(`document ${organizationId} ${doc}`, make, bytesOf)
  }

  /**
   * The same for callers that read a large number of bodies once each: the result is not cached, so it does not
   * displace anything.
   */
  async documentOnce(organizationId: string, doc: string | null): Promise<Document> {
    if (doc === null) return parse('')
    const known = await this.#kept.find<Document>(`document ${organizationId} ${doc}`)
    return known ?? parse(await this.#findBody(organizationId, doc))
  }

  /** Returns a whole answer as bytes. `name` identifies everything that it depends on besides the revision. */
  answer(at: Revision, name: string, make: () => Promise<unknown>): Promise<KeptAnswer> {
    const key = `answer ${keyOf(at)} ${name}`
    const grow = (bytes: number) => {
      const kept = this.#kept.find(key)
      if (kept) this.#kept.grow(key, kept, bytes)
    }
    return this.#kept.keep(
      key,
      async () => new KeptAnswer(await make(), grow),
      ({ bytes }) => bytes.length,
    )
  }

  async #findBody(organizationId: string, doc: string): Promise<string> {
    return (await this.#generate?.(organizationId, doc)) ?? findBody(this.#db, organizationId, doc)
  }

  async #makeTree(at: Revision): Promise<PageTree> {
    const tree = (await this.#fromAnother(at)) ?? PageTree.of(await listAll(this.#db, at, page))
    if (!at.base && (this.#lastTrees.get(at.lineId)?.seq ?? 0) <= at.seq) {
      if (this.#lastTrees.size >= mostLines) this.#lastTrees.clear()
      this.#lastTrees.set(at.lineId, at)
    }
    return tree
  }

  /**
   * Builds the tree from a cached one and the changes since, or the overlay of a branch. This is cheaper than reading
   * all of it.
   */
  async #fromAnother(at: Revision): Promise<PageTree | undefined> {
    const below = this.#lastTrees.get(at.base?.lineId ?? at.lineId)
    const wantedSeq = at.base?.seq ?? at.seq
    // A space that moved to another organization took its line along: a query for changes in the old organization would
    // find nothing.
    if (!below || below.organizationId !== at.organizationId || below.seq > wantedSeq) return undefined
    const tree = await this.#kept.find<PageTree>(`tree ${keyOf(below)}`)
    if (!tree) return undefined

    const upTo = { ...below, seq: wantedSeq }
    const [since, own] = await Promise.all([
      below.seq === wantedSeq ? [] : listChanged(this.#db, upTo, below.seq, page),
      at.base ? listOverlay(this.#db, at) : [],
    ])
    return tree.with(since).with(own.filter(({ kind, state }) => kind === page && state !== 2))
  }
}

/** Uses binary search: a page may refer to many of the files of a space, and a space may have thousands. */
export function entryWith(entries: readonly Entry[], id: string): Entry | undefined {
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (entries[middle]!.entry < id) from = middle + 1
    else to = middle
  }
  return entries[from]?.entry === id ? entries[from] : undefined
}

/** A branch without a revision of its own has the id, and the content, of the main revision it is based on. */
const keyOf = ({ organizationId, id }: Revision) => `${organizationId} ${id}`

const bytesOf = ({ source }: Document) => documentBytes + source.length * bytesPerCharacter
