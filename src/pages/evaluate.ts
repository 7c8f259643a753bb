import { everyBlock } from '../content/blocks.ts'
import { type Evaluation, evaluate } from '../content/evaluate.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { Document } from '../content/parse.ts'
import { type Expression, compile } from '../expressions/compile.ts'
import { ExpressionError } from '../expressions/error.ts'
import type { App } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { listEntries, reusable, variable } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { pageData, refsOf, reusableData, variableData } from './entry-data.ts'
import { boundTo } from './references.ts'

/** More bodies than a page can sensibly be made of. What lies behind them is missing, and says so. */
const mostIncluded = 500

/** What becomes of expressions and conditions that ask for the visitor: nothing is shown, or they stay as they are. */
export type WithoutVisitor = 'hidden' | 'kept'

/** A page, or a reusable content, as a reader sees it of whom nothing is known. */
export async function evaluateFor(
  app: App,
  at: Revision,
  entry: Entry,
  document: Document,
  withoutVisitor: WithoutVisitor,
): Promise<Document> {
  const [included, variables] = await Promise.all([
    loadIncluded(app, at, entry, document),
    app.content.entries(at, variable),
  ])
  const scope = {
    space: { vars: Object.fromEntries(variables.map((each) => [each.slug!, variableData(each).value])) },
    page: { vars: (entry.kind === 1 && pageData(entry).variables) || {} },
  }
  return evaluate(document, { resolveInclude: (ref) => included.get(ref), compute: computeIn(scope, withoutVisitor) })
}

function computeIn(scope: Record<string, unknown>, withoutVisitor: WithoutVisitor): Evaluation['compute'] {
  return (source) => {
    try {
      const expression = compile(source)
      if (asksForVisitor(expression)) return withoutVisitor === 'kept' ? 'later' : { error: 'There is no visitor' }
      return { value: expression.evaluate(scope) }
    } catch (error) {
      if (error instanceof ExpressionError) return { error: error.message }
      throw error
    }
  }
}

export const asksForVisitor = ({ names }: Expression) => names.some(([first]) => first === 'visitor')

/** Everything that is included, and what that includes, by the address in the text. Read level by level. */
async function loadIncluded(app: App, at: Revision, entry: Entry, document: Document): Promise<Map<string, Document>> {
  const found = new Map<string, Document>()
  let level = [{ entry, document }]
  const contents = includesOf(document).length > 0 ? await app.content.entries(at, reusable) : []
  while (level.length > 0 && found.size < mostIncluded) {
    const wanted = new Map<string, string>()
    for (const { entry, document } of level) {
      for (const ref of includesOf(document)) {
        const id = found.has(ref) ? undefined : (boundTo(ref, refsOf(entry))?.id ?? idOf(ref, contents))
        if (id !== undefined) wanted.set(ref, id)
      }
    }
    const entries = await loadEntries(app, at, [...wanted.values()], contents)
    level = await Promise.all(
      [...wanted]
        .flatMap(([ref, id]) => (entries.has(id) ? [{ ref, entry: entries.get(id)! }] : []))
        .slice(0, mostIncluded)
        .map(async ({ ref, entry }) => {
          const document = await app.content.document(at.organizationId, entry.doc)
          found.set(ref, document)
          return { entry, document }
        }),
    )
  }
  return found
}

function includesOf(document: Document): string[] {
  return [...everyBlock(document.blocks)].flatMap((block) => (block.type === 'include' ? [block.ref] : []))
}

/** By its id, or by the file that it is in a repository: `../.gitbook/includes/note.md`. */
function idOf(ref: string, contents: readonly Entry[]): string | undefined {
  if (isId(ref)) return ref
  const path = ref.replace(/^(\.{0,2}\/)+/, '')
  return contents.find((entry) => {
    const own = reusableData(entry).git?.path
    return own !== undefined && (own === path || own.endsWith(`/${path}`))
  })?.entry
}

/** Reusable contents are at hand; a page that is included is looked up. */
async function loadEntries(app: App, at: Revision, ids: string[], contents: readonly Entry[]) {
  const known = new Map(contents.map((entry) => [entry.entry, entry]))
  const pages = await listEntries(
    app.db,
    at,
    ids.filter((id) => !known.has(id)),
  )
  for (const page of pages) if (page.kind === 1) known.set(page.entry, page)
  return known
}
