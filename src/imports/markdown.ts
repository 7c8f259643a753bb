import { readInclude } from '../git/content/documents.ts'
import { readPageSource } from '../pages/source.ts'
import { withoutAsides } from './asides.ts'
import type { FoundPage } from './collected.ts'
import { withoutFrames } from './frames.ts'

/** A Markdown file as a page: what stands above its body becomes fields; a file without a title is called by its name. */
export function markdownPage(text: string, name: string): Pick<FoundPage, 'title' | 'fields' | 'body' | 'head'> {
  const { fields, body, source } = readPageSource(text.replace(/^\uFEFF/, ''))
  const { title, ...others } = fields
  return { title: title ?? titleOf(name), fields: others, body: withoutFrames(withoutAsides(body)), head: source }
}

/** A reusable content of a book. */
export function markdownPiece(
  text: string,
  name: string,
): Pick<FoundPage, 'title' | 'fields' | 'body' | 'head' | 'isPiece'> {
  const { title, body, source } = readInclude(text.replace(/^\uFEFF/, ''), name)
  return { title, fields: {}, body, head: source, isPiece: true }
}

/** `getting-started.md` is "Getting started"; what Notion adds to a name is left out. */
export function titleOf(name: string): string {
  const words = name
    .normalize()
    .replace(/\.[a-z]{2,8}$/i, '')
    .replace(/[ _-][0-9a-f]{32}$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim()
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1)
}
