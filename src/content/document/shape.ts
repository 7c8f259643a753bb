/** The `document` format of the public API: blocks, inlines and text leaves. */
export interface JSONDocument {
  object: 'document'
  data: { schemaVersion?: number }
  nodes: WrittenBlock[]
}

/** A block or an inline. Clients may omit `data` and `isVoid`. */
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
   * What Markdown can express but the format has no field for, so that nothing is lost in a round trip. It refines the
   * other fields and never contradicts them: if a client has edited those, they take precedence.
   */
  extra?: Record<string, unknown>
}

export interface DocumentBlock extends Element {
  object: 'block'
}

/** A block as the API sends it. */
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

/** The target of a link. The engine knows only addresses; code that knows pages and files adds more. */
export type ContentReference = { kind: string } & Record<string, unknown>

type Parts = Pick<Element, 'nodes' | 'fragments' | 'meta'> & {
  data?: Record<string, unknown>
  extra?: Record<string, unknown>
}

/** Returns a block as the API writes it. A block without nodes is void: it has no editable content. */
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

/** Removes undefined fields, so that the JSON contains no empty ones. */
export function data(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
