import type { HtmlPage } from '../html/page.ts'

/** What the process that reads pages is given. */
export type ToReader = PageToRead | PastedToRead

export interface PageToRead {
  kind: 'html' | 'docx'
  bytes: Uint8Array
  /** Where it was: what it links to is found from there. */
  url: string
  contentType: string | undefined
  /** Of the space that it is for. */
  language: string | null
}

/** What somebody copied from another program. */
export interface PastedToRead {
  kind: 'pasted'
  html: string
}

/** Bytes that stood in a page. */
export interface Embedded {
  address: string
  name: string
  contentType: string
  bytes: Uint8Array
}

export type ReadPage = HtmlPage & { embedded: Embedded[] }

export type FromReader =
  | { kind: 'read'; page: ReadPage }
  | { kind: 'pasted'; markdown: string }
  | { kind: 'refused'; message: string }
