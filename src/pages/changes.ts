import { type Hunk, diffLines } from '../content/diff.ts'
import { endedLike } from '../content/merge/endings.ts'
import { type Data, type Entry, type Json, sameJson, samePlace, valueAt } from '../content/merge/entry.ts'
import type { Db } from '../db/connect.ts'
import { listBodies } from '../revisions/bodies.ts'
import { file, listEntries, listWithAncestors, page, reusable, variable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { type FileData, fileData, pageData, variableData } from './entry-data.ts'
import { writePageSource } from './source.ts'
import { PageTree } from './tree.ts'

/** An entry before and after. One of them is missing if it was created or deleted. */
export interface ChangedEntry {
  before: Entry | undefined
  after: Entry | undefined
}

export type Attributes = Record<string, { before?: Json; after?: Json }>

/** The hashes of the texts, if the text changed. */
interface Bodies {
  bodies?: { before: string | null; after: string | null }
}

/** A change of one page, file, variable or reusable content. The entries are left for the presenter. */
export type SemanticChange =
  | { type: 'page_created' | 'page_deleted'; page: Entry }
  | ({ type: 'page_edited'; page: Entry; attributes: Attributes } & Bodies)
  | { type: 'page_moved'; page: Entry; parent: { before?: string; after?: string } }
  | { type: 'file_created' | 'file_deleted'; file: Entry }
  | { type: 'file_edited'; file: Entry; attributes: Attributes }
  | { type: 'variables_edited'; variables: Attributes }
  | { type: 'reusable_content_created' | 'reusable_content_deleted'; reusableContent: Entry }
  | ({ type: 'reusable_content_edited'; reusableContent: Entry; attributes: Attributes } & Bodies)

/**
 * Returns the changes between two states of the same entries, as people would describe them. Pages come first, then
 * files, reusable contents and variables. A change of dates only is not included.
 */
function semanticChanges(entries: readonly ChangedEntry[]): SemanticChange[] {
  const ofKind = (kind: Entry['kind']) => entries.filter(({ before, after }) => (after ?? before)?.kind === kind)
  const variables = ofKind(variable)
    .map(({ before, after }) => [(after ?? before)!.slug!, difference(valueOf(before), valueOf(after))] as const)
    .filter(([, change]) => change !== undefined)
  return [
    ...ofKind(page).flatMap(changesOfPage),
    ...ofKind(file).flatMap(changesOfFile),
    ...ofKind(reusable).flatMap(changesOfReusable),
    ...(variables.length > 0
      ? [{ type: 'variables_edited' as const, variables: Object.fromEntries(variables) as Attributes }]
      : []),
  ]
}

const valueOf = (entry: Entry | undefined) => (entry ? variableData(entry).value : undefined)

function changesOfPage({ before, after }: ChangedEntry): SemanticChange[] {
  if (!before) return after ? [{ type: 'page_created', page: after }] : []
  if (!after) return [{ type: 'page_deleted', page: before }]

  const named = attributesOf(before, after, pageAttributes)
  const attributes = Object.keys(named).length > 0 ? named : aboveBody(before, after)
  const changes: SemanticChange[] = []
  if (!samePlace(before, after)) {
    changes.push({ type: 'page_moved', page: after, parent: { before: before.parent, after: after.parent } })
  }
  if (Object.keys(attributes).length > 0) {
    changes.push({ type: 'page_edited', page: after, attributes, ...bodiesOf(attributes, before, after) })
  }
  return changes
}

/**
 * Returns the change of the front matter if no known field changed: a different order, or names without a meaning here.
 */
function aboveBody(before: Entry, after: Entry): Attributes {
  const frontMatter = difference(valueAt(before.data, 'source'), valueAt(after.data, 'source'))
  return frontMatter && written(before) !== written(after) ? { frontMatter } : {}
}

/**
 * Compared as Markdown: a page whose fields were set by other means is unchanged if a client sends back the Markdown it
 * read.
 */
const written = (entry: Entry) => writePageSource(pageData(entry), '')

const pageAttributes = [
  'type',
  'title',
  'description',
  'emoji',
  'icon',
  'cover',
  'layout',
  'variables',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'target',
  'computed',
]

/** Returns the attributes of a new page besides its title and text, as if all of them had been added. */
export function saidOfNew({ data }: Entry): Attributes {
  const names = pageAttributes.filter((name) => !['type', 'title', 'computed'].includes(name))
  const said = names.map((name) => [name, difference(undefined, valueAt(data, name))] as const)
  return Object.fromEntries(said.filter(([, value]) => value !== undefined)) as Attributes
}

function changesOfFile({ before, after }: ChangedEntry): SemanticChange[] {
  if (!before) return after ? [{ type: 'file_created', file: after }] : []
  if (!after) return [{ type: 'file_deleted', file: before }]
  const shown = (entry: Entry) => asShown(fileData(entry))
  const attributes = compare(shown(before), shown(after))
  return Object.keys(attributes).length > 0 ? [{ type: 'file_edited', file: after, attributes }] : []
}

function asShown({ name, contentType, size, width, height, blob }: FileData): Data {
  const shown: Data = { name, contentType, size, version: blob }
  if (width !== undefined && height !== undefined) shown['dimensions'] = { width, height }
  return shown
}

function changesOfReusable({ before, after }: ChangedEntry): SemanticChange[] {
  if (!before) return after ? [{ type: 'reusable_content_created', reusableContent: after }] : []
  if (!after) return [{ type: 'reusable_content_deleted', reusableContent: before }]
  const attributes = attributesOf(before, after, ['title'])
  if (Object.keys(attributes).length === 0) return []
  const bodies = bodiesOf(attributes, before, after)
  return [{ type: 'reusable_content_edited', reusableContent: after, attributes, ...bodies }]
}

const bodiesOf = (attributes: Attributes, { doc: before }: Entry, { doc: after }: Entry): Bodies =>
  attributes['document'] ? { bodies: { before, after } } : {}

function attributesOf(before: Entry, after: Entry, names: string[]): Attributes {
  const shown = (entry: Entry): Data =>
    Object.fromEntries([
      ...names.map((name) => [name, valueAt(entry.data, name)]),
      ['slug', entry.slug ?? undefined],
      ['document', entry.doc ?? undefined],
    ]) as Data
  return compare(shown(before), shown(after))
}

function compare(before: Data, after: Data): Attributes {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes = [...names].map((name) => [name, difference(before[name], after[name])] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== undefined)) as Attributes
}

