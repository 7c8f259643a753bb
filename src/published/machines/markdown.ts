import type { Document } from '../../content/parse.ts'
import { write } from '../../content/write.ts'
import type { PageData } from '../../pages/entry-data.ts'

/** A page as Markdown, for those who take it along: its title, what it is about, and its text as this reader sees it. */
export function writeMarkdown(
  { title, description }: Pick<PageData, 'title' | 'description'>,
  document: Document,
): string {
  const about = description === undefined ? '' : `> ${description.replace(/\s+/g, ' ')}\n\n`
  return `# ${title.replace(/\s+/g, ' ')}\n\n${about}${write(document).trim()}\n`
}
