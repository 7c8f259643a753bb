import { type Block, childBlocks, everyBlock, without } from '../content/blocks.ts'
import { notesLostWith, notesNamedIn } from '../content/notes.ts'
import { sql } from '../db/sql.ts'
import type { Scope } from '../expressions/compile.ts'
import type { App } from '../http/routes.ts'
import { asksForVisitor } from '../pages/evaluate.ts'
import { conditionOf, isShown } from './snapshots/conditions.ts'

/**
 * Returns the blocks without those hidden by conditions, and these. Includes and expressions stay as they are written,
 * and so do the conditions themselves, because index rows end there.
 */
export function hiddenApart(blocks: readonly Block[], scope: Scope): { shown: readonly Block[]; hidden: Block[] } {
  const hidden = [...hiddenIn(blocks, scope)]
  const open = without(blocks, hidden)
  const notes = notesLostWith(notesNamedIn(hidden), open)
  return { shown: without(open, notes), hidden: [...hidden, ...notes] }
}

function* hiddenIn(blocks: readonly Block[], scope: Scope): Generator<Block> {
  for (const block of blocks) {
    if (block.type === 'if' && !isBlockShown(block.expression, scope)) yield block
    else yield* hiddenIn(childBlocks(block), scope)
  }
}

/** As on the page: a condition that uses only variables is evaluated even if nothing is known of visitors. */
function isBlockShown(expression: string, scope: Scope): boolean {
  const condition = conditionOf(expression)
  const isUnknown = scope['visitor'] === undefined && typeof condition === 'object' && asksForVisitor(condition)
  return !isUnknown && isShown(condition, scope)
}

const conditionalDocs = new Map<string, boolean>()
const mostDocs = 200_000

/**
 * Returns which of these bodies contain conditions. A body never changes, so each is checked once. The result is
 * collected separately from the cache, which another request may clear while this one waits: a forgotten body must not
 * count as unconditional. The database may report too many, because it and the parser differ in which characters are
 * blanks.
 */
export async function listConditional(app: App, organizationId: string, docs: string[]): Promise<Set<string>> {
  const keyOf = (doc: string) => `${organizationId} ${doc}`
  const unknown = docs.filter((doc) => !conditionalDocs.has(keyOf(doc)))
  const conditional = new Set(docs.filter((doc) => conditionalDocs.get(keyOf(doc))))
  if (conditionalDocs.size > mostDocs) conditionalDocs.clear()
  for (let from = 0; from < unknown.length; from += 1_000) {
    const some = unknown.slice(from, from + 1_000)
    const suspects = await app.db.all(
      sql<{ hash: string }>`
      select hash from documents where organization_id = ${organizationId} and hash = any (${some}::text[])
        and markdown ~ '\\{%[^a-zA-Z]*if'`.asSlow(),
    )
    const suspected = new Set(suspects.map(({ hash }) => hash))
    for (const doc of some) {
      const isConditional = suspected.has(doc) && (await hasCondition(app, organizationId, doc))
      conditionalDocs.set(keyOf(doc), isConditional)
      if (isConditional) conditional.add(doc)
    }
  }
  return conditional
}

/** Parses the body, since the same characters may also be in a code block. */
async function hasCondition(app: App, organizationId: string, doc: string): Promise<boolean> {
  const { blocks } = await app.content.document(organizationId, doc)
  return [...everyBlock(blocks)].some(({ type }) => type === 'if')
}
