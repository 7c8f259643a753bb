import type { Block } from '../../content/blocks.ts'
import type { Inline } from '../../content/inlines.ts'
import { parse } from '../../content/parse.ts'
import { write } from '../../content/write.ts'
import { english } from '../../published/words/english.ts'
import { type Words, fill } from '../../published/words/words.ts'
import { shortened } from '../../shortened.ts'
import { furtherOf } from '../draw/further.ts'
import { objectAt, textAt } from '../draw/json.ts'
import type { Operation, Spec } from '../draw/spec.ts'
import { type PageSource, tagsIn } from './outline.ts'

/** The same limit as for what a page draws. */
const mostOperations = 1_000
const mostSchemas = 1_000

/**
 * Returns the text of a page generated from a specification: the description of its tag, then a block for each
 * operation. A page that would be empty links to the pages below it.
 */
export function bodyOf(
  spec: Spec,
  slug: string,
  source: PageSource,
  { below = [], words = english }: { below?: readonly string[]; words?: Words } = {},
): string {
  const blocks = source.doc === 'models' ? schemaBlocks(spec, slug, words) : tagBlocks(spec, slug, source, words)
  return write({ source: '', parsed: [], blocks: blocks.length > 0 ? blocks : below.map(reference) })
}

function tagBlocks(spec: Spec, slug: string, { doc, page }: { doc: string; page: string }, words: Words): Block[] {
  const { described, operations, first } = tagsIn(spec)
  const tag = described.get(page)
  return [
    ...description(textAt(tag, 'description')),
    ...further(tag, words),
    ...(page === first ? furtherOfAll(spec, words) : []),
    ...(doc === 'operations' ? operationBlocks(slug, operations.get(page) ?? [], words) : []),
  ]
}

/**
 * Returns the link to further documentation of the whole specification. As this has no page of its own, the first page
 * shows it.
 */
function furtherOfAll({ document }: Spec, words: Words): Block[] {
  const title = textAt(objectAt(document, 'info'), 'title')
  return further(document, title === undefined ? words : { ...words, readMore: title })
}

function further(holder: unknown, words: Words): Block[] {
  const found = furtherOf(holder, words)
  if (!found) return []
  const { href, title } = found
  return [{ type: 'paragraph', inlines: [{ type: 'link', href, inlines: [{ type: 'text', text: title }] }] }]
}

const reference = (pageId: string): Block => ({ type: 'content-ref', url: `/pages/${pageId}`, blocks: [] })

function operationBlocks(slug: string, operations: readonly Operation[], words: Words): Block[] {
  return [
    ...operations
      .slice(0, mostOperations)
      .flatMap((operation) => [heading(titleOf(operation)), block(slug, operation)]),
    ...rest(operations.length - mostOperations, words),
  ]
}

/** Readers need to see that this is not everything. */
function rest(count: number, { notShown }: Words): Block[] {
  if (count <= 0) return []
  return [{ type: 'paragraph', inlines: [{ type: 'text', text: fill(notShown, count) }] }]
}

/** Returns the title of an operation. */
export const titleOf = ({ operation, method, path }: Operation) =>
  textAt(operation, 'summary') ?? textAt(operation, 'operationId') ?? `${method.toUpperCase()} ${path}`

/** Returns the line that shows an operation on a page. */
export const lineOf = (slug: string, operation: Operation): string =>
  write({ source: '', parsed: [], blocks: [block(slug, operation)] }).trim()

function block(spec: string, { method, path, isWebhook }: Operation): Block {
  return isWebhook
    ? { type: 'openapi-webhook', spec, name: path, method, blocks: [] }
    : { type: 'openapi-operation', spec, path, method, blocks: [] }
}

function schemaBlocks(spec: Spec, slug: string, words: Words): Block[] {
  const names = spec.schemaNames
  return [
    ...names
      .slice(0, mostSchemas)
      .flatMap((name): Block[] => [heading(name), { type: 'openapi-schemas', spec: slug, schemas: name, blocks: [] }]),
    ...rest(names.length - mostSchemas, words),
  ]
}

const heading = (text: string): Block => ({
  type: 'heading',
  level: 2,
  inlines: [{ type: 'text', text: shortened(shortened(text.trim(), 2_000).replaceAll(/\s+/g, ' '), 200) }],
})

/**
 * Returns the description from the specification. It may come from any source, so anything that could refer to the
 * space is removed.
 */
function description(markdown: string | undefined): Block[] {
  const { blocks } = parse(shortened(markdown ?? '', 100_000))
  return blocks.flatMap(harmless)
}

const kept = new Set<Block['type']>([
  'paragraph',
  'heading',
  'list',
  'list-item',
  'quote',
  'code',
  'table',
  'divider',
  'details',
  'hint',
  'definition',
  'math',
])

function harmless(block: Block): Block[] {
  if (!kept.has(block.type)) return []
  // Copied without `range`, because the blocks are not part of the source of the page they are put into.
  const { range: _, ...copy } = withoutExpressions(block) as Block & { range?: unknown }
  // The page already has a title.
  if (copy.type === 'heading' && copy.level === 1) return [{ ...copy, level: 2 }]
  return 'blocks' in copy ? [{ ...copy, blocks: copy.blocks.flatMap(harmless) }] : [copy]
}

/** Replaces expressions by their source: they would be evaluated with the variables of the space. */
function withoutExpressions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExpressions)
  if (typeof value !== 'object' || value === null) return value
  const inline = value as Inline
  if (inline.type === 'expression') return { type: 'text', text: inline.source }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutExpressions(inner)]))
}
