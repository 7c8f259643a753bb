import { otherAnchors, slug } from '../content/sections.ts'
import type { Db } from '../db/connect.ts'
import { derive } from '../derived/derive.ts'
import { includedBy } from '../pages/references.ts'
import { listBodies } from '../revisions/bodies.ts'
import { type Kind, file, listAll, page, reusable } from '../revisions/entries.ts'
import type { Bodies } from '../revisions/lines.ts'
import type { Revision } from '../revisions/revision.ts'
import type { Meaning } from './meaning.ts'
import { type Target, findFirstPage, findPagesByPath, listMainLines, listTargets } from './places.queries.ts'

export type Status = 'ok' | 'broken' | 'in-app'

/** The outcome of a link in a revision. */
export interface Settled {
  status: Status
  targetSpace: string | null
  /** The target; if it is gone, the id that the link names. */
  target: string | null
  /** The path that the link refers to, if it names no existing id. */
  wanted: string | null
  anchor: string | null
}

/** The revision in which links are looked up. */
export interface Ground {
  at: Revision
  /** Bodies that are already loaded. */
  bodies?: Bodies
}

/**
 * Looks up all links in a revision together. The number of queries depends on the links, not on the size of the space.
 */
export async function settle(db: Db, { at, bodies }: Ground, meanings: readonly Meaning[]): Promise<Settled[]> {
  const bySpace = Map.groupBy(meanings.filter(isContent), ({ space }) => space)
  const spaces = [...bySpace.keys()].filter((space) => space !== undefined)
  const lines = new Map<string | undefined, Revision>([[undefined, at]])
  for (const { spaceId, head } of await listMainLines(db, at.organizationId, spaces)) lines.set(spaceId, head)

  const found = new Map<Meaning, Settled>()
  for (const [space, asked] of bySpace) {
    const line = lines.get(space)
    const outcomes = line ? await settleIn(db, line, asked, bodies ?? new Map()) : asked.map(missing)
    asked.forEach((meaning, i) => found.set(meaning, outcomes[i]!))
  }
  const contents = meanings.some(({ to }) => to === 'file of a repository') ? await listAll(db, at, reusable) : []
  return meanings.map((meaning) => {
    if (meaning.to !== 'file of a repository') return found.get(meaning) ?? plain(meaning)
    const target = includedBy(meaning.file, contents) ?? null
    return { ...nothing, target, status: target === null ? 'broken' : 'ok' }
  })
}

type ToContent = Extract<Meaning, { to: 'content' }>

const isContent = (meaning: Meaning): meaning is ToContent => meaning.to === 'content'

const nothing = { targetSpace: null, target: null, wanted: null, anchor: null }

function plain({ to }: Meaning): Settled {
  return { ...nothing, status: to === 'app' ? 'in-app' : to === 'nowhere' ? 'broken' : 'ok' }
}

/** Limit for paths, because they are stored in an index that takes no longer values. No real pages are that deep. */
const maxPathBytes = 2_000

/** The row keeps what the link asks for, so that the link is found when that is created. */
function missing({ space, id, path, anchor }: ToContent): Settled {
  const isUsable = path !== undefined && Buffer.byteLength(path) <= maxPathBytes
  return {
    status: 'broken',
    targetSpace: space ?? null,
    target: id ?? null,
    wanted: isUsable ? path : null,
    anchor: anchor ?? null,
  }
}

const kinds: Record<string, Kind> = { page, file, 'reusable-content': reusable }

async function settleIn(db: Db, at: Revision, asked: readonly ToContent[], bodies: Bodies): Promise<Settled[]> {
  const ids = new Set(asked.flatMap(({ id }) => id ?? []))
  const byId = new Map((await listTargets(db, at, [...ids])).map((target) => [target.entry, target]))
  const named = ({ kind, id }: ToContent) => {
    const target = id === undefined ? undefined : byId.get(id)
    return target?.kind === kinds[kind!] ? target : undefined
  }
  const paths = asked.flatMap((meaning) => (named(meaning) ? [] : (missing(meaning).wanted ?? [])))
  const byPath = await findByPath(db, at, new Set(paths))

  const targets = asked.map((meaning) => {
    const { wanted } = missing(meaning)
    return named(meaning) ?? (wanted === null ? undefined : byPath.get(wanted))
  })
  const anchored = targets.filter((target, i) => target?.kind === page && asked[i]!.anchor !== undefined)
  const hasAnchor = await anchorsOf(db, at, anchored as Target[], bodies)
  return asked.map((meaning, i): Settled => {
    const target = targets[i]
    const { space, id, path, anchor } = meaning
    if (!target && (id !== undefined || path !== undefined)) return missing(meaning)
    const isThere = !target || target.kind !== page || anchor === undefined || hasAnchor(target, anchor)
    return {
      status: isThere ? 'ok' : 'broken',
      targetSpace: space ?? null,
      target: target?.entry ?? null,
      wanted: named(meaning) ? null : missing(meaning).wanted,
      anchor: anchor ?? null,
    }
  })
}

/** The empty path is the top-level README: the first page. */
async function findByPath(db: Db, at: Revision, paths: Set<string>): Promise<Map<string, Target>> {
  const found = await findPagesByPath(
    db,
    at,
    [...paths].filter((path) => path !== ''),
  )
  const byPath = new Map<string, Target>(found.map((target) => [target.path, target]))
  const first = paths.has('') ? await findFirstPage(db, at) : undefined
  return first ? byPath.set('', first) : byPath
}

type HasAnchor = (target: Target, anchor: string) => boolean

/** Loads a page only if a link names an anchor in it. A page without a body may have any anchor. */
async function anchorsOf(db: Db, at: Revision, targets: readonly Target[], bodies: Bodies): Promise<HasAnchor> {
  const docs = new Set(targets.flatMap(({ doc }) => doc ?? []))
  const texts = new Map([...docs].flatMap((doc) => (bodies.has(doc) ? [[doc, bodies.get(doc)!]] : [])))
  for (const { hash, markdown } of await listBodies(
    db,
    at.organizationId,
    [...docs].filter((doc) => !texts.has(doc)),
  ))
    texts.set(hash, markdown)

  return ({ doc, title }, anchor) => {
    const text = doc === null ? undefined : texts.get(doc)
    // The heading that became the title of the page is an anchor as well.
    return text === undefined || hasPlace(text, doc!, anchor) || (title !== null && slug(title) === anchor)
  }
}

function hasPlace(text: string, doc: string, anchor: string): boolean {
  const { sections, links } = derive(text, doc)
  if (sections.some((section) => section.anchor === anchor)) return true
  if (
    otherAnchors(sections.filter(({ level }) => level > 0))
      .values()
      .some((other) => other === anchor)
  )
    return true
  // An element may have its own id, and included content adds headings that are not known here.
  return hasId(text, anchor) || links.some(({ kind }) => kind === 'include')
}

const hasId = (text: string, id: string): boolean => text.includes(`id="${id}"`) || text.includes(`name="${id}"`)
