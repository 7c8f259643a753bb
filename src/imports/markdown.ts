import { readFrontMatter } from '../content/page/front-matter.ts'
import { readInclude } from '../git/content/documents.ts'
import { readPageSource } from '../pages/source.ts'
import { withoutAsides } from './asides.ts'
import type { FoundPage } from './collected.ts'
import { translated } from './dialects/translate.ts'
import { readSaid } from './files/project.ts'
import { withoutFrames } from './frames.ts'
import { titleOf } from './names.ts'

/** A Markdown file as a page: what stands above its body becomes fields; a file without a title is called by its name. */
export function markdownPage(
  text: string,
  name: string,
  isMdx = /\.mdx$/i.test(name),
): Pick<FoundPage, 'title' | 'isUntitled' | 'fields' | 'body' | 'head' | 'position' | 'above' | 'address'> {
  const plain = text.replace(/^\uFEFF/, '')
  const start = readFrontMatter(plain)?.range.end ?? 0
  const here = plain.slice(0, start) + translated(plain.slice(start), { isMdx })
  const { fields, body, source } = readPageSource(here)
  const said = readSaid(source)
  const { title, ...others } = fields
  // An anchor of the first heading is that of the page.
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

/** A reusable content of a book. */
export function markdownPiece(
  text: string,
  name: string,
): Pick<FoundPage, 'title' | 'fields' | 'body' | 'head' | 'isPiece'> {
  const { title, body, source } = readInclude(text.replace(/^\uFEFF/, ''), name)
  return { title, fields: {}, body, head: source, isPiece: true }
}
