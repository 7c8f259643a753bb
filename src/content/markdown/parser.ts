import type * as hast from 'hast'
import type * as mdast from 'mdast'
import { packageOnFirstUse } from '../../on-first-use.ts'

const satteri = packageOnFirstUse<typeof import('satteri')>('satteri')

/**
 * The only file that knows which library parses Markdown. satteri's tree equals that of micromark (`parser.test.ts`
 * compares the two), so micromark can replace it.
 */
export function toMdast(markdown: string): mdast.Root {
  // A single `$` is more often money than a formula. Front matter was cut off before.
  return satteri().markdownToMdast(markdown, {
    features: { gfm: true, math: { singleDollarTextMath: false }, frontmatter: false },
  }) as mdast.Root
}

export function toHast(html: string): hast.Root {
  return satteri().htmlToHast(html, { fragment: true }) as hast.Root
}
