/** The `document` format of the public API: blocks, inlines and text leaves. */
export interface JSONDocument {
  object: 'document'
  data: { schemaVersion?: number }
  nodes: DocumentBlock[]
}

export interface DocumentBlock {
  object: 'block'
  type: string
  key?: string
  data?: Record<string, unknown>
  nodes?: DocumentNode[]
  isVoid?: boolean
  fragments?: DocumentFragment[]
}

export interface DocumentInline {
  object: 'inline'
  type: string
  data?: Record<string, unknown>
  nodes?: DocumentNode[]
  isVoid?: boolean
  fragments?: DocumentFragment[]
}

export interface DocumentText {
  object: 'text'
  leaves: DocumentLeaf[]
}

export interface DocumentLeaf {
  object: 'leaf'
  text: string
  marks: DocumentMark[]
}

export interface DocumentMark {
  object: 'mark'
  type: string
  data?: Record<string, unknown>
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

/** Leaves out what is not there, so that the JSON carries no empty fields. */
export function data(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
