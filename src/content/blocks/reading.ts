import type * as mdast from 'mdast'
import type { Block } from '../blocks.ts'
import type { DocumentBlock, DocumentFragment, DocumentNode } from '../document/shape.ts'
import type { Inline } from '../inlines.ts'
import type { Attributes } from '../tree.ts'

/** What a block is made from when it was written as `{% name … %}`, with its content already read. */
export interface TagContent {
  readonly name: string
  readonly rest: string
  readonly attributes: Attributes
  readonly blocks: readonly Block[]
  /** Whether there was a closing line; some blocks do without. */
  readonly closed: boolean
}

/** Handed to blocks that are made from a node of the Markdown parser. */
export interface MarkdownReader {
  blocks(nodes: readonly mdast.RootContent[]): Block[]
  inlines(nodes: readonly mdast.PhrasingContent[]): Inline[]
  /** A literal of the parser as its author wrote it, `{% %}` lines included. */
  words(node: mdast.Nodes, value: string): string
  /** The source of a node. */
  source(node: mdast.Nodes): string
}

/** Handed to blocks that are made from a node of a document sent as JSON. */
export interface DocumentReader {
  blocks(nodes: readonly DocumentNode[] | undefined): Block[]
  inlines(nodes: readonly DocumentNode[] | undefined): Inline[]
  fragment(node: DocumentBlock, type: string): DocumentFragment | undefined
  /** The address that a content reference stands for. */
  href(reference: unknown): string
  /** Markdown that came as such. */
  source(markdown: string): Block
}

export type BlockFromDocument = (node: DocumentBlock, read: DocumentReader) => Block | readonly Block[]

type Fields = { readonly data?: Record<string, unknown>; readonly extra?: Record<string, unknown> }

/** A field of a node, if it is a text that says something. */
export function textField(node: Fields, name: string): string | undefined {
  const value = node.data?.[name] ?? node.extra?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function booleanField(node: Fields, name: string): boolean | undefined {
  const value = node.data?.[name] ?? node.extra?.[name]
  return typeof value === 'boolean' ? value : undefined
}

/** The named fields of a node that are texts. */
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

/** A node that says something about itself which the format has no word for. */
export const saysExtra = (node: Fields, name: string): boolean => node.extra?.[name] === true

/**
 * Attributes without a field of their own, as they travel in documents. `flags` are those for which the format has a
 * boolean.
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

/** The way back. `texts` are those for which the format has a text. */
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

/** What can be an attribute of a tag. */
export function attributesFrom(value: unknown): Attributes | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const usable = Object.entries(value).filter(
    (entry): entry is [string, string | true] =>
      /^[A-Za-z_][\w:.-]{0,99}$/.test(entry[0]) && (typeof entry[1] === 'string' || entry[1] === true),
  )
  return Object.fromEntries(usable)
}
