import type { Block } from './blocks.ts'
import { plainText } from './inlines/text.ts'
import { assignKeys } from './keys.ts'
import { limits } from './limits.ts'
import { readBlocks } from './markdown/read-blocks.ts'
import { tryRead } from './markdown/source.ts'
import { readFrontMatter, type FrontMatter } from './page/front-matter.ts'

/**
 * A page as a tree. To change it, make new objects for what changes and keep the others, as in
 * `{ ...document, blocks: [...] }`: `write` recognizes untouched objects by identity and returns their exact bytes.
 */
export interface Document {
  readonly source: string
  /** The blocks as they were parsed, to find out what was changed since. */
  readonly parsed: readonly Block[]
  readonly blocks: readonly Block[]
  readonly frontMatter?: FrontMatter
  /** The text of a leading `# Title`. The heading itself is the first of the blocks. */
  readonly title?: string
}

export function parse(source: string): Document {
  const frontMatter = readFrontMatter(source)
  const blocks = parseBlocks(source, frontMatter?.range.end ?? byteOrderMark(source))
  const first = blocks[0]
  return {
    source,
    parsed: blocks,
    blocks,
    ...(frontMatter ? { frontMatter } : {}),
    ...(first?.type === 'heading' && first.level === 1 ? { title: plainText(first.inlines).trim() } : {}),
  }
}

function parseBlocks(source: string, offset: number): Block[] {
  const parsed = Buffer.byteLength(source) > limits.sourceBytes ? undefined : tryRead(source, offset)
  if (parsed) return assignKeys(readBlocks(parsed.root.children, parsed))
  return assignKeys([{ type: 'raw', text: source.slice(offset), range: { start: offset, end: source.length } }])
}

export const byteOrderMark = (source: string): number => (source.startsWith('\uFEFF') ? 1 : 0)
