import { limits } from '../limits.ts'
import { percentDecoded } from '../../percent.ts'

/** The pages that belong to an import: those on the same host, at the address or below it. */
export class Scope {
  readonly #origin: string
  readonly #path: string

  constructor(start: string) {
    const { origin, pathname } = new URL(start)
    this.#origin = origin
    // An address that ends in a file name stands for its folder. Any other address is a folder itself.
    const folder = /\/[^/]*\.[a-z]{2,5}$/i.test(pathname) ? pathname.replace(/[^/]*$/, '') : pathname
    this.#path = folder.replace(/\/+$/, '')
  }

  get origin(): string {
    return this.#origin
  }

  /** The path that all pages are below, without a trailing slash. */
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

  /** Whether an address is not content. Sites keep the search and files of their design below `~`. */
  isBeside(address: string): boolean {
    const below = new URL(address).pathname.slice(this.#path.length)
    return below.split('/').some((segment) => /^(~|%7e)$/i.test(segment))
  }
}

/** Whether an address belongs to an endless chain of links: ever deeper, or in circles. */
function isTrap(pathname: string): boolean {
  const segments = pathname.split('/').filter(Boolean)
  if (segments.length > limits.segments) return true
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return [...counts.values()].some((count) => count > 3)
}

/** Returns the address to fetch. A query or an anchor does not make it another page. */
export function pageAddress(address: string): string {
  const url = new URL(address)
  url.search = ''
  url.hash = ''
  return url.href
}

/** Returns the key that all addresses of one page have in common: `/a`, `/a/`, `/a.html`, `/a/index.html`. */
export function keyOf(address: string): string {
  const url = new URL(pageAddress(address))
  const path = url.pathname
    .replace(/\/(_?index|README)\.(html?|mdx?)$/i, '/')
    .replace(/\.(html?|mdx?|markdown|php|aspx)$/i, '')
  // In an archive, `index` without an ending means the page of the folder. On a site it may be a page with that name.
  const plain = url.protocol === 'archive:' ? path.replace(/\/index$/i, '/') : path
  // Matches from the first slash only: a long row of slashes would otherwise be scanned from each of them.
  return `${hostOf(url)}${decoded(plain).replace(/(?<!\/)\/+$/, '')}`
}

/** Returns a key that includes the name of the file. */
export function wholeKeyOf(address: string): string {
  const url = new URL(address)
  return `${hostOf(url)}${decoded(url.pathname)}`
}

const hostOf = ({ protocol, host }: URL) => (protocol === 'archive:' ? 'archive://' : host)

/** Returns the path for an address in an archive. */
export const pathOf = (address: string) => decoded(new URL(address).pathname).replace(/^\/+/, '')

/** macOS decomposes accented characters in file names, while links to them contain composed ones. */
const decoded = (path: string) => percentDecoded(path)?.normalize() ?? path

const attachments =
  /\.(pdf|zip|gz|tgz|tar|7z|rar|docx?|xlsx?|pptx?|odt|ods|odp|csv|tsv|json|ya?ml|xml|txt|rtf|epub|mp4|webm|mov|mp3|wav|ogg|png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|woff2?|ttf|otf|eot|css|js|mjs|map|wasm|exe|dmg|deb|rpm|apk|jar|iso|bin|ics|drawio)$/i

/** Whether the address is a file to download, and not a page. */
export const isFile = (address: string) => URL.canParse(address) && attachments.test(new URL(address).pathname)

/** Whether the address is a file that is imported with a page. Style sheets and scripts are not. */
export const isAttachment = (address: string) =>
  isFile(address) && !/\.(css|m?js|map|wasm|woff2?|ttf|otf|eot)$/i.test(new URL(address).pathname)
