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
}

export type BlockFromDocument = (node: DocumentBlock, read: DocumentReader) => Block | readonly Block[]

/** A field of a node's `data`, if it is a text that says something. */
export function textField(node: { readonly data?: Record<string, unknown> }, name: string): string | undefined {
  const value = node.data?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function booleanField(node: { readonly data?: Record<string, unknown> }, name: string): boolean | undefined {
  const value = node.data?.[name]
  return typeof value === 'boolean' ? value : undefined
}

/** The named fields of a node's `data` that are texts. */
export function textFields<Name extends string>(
  node: DocumentBlock,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const fields: { [N in Name]?: string } = {}
  for (const name of names) {
    const value = textField(node, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}
