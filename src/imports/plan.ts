import type { Caller } from '../access/caller.ts'
import { onLevels } from '../content/levels.ts'
import { newEntry } from '../content/merge/entry.ts'
import { keyBetween } from '../content/positions.ts'
import type { Db } from '../db/connect.ts'
import { storable } from '../db/storable.ts'
import { type Batch, beginBatch } from '../editing/batch.ts'
import { type Plan, planOf } from '../editing/commit.ts'
import { variableId } from '../editing/operations/update-variables.ts'
import { freeSlug, FreeSlugs, slugFrom } from '../editing/slugs.ts'
import { newId } from '../ids.ts'
import {
  type PageData,
  type Reference,
  type ReusableData,
  asData,
  newFileEntry,
  newReusableEntry,
} from '../pages/entry-data.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Entry, page, top, variable } from '../revisions/entries.ts'
import type { Opened } from '../revisions/opened.ts'
import { firstCharacters } from '../shortened.ts'
import type { Asset } from './assets.ts'
import type { FoundPage } from './collected.ts'
import { titleOf } from './names.ts'
import type { PreparedImport } from './prepare.ts'
import type { TreeNode } from './tree.ts'

export interface Planning {
  db: Db
  caller: Caller
  /** The address of this installation. */
  url: string
  /** The page to import below. If undefined, the import goes to the end of the top level. */
  parent: string | undefined
}

/**
 * Plans what an import writes to a line: new entries after the existing ones. Existing entries are neither changed nor
 * replaced.
 */
export async function planPages(opened: Opened, prepared: PreparedImport, planning: Planning): Promise<Plan> {
  const files = new Map(prepared.files.map(({ id, incoming }) => [id, incoming]))
  const batch = beginBatch(opened, { ...planning, files, uploads: new Map() })
  const { draft } = batch
  for (const each of prepared.files) draft.put(fileEntry(each))
  for (const piece of prepared.pieces) addPiece(piece, batch, prepared)
  await addVariables(batch, prepared.variables)
  const placing = new Placing(batch, prepared)
  const parent = planning.parent ?? top
  await placing.addRoots(onLevels(prepared.tree, 'nodes', await draft.levelOf(parent)), parent)
  return planOf(batch, opened)
}

function addPiece({ id, title }: FoundPage, { draft, now }: Batch, { documents }: PreparedImport): void {
  const document = documents.get(id)!
  const data: ReusableData = {
    title: titleFor({ title, nodes: [] }),
    createdAt: now,
    updatedAt: now,
    ...(document.source && { source: storable(document.source) }),
  }
  draft.put(newReusableEntry(id, data))
  draft.written.set(id, document)
}

/** Adds the variables that the space does not have yet. */
async function addVariables({ draft, spaceId }: Batch, variables: PreparedImport['variables']): Promise<void> {
  const named = Object.entries(variables).map(([slug, value]) => ({ slug, value, id: variableId(spaceId, slug) }))
  await draft.loadSlots(named.map(({ slug }) => ({ parent: top, kind: variable, slug })))
  await draft.load(named.map(({ id }) => id))
  for (const { slug, value, id } of named) {
    if ((await draft.occupant({ parent: top, kind: variable, slug })) !== undefined) continue
    draft.put({ ...newEntry(id, variable), slug, data: asData({ value: storable(value) }) })
  }
}

class Placing {
  readonly #batch: Batch
  readonly #prepared: PreparedImport

  constructor(batch: Batch, prepared: PreparedImport) {
    this.#batch = batch
    this.#prepared = prepared
  }

  /** Adds nodes after everything that exists, under free slugs. */
  async addRoots(nodes: readonly TreeNode[], parent: string): Promise<void> {
    const { draft } = this.#batch
    const wanted = nodes.map((node) => this.#slugOf(node))
    await draft.loadSlots(wanted.map((slug) => ({ parent, kind: page, slug })))
    let left = (await draft.lastSibling(parent, ''))?.position ?? null
    const blocks = new Map<string, number>()
    for (const [index, node] of nodes.entries()) {
      const id = node.page?.id ?? newId()
      const slug = await freeSlug(draft, id, parent, wanted[index]!, blocks)
      left = keyBetween(id, left, null)
      this.#add(node, { id, parent, slug, position: left })
    }
  }

  /** Adds nodes below a new page, which has no other children. */
  #addBelow(nodes: readonly TreeNode[], parent: string): void {
    const free = new FreeSlugs()
    let left: string | null = null
    for (const node of nodes) {
      const id = node.page?.id ?? newId()
      const slug = free.next(this.#slugOf(node))
      free.take(slug)
      left = keyBetween(id, left, null)
      this.#add(node, { id, parent, slug, position: left })
    }
  }

  #add(node: TreeNode, { id, parent, slug, position }: { id: string; parent: string; slug: string; position: string }) {
    const { draft, now } = this.#batch
    // Groups are possible at the top level only. Further down, a page without content takes their place.
    const target = targetOf(node)
    const isLink = target !== undefined
    const isGroup = !node.page && !isLink && parent === top
    const hasBody = !isGroup && !isLink
    const document = node.page && this.#prepared.documents.get(node.page.id)
    const data: PageData = {
      ...document?.fields,
      type: isLink ? 'link' : isGroup ? 'group' : 'document',
      title: titleFor(node),
      ...(target && { target }),
      createdAt: now,
      updatedAt: now,
      ...(document?.source && { source: storable(document.source) }),
    }
    const entry: Entry = {
      entry: id,
      kind: page,
      state: 0,
      parent,
      slug,
      position,
      doc: hasBody ? bodyHash('') : null,
      refs: null,
      data: asData(data),
    }
    draft.put(entry)
    if (hasBody) draft.written.set(id, document ?? { fields: {}, body: '', source: undefined, links: [] })
    this.#addBelow(node.nodes, id)
  }

  /** Returns the slug as in the original address. The first page of all is named after its title. */
  #slugOf({ page: found, title, folder }: TreeNode): string {
    const isNamed = found && !found.isNumbered && found.key !== this.#prepared.root
    const last = isNamed ? found.key.split('/').at(-1) : found ? undefined : folder
    return slugFrom(last ? titleOf(last) : (ownTitle(found) ?? title))
  }
}

function targetOf({ link, leadsTo }: TreeNode): Reference | undefined {
  if (link !== undefined) return { kind: 'url', url: storable(link) }
  if (!leadsTo) return undefined
  const { page, anchor } = leadsTo
  return anchor === '' ? { kind: 'page', page: page.id } : { kind: 'anchor', page: page.id, anchor: storable(anchor) }
}

const ownTitle = (found: FoundPage | undefined) => (found?.isUntitled ? undefined : found?.title)

function titleFor({ page: found, title }: TreeNode): string {
  const words = storable(ownTitle(found) || title || found?.title || '')
    .replace(/\s+/g, ' ')
    .trim()
  return firstCharacters(words, 500) || 'Untitled'
}

function fileEntry({ id, name, incoming }: Asset): Entry {
  const { hash: blob, ...known } = incoming.blob
  return newFileEntry(id, { name, blob, ...known })
}
