import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { presentChangeRequest } from '../change-requests/present.ts'
import type { ChangeRequest } from '../change-requests/queries.ts'
import { downloadUrl } from '../files/download.ts'
import { presentFile } from '../files/present.ts'
import type { App } from '../http/routes.ts'
import { isDerived } from '../openapi/generate/expand.ts'
import { presentOrganization } from '../organizations/present.ts'
import { findMembership } from '../organizations/queries.ts'
import { type View, presentPage, presentReusable, presentRevision } from '../pages/present.ts'
import { findMerged } from '../pages/snapshot.ts'
import { PageTree } from '../pages/tree.ts'
import { type Entry, file, listWithAncestors, page, reusable } from '../revisions/entries.ts'
import { findRevision } from '../revisions/lines.ts'
import type { Revision } from '../revisions/revision.ts'
import { seeSpace } from '../spaces/access.ts'
import { presentSpace } from '../spaces/present.ts'
import { findMadePages, isMade } from './made.ts'
import { listMainLines } from './places.queries.ts'
import type { ContentLocation } from './schema.ts'

/** Something in a space, by id. Without an id, the space itself. */
export interface Spot {
  spaceId: string
  entry: string | null
}

export type Location = Static<typeof ContentLocation>

/** The content from which links are resolved: a space in its current state, or as a change request has it. */
export interface Standpoint {
  organizationId: string
  spaceId: string
  main: Revision
  changeRequest?: { row: ChangeRequest; head: Revision }
}

/** Presents a place, once everything that was requested has been loaded. */
export type ShowLocation = (spot: Spot, anchor?: string | null) => Location | undefined

/** Loads all places of a response together. The caller must be allowed to see the spaces. */
export async function loadLocations(
  app: App,
  caller: Caller,
  from: Standpoint,
  spots: readonly Spot[],
): Promise<ShowLocation> {
  const bySpace = Map.groupBy(spots, ({ spaceId }) => spaceId)
  const others = [...bySpace.keys()].filter((id) => id !== from.spaceId)
  const [membership, lines] = await Promise.all([
    findMembership(app.db, from.organizationId, caller.user.id),
    listMainLines(app.db, from.organizationId, others),
  ])
  if (!membership) return () => undefined
  const organization = presentOrganization(membership, app.url)

  const grounds = new Map<string, Ground>()
  const load = async (spaceId: string, head: Revision, changeRequest?: ChangeRequest) => {
    const ids = bySpace.get(spaceId)?.flatMap(({ entry }) => entry ?? []) ?? []
    grounds.set(spaceId, await loadGround(app, caller, { spaceId, head, ids, changeRequest }))
  }
  const { changeRequest } = from
  await Promise.all([
    load(from.spaceId, changeRequest?.head ?? from.main, changeRequest?.row),
    // If the caller lost access to one of these spaces at this moment, the request fails as if there was no such space,
    // as the next request would.
    ...lines.map(({ spaceId, head }) => load(spaceId, head)),
  ])
  return ({ spaceId, entry }, anchor) => {
    const ground = grounds.get(spaceId)
    if (!ground) return undefined
    const { space, versionContext } = ground
    if (entry === null) return { kind: 'space', organization, space }
    const found = ground.show(entry)
    if (!found) return undefined
    const inside = found.kind === 'page' && anchor ? { internalLocation: { type: 'anchor' as const, anchor } } : {}
    return { ...found, organization, space, ...(versionContext && { versionContext }), ...inside }
  }
}

type Found =
  | { kind: 'page'; page: ReturnType<typeof presentPage> }
  | { kind: 'file'; file: ReturnType<typeof presentFile> }
  | { kind: 'reusable-content'; reusableContent: ReturnType<typeof presentReusable> }

/** The loaded data of one space in a response. */
interface Ground {
  space: ReturnType<typeof presentSpace>
  versionContext: Extract<Location, { kind: 'page' }>['versionContext']
  show(entry: string): Found | undefined
}

interface Wanted {
  spaceId: string
  head: Revision
  ids: string[]
  changeRequest: ChangeRequest | undefined
}

async function loadGround(app: App, caller: Caller, wanted: Wanted): Promise<Ground> {
  const { spaceId, head, ids, changeRequest } = wanted
  const [seen, made, revision, entries] = await Promise.all([
    seeSpace(app.db, caller, spaceId),
    ids.some(isDerived) ? findMadePages(app, head) : undefined,
    changeRequest ? undefined : findContext(app, spaceId, head),
    listWithAncestors(app.db, head, ids),
  ])
  const tree = PageTree.of(entries)
  const space = presentSpace(seen, app.hosts)
  const view: View = {
    appUrl: `${space.urls.app}/${changeRequest ? `~/changes/${changeRequest.number}/` : ''}`,
    withGit: true,
  }
  return {
    space,
    versionContext: changeRequest
      ? { type: 'changeRequest', changeRequest: presentChangeRequest(changeRequest, app.url) }
      : revision && { type: 'revision', revision: { ...revision(view), ...noContent } },
    show(id) {
      if (made && isMade(made, id)) return present(app, spaceId, made.tree, made.tree.byId.get(id)!, view)
      const entry = tree.byId.get(id)
      return entry && present(app, spaceId, tree, entry, view)
    },
  }
}

async function findContext(app: App, spaceId: string, { organizationId, id }: Revision) {
  const row = await findRevision(app.db, organizationId, spaceId, id)
  const mergedFrom = row && (await findMerged(app, row))
  return row && ((view: View) => ({ ...presentRevision(row, view), ...(mergedFrom && { mergedFrom }) }))
}

/** Including a whole space with each link would be too much. */
const noContent = { variables: {}, pages: [], files: [], reusableContents: [] }

function present(app: App, spaceId: string, tree: PageTree, entry: Entry, view: View): Found | undefined {
  switch (entry.kind) {
    case page: {
      const shown = presentPage(tree, entry, view)
      return { kind: 'page', page: 'pages' in shown ? { ...shown, pages: [] } : shown }
    }
    case file:
      return { kind: 'file', file: presentFile(entry, downloadUrl(app, spaceId, entry)) }
    case reusable:
      return { kind: 'reusable-content', reusableContent: presentReusable(entry, view) }
    default:
      return undefined
  }
}
