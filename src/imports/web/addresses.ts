import { limits } from '../limits.ts'
import { percentDecoded } from '../../percent.ts'

/** Which pages belong to what was asked for: those of the same host, at the address or below it. */
export class Scope {
  readonly #origin: string
  readonly #path: string

  constructor(start: string) {
    const { origin, pathname } = new URL(start)
    this.#origin = origin
    // A page that is named as a file stands for its folder; any other address is a folder itself.
    const folder = /\/[^/]*\.[a-z]{2,5}$/i.test(pathname) ? pathname.replace(/[^/]*$/, '') : pathname
    this.#path = folder.replace(/\/+$/, '')
  }

  get origin(): string {
    return this.#origin
  }

  /** The path that all pages are below, without a slash at its end. */
  get path(): string {
    return this.#path
  }

  has(address: string): boolean {
    if (address.length > limits.addressLength || !URL.canParse(address)) return false
    const { origin, pathname } = new URL(address)
    if (origin !== this.#origin) return false
    const isBelow = pathname === this.#path || pathname.startsWith(`${this.#path}/`)
    return isBelow && !isTrap(pathname)
  }

  /** Sites keep below `~` what is no content of theirs: the search, files of the design. */
  isBeside(address: string): boolean {
    const below = new URL(address).pathname.slice(this.#path.length)
    return below.split('/').some((segment) => /^(~|%7e)$/i.test(segment))
  }
}

/** Links that lead on for ever: ever deeper, or round and round. */
function isTrap(pathname: string): boolean {
  const segments = pathname.split('/').filter(Boolean)
  if (segments.length > limits.segments) return true
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return [...counts.values()].some((count) => count > 3)
}

/** The address to fetch: what is asked for in a query or shown at an anchor is the same page. */
export function pageAddress(address: string): string {
  const url = new URL(address)
  url.search = ''
  url.hash = ''
  return url.href
}

/** What all addresses of one page have in common: `/a`, `/a/`, `/a.html`, `/a/index.html`. */
export function keyOf(address: string): string {
  const url = new URL(pageAddress(address))
  const path = url.pathname
    .replace(/\/(_?index|README)\.(html?|mdx?)$/i, '/')
    .replace(/\.(html?|mdx?|markdown|php|aspx)$/i, '')
  // Who names a file without its ending means that of the folder. On a site it may be a page that is called so.
  const plain = url.protocol === 'archive:' ? path.replace(/\/index$/i, '/') : path
  // From the first of them: else a long row of slashes would be looked at from each of them.
  return `${hostOf(url)}${decoded(plain).replace(/(?<!\/)\/+$/, '')}`
}

/** The same with the name of the file. */
export function wholeKeyOf(address: string): string {
  const url = new URL(address)
  return `${hostOf(url)}${decoded(url.pathname)}`
}

const hostOf = ({ protocol, host }: URL) => (protocol === 'archive:' ? 'archive://' : host)

/** An address in an archive as the path that it is. */
export const pathOf = (address: string) => decoded(new URL(address).pathname).replace(/^\/+/, '')

/** Names of files on a Mac have their accents apart; those who link to them write them in one. */
const decoded = (path: string) => percentDecoded(path)?.normalize() ?? path

const attachments =
  /\.(pdf|zip|gz|tgz|tar|7z|rar|docx?|xlsx?|pptx?|odt|ods|odp|csv|tsv|json|ya?ml|xml|txt|rtf|epub|mp4|webm|mov|mp3|wav|ogg|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|woff2?|ttf|otf|eot|css|js|mjs|map|wasm|exe|dmg|deb|rpm|apk|jar|iso|bin|ics|drawio)$/i

/** A file to download, no page. */
export const isFile = (address: string) => URL.canParse(address) && attachments.test(new URL(address).pathname)

/** Files that a page brings along; a style sheet or a script it links to is none of them. */
export const isAttachment = (address: string) =>
  isFile(address) && !/\.(css|m?js|map|wasm|woff2?|ttf|otf|eot)$/i.test(new URL(address).pathname)
