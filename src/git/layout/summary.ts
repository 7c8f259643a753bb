import type { Block } from '../../content/blocks.ts'
import type { Inline } from '../../content/inlines.ts'
import { plainText } from '../../content/inlines/text.ts'
import { parse } from '../../content/parse.ts'
import { readSmallYaml } from './config.ts'
import type { Listed } from './shape.ts'

/** The table of contents. Headings are groups, but for the one above everything, which is its title. */
export function readSummary(text: string): Listed[] {
  const top: Listed[] = []
  let level = top
  parse(text).blocks.forEach((block, index) => {
    if (block.type === 'heading') {
      if (block.level === 1 && index === 0) return
      const group = { title: titleFrom(block.inlines), items: [] }
      top.push(group)
      level = group.items
    } else level.push(...listedIn(block))
  })
  return top
}

function listedIn(block: Block): Listed[] {
  if (block.type === 'list')
    return block.blocks.flatMap((item) => ('blocks' in item ? readItem(item.blocks ?? []) : []))
  // A chapter in front of the list, as other tools write it: a link that stands alone.
  if (block.type === 'paragraph') return linksIn(block.inlines).map((link) => ({ ...link, items: [] }))
  return []
}

function readItem(blocks: readonly Block[]): Listed[] {
  const [first, ...others] = blocks
  const items = others.flatMap((block) => (block.type === 'list' ? listedIn(block) : []))
  if (first?.type === 'list') return [...listedIn(first), ...items]
  if (first?.type === 'code') {
    const fields = readSmallYaml(first.text)
    return fields ? [{ title: typeof fields['title'] === 'string' ? fields['title'] : '', fields, items }] : items
  }
  if (first?.type !== 'paragraph') return items
  const [link] = linksIn(first.inlines)
  const title = titleFrom(first.inlines)
  if (link) return [{ ...link, items }]
  return title === '' ? items : [{ title, items }]
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