function difference(before: Json | undefined, after: Json | undefined): Attributes[string] | undefined {
  if (sameJson(before, after)) return undefined
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

/** The changes of some entries from one revision to another, with the data to show them. */
export interface LoadedChanges {
  changes: SemanticChange[]
  /** The number of changes of each kind, including those that are not loaded. */
  counts: ReadonlyMap<SemanticChange['type'], number>
  /** The number of changes before these. */
  from: number
  /** The number of changes beyond the limit. */
  more: number
  /** The pages that the changes refer to, with all their ancestors, before and after. */
  before: PageTree
  after: PageTree
  diffs: Map<string, Hunk[]>
}

export async function changesBetween(
  db: Db,
  before: Revision | undefined,
  after: Revision,
  entries: string[],
  limit: number,
  from = 0,
): Promise<LoadedChanges> {
  const [old, current] = await Promise.all([
    before ? listEntries(db, before, entries) : [],
    listEntries(db, after, entries),
  ])
  const [oldById, currentById] = [byId(old), byId(current)]
  const all = semanticChanges(entries.toSorted().map((id) => ({ before: oldById.get(id), after: currentById.get(id) })))
  const first = from < all.length ? from : 0
  const changes = all.slice(first, first + limit)
  const named = changes.flatMap(pagesNamed)
  const [oldPages, currentPages, diffs] = await Promise.all([
    before ? listWithAncestors(db, before, named) : [],
    listWithAncestors(db, after, named),
    diffsOf(db, after.organizationId, changes),
  ])
  return {
    changes,
    counts: countsOf(all),
    from: first,
    more: all.length - first - changes.length,
    before: PageTree.of(oldPages),
    after: PageTree.of(currentPages),
    diffs,
  }
}

function countsOf(changes: readonly SemanticChange[]): LoadedChanges['counts'] {
  const counts = new Map<SemanticChange['type'], number>()
  for (const { type } of changes) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}

const byId = (entries: Entry[]) => new Map(entries.map((entry) => [entry.entry, entry]))

function pagesNamed(change: SemanticChange): string[] {
  if (!('page' in change)) return []
  const parents = 'parent' in change ? [change.parent.before, change.parent.after] : []
  return [change.page.entry, ...parents.filter((id) => id !== undefined)]
}

/** Nobody reads a comparison of longer texts: their change is reported without a diff. */
const mostCharacters = 512 * 1024

/**
 * Returns diffs by line, by the id of the page or reusable content. If an editor changed all line endings, that does
 * not count as a change of every line.
 */
async function diffsOf(db: Db, organizationId: string, changes: SemanticChange[]): Promise<Map<string, Hunk[]>> {
  const edited = changes.flatMap((change) => {
    if (!('bodies' in change) || !change.bodies) return []
    const { entry: id } = 'page' in change ? change.page : change.reusableContent
    return [{ id, ...change.bodies }]
  })
  const hashes = edited.flatMap(({ before, after }) => [before, after]).filter((hash) => hash !== null)
  const bodies = new Map((await listBodies(db, organizationId, hashes)).map(({ hash, markdown }) => [hash, markdown]))
  const textOf = (hash: string | null) => (hash === null ? '' : (bodies.get(hash) ?? ''))
  const pairs = edited.map(({ id, before, after }) => ({ id, before: textOf(before), after: textOf(after) }))
  const shown = pairs.filter(({ before, after }) => before.length + after.length <= mostCharacters)
  return new Map(shown.map(({ id, before, after }) => [id, diffLines(endedLike(before, after), after)]))
}
