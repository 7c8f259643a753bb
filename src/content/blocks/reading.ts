import type * as mdast from 'mdast'
import type { Block } from '../blocks.ts'
import type { DocumentBlock, DocumentFragment, DocumentNode } from '../document/shape.ts'
import type { Inline } from '../inlines.ts'
import type { Attributes } from '../tree.ts'

/** The parts of a `{% name … %}` tag that a block is created from. Its content is already parsed. */
export interface TagContent {
  readonly name: string
  readonly rest: string
  readonly attributes: Attributes
  readonly blocks: readonly Block[]
  /** Whether there was a closing line; some blocks need none. */
  readonly closed: boolean
}

/** Passed to blocks that are created from a node of the Markdown parser. */
export interface MarkdownReader {
  blocks(nodes: readonly mdast.RootContent[]): Block[]
  inlines(nodes: readonly mdast.PhrasingContent[]): Inline[]
  /** Returns a literal of the parser as its author wrote it, including `{% %}` lines. */
  words(node: mdast.Nodes, value: string): string
  /** Returns the source of a node. */
  source(node: mdast.Nodes): string
}

/** Passed to blocks that are created from a node of a document sent as JSON. */
export interface DocumentReader {
  blocks(nodes: readonly DocumentNode[] | undefined): Block[]
  inlines(nodes: readonly DocumentNode[] | undefined): Inline[]
  fragment(node: DocumentBlock, type: string): DocumentFragment | undefined
  /** Returns the address for a content reference. */
  href(reference: unknown): string
  /** Reads Markdown that the document contains as such. */
  source(markdown: string): Block
}

export type BlockFromDocument = (node: DocumentBlock, read: DocumentReader) => Block | readonly Block[]

type Fields = { readonly data?: Record<string, unknown>; readonly extra?: Record<string, unknown> }

/** Returns a field of a node if it is a text and not empty. */
export function textField(node: Fields, name: string): string | undefined {
  const value = node.data?.[name] ?? node.extra?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function booleanField(node: Fields, name: string): boolean | undefined {
  const value = node.data?.[name] ?? node.extra?.[name]
  return typeof value === 'boolean' ? value : undefined
}

/** Returns those of the named fields of a node that are texts. */
export function textFields<Name extends string>(
  node: Fields,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const fields: { [N in Name]?: string } = {}
  for (const name of names) {
    const value = textField(node, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

/** Whether a node is marked with something that the format has no field for. */
export const saysExtra = (node: Fields, name: string): boolean => node.extra?.[name] === true

/**
 * Returns attributes without a field of their own, as documents contain them. `flags` are those for which the format
 * has a boolean.
 */
export function otherFields(others: Attributes | Record<string, string | true> = {}, flags: readonly string[] = []) {
  const data: Record<string, boolean> = {}
  const rest: Record<string, string | true> = {}
  for (const [name, value] of Object.entries(others)) {
    if (flags.includes(name)) data[name] = value !== 'false'
    else rest[name] = value
  }
  return { data, extra: { attributes: Object.keys(rest).length > 0 ? rest : undefined } }
}

/** The inverse of `otherFields`. `texts` are those for which the format has a text. */
export function othersFrom(
  node: Fields,
  flags: readonly string[] = [],
  texts: readonly string[] = [],
): { others?: Attributes } {
  const others: Record<string, string | true> = { ...attributesFrom(node.extra?.['attributes']) }
  for (const name of texts) {
    const value = textField(node, name)
    if (value !== undefined) others[name] = value
  }
  for (const name of flags) {
    const value = booleanField(node, name)
    if (value !== undefined) others[name] = String(value)
  }
  return Object.keys(others).length > 0 ? { others } : {}
}

/** Returns the entries that can be attributes of a tag. */
export function attributesFrom(value: unknown): Attributes | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const usable = Object.entries(value).filter(
    (entry): entry is [string, string | true] =>
      /^[A-Za-z_][\w:.-]{0,99}$/.test(entry[0]) && (typeof entry[1] === 'string' || entry[1] === true),
  )
  return Object.fromEntries(usable)
}
