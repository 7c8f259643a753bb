import { everyBlock } from '../content/blocks.ts'
import { type Evaluation, type Included, evaluate } from '../content/evaluate.ts'
import type { Entry } from '../content/merge/entry.ts'
import { type Document, parse } from '../content/parse.ts'
import { type Expression, type Scope, compile } from '../expressions/compile.ts'
import { ExpressionError } from '../expressions/error.ts'
import type { App } from '../http/routes.ts'
import { type Kind, listEntries, page, reusable, variable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { pageData, refsOf, variableData } from './entry-data.ts'
import { boundTo, includedBy } from './references.ts'
import { refsNow } from './refs-now.ts'
import { boundIds, withStableLinks } from './stable-links.ts'

/** More bodies than a page can reasonably include. The others are left out, with an error in their place. */
const mostIncluded = 500

/** How to treat expressions and conditions that depend on the visitor: show nothing, or leave them as they are. */
export type WithoutVisitor = 'hidden' | 'kept'

/** A visitor of a site: what is known about them (undefined: nothing), and which pages they may read. */
export interface ForVisitor {
  scope: Scope | undefined
  seesPage(id: string): boolean
}

/**
 * Evaluates a page or a reusable content for a reader: a visitor of a site, or a person about whom nothing is known.
 */
export async function evaluateFor(
  app: App,
  at: Revision,
  entry: Entry,
  document: Document,
  reader: WithoutVisitor | ForVisitor,
): Promise<Document> {
  const maySee = typeof reader === 'string' ? () => true : (id: string) => reader.seesPage(id)
  const [include, variables] = await Promise.all([
    loadIncluded(app, at, { entry, document }, maySee),
    app.content.entries(at, variable),
  ])
  const scope = {
    space: { vars: Object.fromEntries(variables.map((each) => [each.slug!, variableData(each).value])) },
    page: { vars: (entry.kind === page && pageData(entry).variables) || {} },
  }
  return evaluate(entry.entry, document, { include, compute: computeIn(scope, reader) })
}

/** Returns the document with its includes inserted, and nothing else evaluated. */
export async function dereference(
  app: App,
  at: Revision,
  entry: Entry,
  document: Document,
  which: 'all' | 'reusable-contents',
): Promise<Document> {
  const include = await loadIncluded(app, at, { entry, document }, () => true)
  return evaluate(entry.entry, document, {
    include(ref, within) {
      const found = include(ref, within)
      const isPage = typeof found === 'object' && found.kind === page
      return isPage && which === 'reusable-contents' ? 'later' : found
    },
    compute: () => 'later',
  })
}

function computeIn(scope: Record<string, unknown>, reader: WithoutVisitor | ForVisitor): Evaluation['compute'] {
  const visitor = typeof reader === 'string' ? undefined : reader.scope
  return (source) => {
    try {
      const expression = compile(source)
      if (visitor === undefined && asksForVisitor(expression)) {
        return reader === 'kept' ? 'later' : { error: 'There is no visitor' }
      }
      return { value: expression.evaluate({ ...visitor, ...scope }) }
    } catch (error) {
      if (error instanceof ExpressionError) return { error: error.message }
      throw error
    }
  }
}

/** Whether an expression depends on the visitor. If nothing is known about visitors, it has no value. */
export const asksForVisitor = ({ names }: Expression) => names.some(([first]) => first === 'visitor')

interface Content {
  entry: Entry
  document: Document
}

type Include = (ref: string, within: string) => (Included & { kind: Kind }) | 'hidden' | undefined

/** Loads all included content, including nested includes, level by level. */
async function loadIncluded(
  app: App,
  at: Revision,
  root: Content,
  maySee: (pageId: string) => boolean,
): Promise<Include> {
  const named = new Map<string, string>()
  const found = new Map<string, Content>()
  // Content that this reader may not see is left out without an error, which would reveal that it exists.
  const hidden = new Set<string>()
  const isSeen = (id: string) => {
    if (!maySee(id)) hidden.add(id)
    return !hidden.has(id)
  }
  const contents = includesOf(root.document).length > 0 ? await app.content.entries(at, reusable) : []
  for (let level = [root]; level.length > 0 && found.size < mostIncluded;) {
    const wanted = new Set<string>()
    for (const { entry, document } of level) {
      for (const ref of includesOf(document)) {
        const id = boundTo(ref, refsOf(entry))?.id ?? includedBy(ref, contents)
        if (id === undefined) continue
        named.set(nameOf(ref, entry.entry), id)
        if (!found.has(id)) wanted.add(id)
      }
    }
    const entries = await loadEntries(app, at, [...wanted].slice(0, mostIncluded), contents, isSeen)
    level = await Promise.all(
      entries.map(async (entry) => ({ entry, document: await app.content.document(at.organizationId, entry.doc) })),
    )
    for (const content of level) found.set(content.entry.entry, content)
  }
  const included = await withOwnLinks(app, at, [...found.values()], maySee)
  return (ref, within) => {
    const id = named.get(nameOf(ref, within)) ?? ''
    return hidden.has(id) ? 'hidden' : included.get(id)
  }
}

/**
 * An include is identified together with the text that contains it: elsewhere the same name may refer to something
 * else.
 */
const nameOf = (ref: string, within: string) => `${within} ${ref}`

function includesOf(document: Document): string[] {
  return [...everyBlock(document.blocks)].flatMap((block) => (block.type === 'include' ? [block.ref] : []))
}

/** Reusable contents are loaded already. Included pages are looked up. */
async function loadEntries(
  app: App,
  at: Revision,
  ids: string[],
  contents: readonly Entry[],
  maySee: (pageId: string) => boolean,
): Promise<Entry[]> {
  const known = new Map(contents.map((entry) => [entry.entry, entry]))
  const others = ids.filter((id) => !known.has(id))
  const pages = others.length === 0 ? [] : await listEntries(app.db, at, others)
  for (const each of pages) if (each.kind === page && maySee(each.entry)) known.set(each.entry, each)
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** The links of a text are resolved through its own refs. For use in another text they are rewritten as links by id. */
async function withOwnLinks(app: App, at: Revision, contents: Content[], maySee: (pageId: string) => boolean) {
  const refs = await Promise.all(contents.map(({ entry }) => refsNow(app.db, at, refsOf(entry), maySee)))
  const ids = [...new Set(refs.flatMap(boundIds))]
  const entries = ids.length === 0 ? [] : await listEntries(app.db, at, ids)
  const here = new Set(entries.flatMap(({ entry, kind }) => (kind !== page || maySee(entry) ? [entry] : [])))
  const included = contents.map(({ entry, document }, i) => {
    const text = withStableLinks(document, refs[i]!, here, 'includes stay')
    const stable = text === document.source ? document : parse(text)
    return [entry.entry, { id: entry.entry, kind: entry.kind, document: stable }] as const
  })
  return new Map(included)
}
