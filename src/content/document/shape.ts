/** The `document` format of the public API: blocks, inlines and text leaves. */
export interface JSONDocument {
  object: 'document'
  data: { schemaVersion?: number }
  nodes: WrittenBlock[]
}

/** A block, or an inline. Those of clients may come without `data` and `isVoid`. */
interface Element {
  type: string
  key?: string
  data?: Record<string, unknown>
  isVoid?: boolean
  nodes?: DocumentNode[]
  fragments?: DocumentFragment[]
  /** `id` is the anchor of the block in its page. */
  meta?: { id: string }
  /**
   * What Markdown says and the format has no word for, so that nothing is lost on the way out and back. It refines
   * what stands in the other fields and never contradicts them: where somebody edited those, they count.
   */
  extra?: Record<string, unknown>
}

export interface DocumentBlock extends Element {
  object: 'block'
}

/** A block as we send it. */
export interface WrittenBlock extends DocumentBlock {
  data: Record<string, unknown>
  isVoid: boolean
}

export interface DocumentInline extends Element {
  object: 'inline'
}

export interface DocumentText {
  object: 'text'
  leaves: DocumentLeaf[]
}

export interface DocumentLeaf {
  object: 'leaf'
  text: string
  marks: DocumentMark[]
  extra?: Record<string, unknown>
}

export interface DocumentMark {
  object: 'mark'
  type: string
  data?: Record<string, unknown>
  extra?: Record<string, unknown>
}

/** Parts of a block that are not its body: a caption, the title of an expandable, the cells of a table. */
export interface DocumentFragment {
  object: 'fragment'
  type: string
  fragment?: string
  nodes: DocumentNode[]
}

export type DocumentNode = DocumentBlock | DocumentInline | DocumentText

/** Where a link leads. The engine knows addresses only; whoever knows pages and files says more. */
export type ContentReference = { kind: string } & Record<string, unknown>

type Parts = Pick<Element, 'nodes' | 'fragments' | 'meta'> & {
  data?: Record<string, unknown>
  extra?: Record<string, unknown>
}

/** A block as the API writes it. One without nodes is void: there is nothing in it to type into. */
export function block(type: string, parts: Parts = {}): WrittenBlock {
  return { object: 'block', type, ...written(parts) }
}

export function inline(type: string, parts: Parts): DocumentInline {
  return { object: 'inline', type, ...written(parts) }
}

function written({ data: fields = {}, nodes, fragments, meta, extra = {} }: Parts) {
  const more = data(extra)
  return {
    data: data(fields),
    isVoid: nodes === undefined,
    ...(nodes && { nodes }),
    ...(fragments && { fragments }),
    ...(meta && { meta }),
    ...(Object.keys(more).length > 0 && { extra: more }),
  }
}

export function fragment(type: string, nodes: DocumentNode[], name = type): DocumentFragment {
  return { object: 'fragment', type, fragment: name, nodes }
}

export function text(words: string): DocumentText {
  return { object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }
}

/** Leaves out what is not there, so that the JSON carries no empty fields. */
export function data(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
