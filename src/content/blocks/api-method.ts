import type { Block } from '../blocks.ts'
import type { Inline } from '../inlines.ts'
import { booleanValue, readAttributes, textValue } from '../markdown/tag.ts'
import type { Attributes } from '../tree.ts'
import type { Paragraph } from './paragraph.ts'
import type { Unknown } from './unknown.ts'

/**
 * Operations of an API that were described in a page: `{% swagger method="get" path="/x" %}` and, before 2021, `{%
 * api-method %}`. The important words are in their attributes, so those are shown in front of the content.
 */
export function shownOf(block: Unknown): readonly Block[] {
  const own = labelOf(block)
  if (block.name === 'api-method-summary') return block.blocks.map(emphasized)
  if (!parameterTags.has(block.name) || own.length === 0) return [...own, ...block.blocks]
  const item: Block = { type: 'list-item', blocks: [...own, ...block.blocks] }
  return [{ type: 'list', kind: 'unordered', loose: block.blocks.length > 0, blocks: [item] }]
}

const parameterTags: ReadonlySet<string> = new Set(['swagger-parameter', 'api-method-parameter'])

/** Returns the label that a tag has by itself; nothing for a tag that is not about an operation. */
export function labelOf({ name, rest }: Pick<Unknown, 'name' | 'rest'>): Paragraph[] {
  const label = labels.get(name)
  return label ? label(readAttributes(rest)).filter(({ inlines }) => inlines.length > 0) : []
}

type Label = (attributes: Attributes) => Paragraph[]

const labels: ReadonlyMap<string, Label> = new Map<string, Label>([
  ['swagger', (given) => [paragraph(strong(given['summary'])), operation(given, given['baseUrl'])]],
  ['swagger-parameter', (given) => [parameter(given)]],
  ['swagger-response', (given) => [paragraph(code(given['status']), words(given['description']))]],
  ['api-method', (given) => [operation(given, given['host'])]],
  ['api-method-headers', () => [paragraph(strong('Headers'))]],
  ['api-method-path-parameters', () => [paragraph(strong('Path parameters'))]],
  ['api-method-query-parameters', () => [paragraph(strong('Query parameters'))]],
  ['api-method-body-parameters', () => [paragraph(strong('Body parameters'))]],
  ['api-method-form-data-parameters', () => [paragraph(strong('Form data parameters'))]],
  ['api-method-parameter', (given) => [parameter(given)]],
  ['api-method-response-example', (given) => [paragraph(code(given['httpCode']))]],
])

function operation({ method, path }: Attributes, host: Attributes[string] | undefined): Paragraph {
  const address = (textValue(host) ?? '') + (textValue(path) ?? '')
  return paragraph(code([textValue(method)?.toUpperCase(), address].filter(Boolean).join(' ')))
}

function parameter({ name, type, in: place, required }: Attributes): Paragraph {
  const about = [textValue(type)?.trim(), textValue(place), booleanValue(required) ? 'required' : undefined]
  return paragraph(code(name), words(about.filter(Boolean).join(', ')))
}

/** Joins the parts of a line, leaving out empty ones. */
const paragraph = (...parts: (Inline | undefined)[]): Paragraph => ({
  type: 'paragraph',
  inlines: parts
    .filter((part) => part !== undefined)
    .flatMap((part, index): Inline[] => (index === 0 ? [part] : [{ type: 'text', text: ' ' }, part])),
})

type Said = Attributes[string] | undefined

const said = (value: Said): string => textValue(value)?.trim() ?? ''
const words = (value: Said): Inline | undefined => (said(value) ? { type: 'text', text: said(value) } : undefined)
const code = (value: Said): Inline | undefined => (said(value) ? { type: 'code', text: said(value) } : undefined)
const strong = (value: Said): Inline | undefined =>
  said(value) ? { type: 'strong', inlines: [{ type: 'text', text: said(value) }] } : undefined

const emphasized = (block: Block): Block =>
  block.type === 'paragraph' ? { ...block, inlines: [{ type: 'strong', inlines: block.inlines }] } : block
