import type { Block } from '../../content/blocks.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { parse } from '../../content/parse.ts'
import { readSmallYaml } from './config.ts'
import type { Listed } from './shape.ts'

/**
 * Reads a table of contents. Headings are groups, except for the one above everything, which is the title. A horizontal
 * rule ends a group.
 */
export function readSummary(text: string): Listed[] {
  const top: Listed[] = []
  let level = top
  parse(text).blocks.forEach((block, index) => {
    if (block.type === 'heading') {
      if (block.level === 1 && index === 0) return
      const group = { title: titleFrom(block.inlines), items: [] }
      top.push(group)
      level = group.items
    } else if (block.type === 'divider') level = top
    else level.push(...listedIn(block, text))
  })
  return top
}

function listedIn(block: Block, source: string): Listed[] {
  if (block.type === 'list')
    return block.blocks.flatMap((item) => ('blocks' in item ? readItem(item.blocks ?? [], source) : []))
  // A chapter before the list, as other tools write it: a link outside any list.
  if (block.type === 'paragraph') return linksIn(block.inlines).map((link) => ({ ...link, items: [] }))
  return []
}

function readItem(blocks: readonly Block[], source: string): Listed[] {
  const [first, ...others] = blocks
  const items = others.flatMap((block) => (block.type === 'list' ? listedIn(block, source) : []))
  if (first?.type === 'list') return [...listedIn(first, source), ...items]
  if (first?.type === 'code') {
    const fields = readSmallYaml(first.text)
    return fields ? [{ title: typeof fields['title'] === 'string' ? fields['title'] : '', fields, items }] : items
  }
  if (first?.type !== 'paragraph') return items
  const [link = almostLink(first, source)] = linksIn(first.inlines)
  const title = titleFrom(first.inlines)
  if (link) return [{ ...link, items }]
  return title === '' ? items : [{ title, items }]
}

/**
 * Reads a link with spaces in its address, or without a closing parenthesis. Older tools accept it as a link, and so do
 * people.
 */
function almostLink({ range }: Block, source: string): Omit<Listed, 'items'> | undefined {
  const written = range ? source.slice(range.start, range.end).trim() : ''
  const found = /^\[((?:[^[\]\\\n]|\\.)+)\]\(([^()<>"\n]+)(?:"([^"\n]*)")?\)?$/.exec(written)
  if (!found) return undefined
  const [, title = '', href = '', menuTitle] = found
  const [first] = parse(title).blocks
  const words = first?.type === 'paragraph' ? titleFrom(first.inlines) : title
  return { title: words, href: href.trim(), ...(menuTitle !== undefined && { menuTitle }) }
}

function linksIn(inlines: readonly Inline[]): Omit<Listed, 'items'>[] {
  return inlines.flatMap((inline) => {
    if (inline.type === 'link' || inline.type === 'mention' || inline.type === 'button') {
      const menuTitle = inline.type === 'link' ? inline.title : undefined
      return [{ title: titleFrom(inline.inlines), href: inline.href, ...(menuTitle !== undefined && { menuTitle }) }]
    }
    return 'inlines' in inline && inline.inlines ? linksIn(inline.inlines) : []
  })
}

const titleFrom = (inlines: readonly Inline[]) => plainText(inlines).replace(/\s+/g, ' ').trim()
