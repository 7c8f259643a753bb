import { readYaml } from '../../content/page/front-matter.ts'

/** The metadata that Wiki.js writes in a comment at the top of an HTML page. */
export interface CommentHead {
  title?: string
  description?: string
  isDraft: boolean
}

const longest = 4_000

export function readCommentHead(html: string): CommentHead | undefined {
  const [, written = ''] = /^\uFEFF?\s*<!--\r?\n(title: [^]*?)-->/.exec(html.slice(0, longest)) ?? []
  const values = written === '' ? undefined : readYaml(written)
  if (!values || !('editor' in values)) return undefined
  const { title, description, published } = values
  return {
    ...(isWords(title) && { title }),
    ...(isWords(description) && { description }),
    isDraft: published === false,
  }
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
