// The process that reads pages. A malicious page can use up the time and the memory of this process, but nothing else.
// It reads one page after the other, for one import, or what users paste.
import { createHash } from 'node:crypto'
import { keepCompiled } from '../../apart.ts'
import { type HtmlPage, readHtml } from '../html/page.ts'
import { readPasted } from '../html/pasted.ts'
import type { Embedded, FromReader, PageToRead, ReadPage, ToReader } from './messages.ts'
import { decodeHtml } from './decode.ts'

process.on('message', (message) => void answer(message as ToReader))
// The parent process no longer waits for an answer.
process.once('disconnect', () => process.exit())
keepCompiled()

/** Menus and links that were already sent to the parent. Nearly all pages of a site have the same ones. */
const told = new Set<string>()
const toldLinks = new Set<string>()
const mostLinks = 100_000

async function answer(asked: ToReader): Promise<void> {
  try {
    if (asked.kind === 'pasted') return tell({ kind: 'pasted', markdown: readPasted(asked.html) })
    const page = asked.kind === 'docx' ? await readDocx(asked) : readPage(asked)
    tell(page ? { kind: 'read', page } : { kind: 'refused', message: 'has no content' })
  } catch {
    tell({ kind: 'refused', message: asked.kind === 'docx' ? 'is not a readable document' : 'cannot be read' })
  }
}

async function readDocx(asked: PageToRead): Promise<ReadPage | undefined> {
  const { docxToHtml } = await import('./docx.ts')
  return read(await docxToHtml(asked.bytes), asked.url)
}

const readPage = ({ bytes, contentType, language, url }: PageToRead) =>
  read(decodeHtml(bytes, contentType, language), url)

function read(html: string, url: string): ReadPage | undefined {
  const embedded = new Map<string, Embedded>()
  const keep = (dataUrl: string) => {
    const made = readDataUrl(dataUrl)
    if (made) embedded.set(made.address, made)
    return made?.address
  }
  const page = readHtml({ html, url, keep })
  return page && { ...page, menu: newMenu(page), links: newLinks(page, url), embedded: [...embedded.values()] }
}

function newMenu({ menu }: HtmlPage): HtmlPage['menu'] {
  const hash = createHash('sha1').update(JSON.stringify(menu)).digest('hex')
  if (told.has(hash)) return []
  told.add(hash)
  return menu
}

/**
 * Returns the links that were not sent yet. Only for pages of a website: in an archive, it matters which page links
 * where.
 */
function newLinks({ links }: HtmlPage, url: string): string[] {
  if (!url.startsWith('http')) return links
  if (toldLinks.size > mostLinks) toldLinks.clear()
  return links.filter((link) => !toldLinks.has(link) && toldLinks.add(link))
}

/** Reads pictures only: other embedded data is code, or a font. */
function readDataUrl(text: string): Embedded | undefined {
  const match = /^data:(image\/([\w.+-]+))[^,]*?(;base64)?,/i.exec(text.slice(0, 200))
  if (!match) return undefined
  const [all, contentType = '', type = '', base64] = match
  const data = unescaped(text.slice(all.length))
  const bytes = base64 ? Buffer.from(data.toString('latin1'), 'base64') : data
  // A placeholder for a picture that is loaded later.
  if (bytes.length < 64) return undefined
  const hash = createHash('sha1').update(bytes).digest('hex').slice(0, 16)
  const ending = type.replace(/\+.*/, '').replace('jpeg', 'jpg')
  return { address: `embedded:${hash}.${ending}`, name: `image-${hash.slice(0, 8)}.${ending}`, contentType, bytes }
}

/**
 * Decodes percent codes to bytes. A percent sign that does not begin a code is kept, as in a browser: `width="100%"`.
 */
function unescaped(text: string): Buffer {
  const byByte = Buffer.from(text).toString('latin1')
  const codes = /%([0-9a-f]{2})/gi
  return Buffer.from(
    byByte.replace(codes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
}

function tell(message: FromReader): void {
  process.send!(message)
}
