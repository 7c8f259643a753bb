import type { HtmlPage } from '../html/page.ts'

/** A message to the process that reads pages. */
export type ToReader = PageToRead | PastedToRead

export interface PageToRead {
  kind: 'html' | 'docx'
  bytes: Uint8Array
  /** The address of the page. Its links are resolved against it. */
  url: string
  contentType: string | undefined
  /** The language of the target space. */
  language: string | null
}

/** Content that was copied from another program. */
export interface PastedToRead {
  kind: 'pasted'
  html: string
}

/** A file that was embedded in a page. */
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
