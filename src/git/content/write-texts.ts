import { joinPage, splitPage } from '../../content/page/split.ts'
import { editYaml, readFrontMatter } from '../../content/page/front-matter.ts'
import { type CoverReference, type PageData, type ReusableData } from '../../pages/entry-data.ts'
import { writePageSource } from '../../pages/source.ts'
import type { Finder } from '../layout/finder.ts'
import { folderOf, relativePath } from '../layout/paths.ts'
import { titleOfPath } from '../layout/titles.ts'
import { readHead } from './documents.ts'

interface Around {
  path: string
  paths: ReadonlyMap<string, string>
  finder: Finder
}

/**
 * The file of a page. `implied` is what it is called without a title of its own: a file that never had one goes on
 * without.
 */
export function writeDocument(page: PageData, body: string, implied: string, around: Around): string {
  const { title, ...untitled } = withCover(page, around)
  const hadNone = page.source !== undefined && readHead(page.source).title === undefined
  return hadNone && title === implied ? writePageSource(untitled, body) : writePageSource({ ...untitled, title }, body)
}

/** Covers are files of the repository there, and named by their path. */
function withCover(page: PageData, { path, paths, finder }: Around): PageData {
  const { cover, ...others } = page
  if (!cover) return page
  const head = readHead(page.source ?? '')
  const pathOf = (ref: CoverReference | undefined) => (ref?.kind === 'file' ? paths.get(ref.file) : undefined)
  const isAsWritten = (ref: CoverReference | undefined, written: string | undefined) =>
    ref?.kind === 'url'
      ? ref.url === written
      : pathOf(ref) === (written === undefined ? undefined : finder.find(folderOf(path), written))
  const isFile = pathOf(cover.ref) !== undefined || pathOf(cover.refDark) !== undefined
  if (!isFile) return page
  // What its text says about it is what it is.
  if (isAsWritten(cover.ref, head.cover) && isAsWritten(cover.refDark, head.coverDark) && head.coverY === cover.yPos)
    return others
  const written = (ref: CoverReference): CoverReference => {
    const target = pathOf(ref)
    return target === undefined ? ref : { kind: 'url', url: relativePath(path, target) }
  }
  return {
    ...page,
    cover: { ...cover, ref: written(cover.ref), ...(cover.refDark && { refDark: written(cover.refDark) }) },
  }
}

/** The same file with another slug in its front matter, or with none. */
export function withSlug(text: string, slug: string | undefined): string {
  const { fields, body, original } = splitPage(text)
  const { slug: before, ...others } = fields
  if (before === slug) return text
  return joinPage(slug === undefined ? others : { ...others, slug }, body, original)
}

/** The file of a reusable content. */
export function writeInclude({ title, source }: ReusableData, body: string, path: string): string {
  const said = readFrontMatter(source ?? '')?.values['title']
  const before = typeof said === 'string' && said.trim() !== '' ? said : titleOfPath(path)
  if (source !== undefined && before === title) return source + body
  return joinFront(source ?? '', title, body)
}

/** Its front matter and nothing else: a heading in it is part of what it says. */
function joinFront(source: string, title: string, body: string): string {
  const matter = readFrontMatter(source)
  if (!matter) return `---\n${editYaml('', { title })}---\n\n${source}${body}`
  const start = source.indexOf(matter.raw, source.indexOf('---') + 3)
  const rest = source.slice(start + matter.raw.length)
  return source.slice(0, start) + editYaml(matter.raw, { title }) + rest + body
}
