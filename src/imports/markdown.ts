import { readFrontMatter } from '../content/page/front-matter.ts'
import { readInclude } from '../git/content/documents.ts'
import { type PageSource, readPageSource } from '../pages/source.ts'
import { withoutAsides } from './asides.ts'
import type { FoundPage } from './collected.ts'
import { translated } from './dialects/translate.ts'
import { readSaid } from './files/project.ts'
import { withoutFrames } from './frames.ts'
import { titleOf } from './names.ts'
import { withTitleOnTop } from './title-on-top.ts'

/**
 * Converts a Markdown file to a page. Its front matter becomes fields, and a file without a title is named after its
 * file name.
 */
export function markdownPage(
  text: string,
  name: string,
  isMdx = /\.mdx$/i.test(name),
): Pick<FoundPage, 'title' | 'isUntitled' | 'fields' | 'body' | 'head' | 'position' | 'above' | 'address'> {
  const plain = text.replace(/^\uFEFF/, '')
  const { range, values } = readFrontMatter(plain) ?? {}
  const start = range?.end ?? 0
  const { fields, body, source } = readParts(
    plain.slice(0, start),
    translated(plain.slice(start), { isMdx }),
    values?.['title'],
  )
  const said = readSaid(source)
  const { title, ...others } = fields
  // The first heading is the title of the page, so its anchor refers to the page and is dropped.
  const own = title?.replace(/\{#[\w:.-]+\}$/, '').trimEnd() || said.title
  return {
    title: own || titleOf(name),
    ...(!own && { isUntitled: true }),
    fields: { ...others, ...(said.isUnlisted && { hidden: true }) },
    body: withoutFrames(withoutAsides(body)),
    head: source,
    ...(said.position !== undefined && { position: said.position }),
    ...(said.above && { above: said.above }),
    ...(said.address !== undefined && { address: said.address }),
  }
}

/** A first heading that differs from the title in the front matter stays in the text, because readers saw both. */
function readParts(matter: string, text: string, named: unknown): PageSource {
  const titled = withTitleOnTop(text)
  if (typeof named !== 'string' || named.trim() === '') return readPageSource(matter + titled)
  const words = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const heading = readPageSource(titled).fields.title
  if (heading === undefined || words(heading) === words(named)) return readPageSource(matter + titled)
  return { ...readPageSource(matter), body: text.replace(/^\s*\n/, '') }
}

/** Converts an include of a book to reusable content. */
export function markdownPiece(
  text: string,
  name: string,
): Pick<FoundPage, 'title' | 'fields' | 'body' | 'head' | 'isPiece'> {
  const { title, body, source } = readInclude(text.replace(/^\uFEFF/, ''), name)
  return { title, fields: {}, body, head: source, isPiece: true }
}
