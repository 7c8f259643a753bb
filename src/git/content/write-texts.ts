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
 * Writes the file of a page. `implied` is the title that the page has without one of its own. A file that never had a
 * title stays without one as long as that is still the title.
 */
export function writeDocument(page: PageData, body: string, implied: string, around: Around): string {
  const { title, ...untitled } = withCover(page, around)
  const hadNone = page.source !== undefined && readHead(page.source).title === undefined
  return hadNone && title === implied ? writePageSource(untitled, body) : writePageSource({ ...untitled, title }, body)
}

/** In the repository, covers are files that are named by their path. */
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
  // The text already names this cover, so it stays as it is written.
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

/** Writes the file of a reusable content. */
export function writeInclude({ title, source }: ReusableData, body: string, path: string): string {
  const said = readFrontMatter(source ?? '')?.values['title']
  const before = typeof said === 'string' && said.trim() !== '' ? said : titleOfPath(path)
  if (source !== undefined && before === title) return source + body
  return joinFront(source ?? '', title, body)
}

/**
 * Sets the title in the front matter, and changes nothing else: a heading in a reusable content is part of its text.
 */
function joinFront(source: string, title: string, body: string): string {
  const matter = readFrontMatter(source)
  if (!matter) return `---\n${editYaml('', { title })}---\n\n${source}${body}`
  const start = source.indexOf(matter.raw, source.indexOf('---') + 3)
  const rest = source.slice(start + matter.raw.length)
  return source.slice(0, start) + editYaml(matter.raw, { title }) + rest + body
}
