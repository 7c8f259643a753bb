import { type Data, type Entry, type Row, gone, isHere } from '../../content/merge/entry.ts'
import { FreeSlugs } from '../../editing/slugs.ts'
import { derivedId } from '../../ids.ts'
import { type ComputedSource, type PageData, asData, pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { knownLanguage, wordsFor } from '../../published/words/words.ts'
import { page as pageKind } from '../../revisions/entries.ts'
import { BlobMissing } from '../../storage/store.ts'
import { at, isTrue, objectAt, textAt } from '../draw/json.ts'
import type { Spec } from '../draw/spec.ts'
import type { NewestVersion } from '../queries.ts'
import { type GeneratedPage, type PageSource, outlineOf } from './outline.ts'

/** Where specifications are looked up. */
export interface SpecShelf {
  newest(organizationId: string, names: readonly string[]): Promise<NewestVersion[]>
  spec(organizationId: string, version: Pick<NewestVersion, 'id' | 'document_blob'>): Promise<Spec>
  /** Returns the language of the space that the line belongs to. */
  language(organizationId: string, lineId: string): Promise<string | null>
}

/** The owner of the pages: a line of a space, or something treated like one in this language. */
export type Asking = { organizationId: string } & ({ lineId: string } | { language: string | null })

/** A tree with the pages generated from specifications, and a stamp of the versions they were generated from. */
export interface Expanded {
  tree: PageTree
  stamp: string
}

/**
 * Limit per space, for all placeholders together: a few lines could ask for millions of pages, and each of them is
 * drawn in menus and lists.
 */
const mostPages = 5_000

/**
 * Puts the pages generated from a specification in place of the page that requests them. They are not stored: a new
 * version of the specification yields other pages, and does not affect the pages that people wrote beside them.
 */
export async function expandPages(app: { openapi: SpecShelf }, asking: Asking, tree: PageTree): Promise<Expanded> {
  const placeholders = placeholdersIn(tree)
  if (placeholders.length === 0) return { tree, stamp: '' }
  const slugs = [...new Set(placeholders.map(({ slug }) => slug))].toSorted()
  const { organizationId } = asking
  const [versions, written] = await Promise.all([
    app.openapi.newest(organizationId, slugs),
    'lineId' in asking ? app.openapi.language(organizationId, asking.lineId) : asking.language,
  ])
  const language = knownLanguage(written ?? 'en')
  const stamp = stampOf(versions, language)
  const known = expanded.get(tree)
  if (known?.stamp === stamp) return known

  const bySlug = new Map(versions.map((version) => [version.slug, version]))
  const rows: Row[] = []
  const slugsBelow = new Map<string, Set<string>>()
  let left = mostPages
  for (const placeholder of placeholders) {
    const version = bySlug.get(placeholder.slug)
    // Nothing could be read from it yet, so the placeholder stays.
    const spec = version && (await app.openapi.spec(organizationId, version).catch(unlessGone))
    if (!version || !spec) continue
    const { pages, count } = outlineOnce(spec, placeholder.models, language)
    // The limit would be exceeded, so this placeholder stays as well.
    if (count > left) continue
    left -= count
    const taken = takenBelow(placeholder.entry.parent, tree, slugsBelow)
    for (const row of rowsFor({ ...placeholder, language, taken }, version, pages)) rows.push(row)
  }
  const made = { tree: rows.length === 0 ? tree : tree.with(rows), stamp }
  expanded.set(tree, made)
  return made
}

/** English is the default and left out, so that existing ETags and addresses stay the same. */
const stampOf = (versions: readonly NewestVersion[], language: string) =>
  [...versions.map(({ id }) => id), ...(versions.length > 0 ? said(language) : [])].join(' ')

const said = (language: string): string[] => (language === 'en' ? [] : [language])

/** The store has lost the file. The rest of the space must remain readable. */
function unlessGone(error: unknown): undefined {
  if (error instanceof BlobMissing) return undefined
  throw error
}

/** Trees never change, and those of old revisions are garbage-collected. */
const expanded = new WeakMap<PageTree, Expanded>()
const placeholdersOf = new WeakMap<PageTree, readonly Placeholder[]>()

interface Placeholder {
  entry: Entry
  /** The slug of the specification. */
  slug: string
  models: boolean
}

/** Whether pages are to be generated. Synchronous, for callers that have the tree. */
export const hasPlaceholders = (tree: PageTree) => placeholdersIn(tree).length > 0

/** Returns the slugs of the specifications that pages of a tree are generated from. */
export const specsAskedFor = (tree: PageTree): string[] => placeholdersIn(tree).map(({ slug }) => slug)

function placeholdersIn(tree: PageTree): readonly Placeholder[] {
  const known = placeholdersOf.get(tree)
  if (known) return known
  const found = [...tree.byId.values()].flatMap((entry): Placeholder[] => {
    const slug = specMadeFrom(entry)
    return slug === undefined ? [] : [{ entry, slug, models: isTrue(pageData(entry).computed?.props, 'models') }]
  })
  // By age: the older one keeps its addresses when another one is added or moved.
  const byAge = found.toSorted((a, b) => (a.entry.entry < b.entry.entry ? -1 : 1))
  placeholdersOf.set(tree, byAge)
  return byAge
}

/** Returns the slug of the specification that something is computed from. */
export function specOf(source: ComputedSource | undefined): string | undefined {
  if (source?.type !== 'builtin:openapi') return undefined
  const ref = objectAt(objectAt(source.dependencies, 'spec'), 'ref')
  return at(ref, 'kind') === 'openapi' ? textAt(ref, 'spec') : undefined
}

/** Returns the slug of the specification that pages are generated from in place of this entry. */
export function specMadeFrom(row: Row): string | undefined {
  if (!isHere(row) || row.kind !== pageKind) return undefined
  const { type, computed } = pageData(row)
  return type === 'computed' ? specOf(computed) : undefined
}

interface Outline {
  pages: readonly GeneratedPage[]
  count: number
}

const outlines = new WeakMap<Spec, Map<string, Outline>>()

/** Cached because a specification never changes, and many pages may ask for the same one. */
function outlineOnce(spec: Spec, models: boolean, language: string): Outline {
  const known = outlines.get(spec) ?? new Map<string, Outline>()
  outlines.set(spec, known)
  const name = `${models} ${language}`
  let outline = known.get(name)
  if (!outline) {
    const pages = outlineOf(spec, { models, words: wordsFor(language) })
    outline = { pages, count: countOf(pages) }
    known.set(name, outline)
  }
  return outline
}

const countOf = (pages: readonly GeneratedPage[]): number =>
  pages.reduce((count, page) => count + 1 + countOf(page.pages), 0)

/** Returns the slugs in use below a parent. The caller adds those of the generated pages. */
function takenBelow(parent: string, tree: PageTree, known: Map<string, Set<string>>): Set<string> {
  const taken = known.get(parent) ?? new Set(tree.childrenOf(parent).map(({ slug }) => slug!))
  known.set(parent, taken)
  return taken
}

function rowsFor(
  { entry, slug, language, taken }: Placeholder & { language: string; taken: Set<string> },
  version: NewestVersion,
  outline: readonly GeneratedPage[],
): Row[] {
  const [inLanguage] = said(language)
  const rows: Row[] = [gone(entry.entry, entry.kind, 1)]

  const idOf = ({ key }: GeneratedPage) => idOfGenerated(entry.entry, slug, key)
  const place = (pages: readonly GeneratedPage[], parent: string, above: string, taken: Set<string>): void => {
    const free = new FreeSlugs(taken)
    for (const [index, page] of pages.entries()) {
      const id = idOf(page)
      const below = page.pages.map(idOf)
      const own = free.next(page.slug)
      free.take(own)
      rows.push({
        entry: id,
        kind: entry.kind,
        state: 0,
        parent,
        slug: own,
        // After the page that requested them and before its next sibling: `!` sorts before every digit of a position.
        position: `${above}!${String(index).padStart(5, '0')}`,
        doc: bodyName({
          versionId: version.id,
          slug,
          source: page.source,
          below,
          ...(inLanguage !== undefined && { language: inLanguage }),
        }),
        refs: null,
        data: dataOf(pageData(entry), slug, page),
      })
      place(page.pages, id, '', new Set())
    }
  }
  // The slug of the placeholder is free for the pages generated from it, and for no others.
  taken.delete(entry.slug!)
  place(outline, entry.parent, entry.position ?? '', taken)
  taken.add(entry.slug!)
  return rows
}

/** The page that requested them determines who may see them, by which variables, and whether they are listed. */
function dataOf(asking: PageData, slug: string, { source, title, description, icon }: GeneratedPage): Data {
  const { hidden, noIndex, noRobotsIndex, condition, variables, createdAt, updatedAt } = asking
  return asData({
    type: 'document',
    title,
    description,
    icon,
    ...(source.doc !== 'info' && { layout: { width: 'wide' } }),
    hidden,
    noIndex,
    noRobotsIndex,
    condition,
    variables,
    computed: {
      type: 'builtin:openapi',
      props: { ...source },
      dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
    },
    createdAt,
    updatedAt,
  })
}

/** No page that somebody wrote has an id of this version (8), so generated pages can be recognized by it. */
export const idOfGenerated = (...parts: string[]) => derivedId(JSON.stringify(parts))

/** Whether the page with this id was generated. */
export const isDerived = (id: string) => id.charAt(14) === '8'

const prefix = 'openapi '

/** Everything that the body of a generated page is made from. */
export interface GeneratedBody {
  versionId: string
  slug: string
  source: PageSource
  /** The ids of the pages below it. */
  below: string[]
  /** The language of the words that do not come from the specification, if it is not English. */
  language?: string
}

/**
 * Returns the name of a generated body, which it has in place of a hash. What the name refers to never changes either.
 */
function bodyName(body: GeneratedBody): string {
  return prefix + JSON.stringify(body)
}

export function readBodyName(doc: string): GeneratedBody | undefined {
  return doc.startsWith(prefix) ? (JSON.parse(doc.slice(prefix.length)) as GeneratedBody) : undefined
}
