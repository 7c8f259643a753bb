import { type PageFields, splitPage } from '../../content/page/split.ts'
import type { LinkPlace } from '../../content/links.ts'
import { readFrontMatter } from '../../content/page/front-matter.ts'
import { isSlug, slugFrom } from '../../editing/slugs.ts'
import { linksOf } from '../../editing/documents.ts'
import { type PageSource, readPageSource } from '../../pages/source.ts'
import { folderOf, isReadme, nameOf, withoutEnding } from '../layout/paths.ts'
import type { BookPage } from '../layout/shape.ts'
import { titleOfPath } from '../layout/titles.ts'

/** What the file of a page states above its body. */
export interface Head {
  /** Its own title, if it has one. */
  title?: string
  slug?: string
  cover?: string
  coverDark?: string
  coverY?: number
}

export function readHead(text: string): Head {
  return headOf(splitPage(text).fields)
}

function headOf({ title, slug, cover, coverDark, coverY }: PageFields): Head {
  return {
    ...(typeof title === 'string' && title.trim() !== '' && { title }),
    ...(isSlug(slug) && { slug }),
    ...(typeof cover === 'string' && { cover }),
    ...(typeof coverDark === 'string' && { coverDark }),
    ...(typeof coverY === 'number' && coverY !== 0 && { coverY }),
  }
}

/** A text that was read from its file, of a page or of a reusable content. */
export interface TextRead extends Pick<PageSource, 'fields' | 'body' | 'source'> {
  head: Head
  links: LinkPlace[]
}

export function readDocument(text: string): TextRead {
  const read = readPageSource(text)
  return { ...read, head: headOf(splitPage(read.source).fields), links: linksOf(read.body) }
}

/** Reads a reusable content. Its front matter contains a title and nothing else: a heading is part of the body. */
export function readInclude(text: string, path: string): TextRead & { title: string } {
  const matter = readFrontMatter(text)
  const start = matter ? skipBreaks(text, matter.range.end) : 0
  const body = text.slice(start)
  const said = matter?.values['title']
  const title = typeof said === 'string' && said.trim() !== '' ? said : titleOfPath(path)
  return { title, fields: {}, body, source: text.slice(0, start), head: {}, links: linksOf(body) }
}

function skipBreaks(text: string, from: number): number {
  return from + /^[\r\n]*/.exec(text.slice(from))![0].length
}

/**
 * Returns the slug that a page has because of its file, if none was chosen. For the first page it comes from the title:
 * its file has no name of its own, and readers find it at the root.
 */
export function impliedSlug({ type, path, title }: Pick<BookPage, 'type' | 'path' | 'title'>, root: string): string {
  if (type !== 'document' || path === undefined) return slugFrom(title)
  if (!isReadme(path)) return slugOfName(withoutEnding(nameOf(path)))
  const folder = folderOf(path)
  return folder === root ? slugFrom(title) : slugOfName(nameOf(folder))
}

const slugOfName = (name: string) => (isSlug(name) ? name : slugFrom(name))
