import { markTypes, type Inline, type Mark } from '../inlines.ts'

const marks: ReadonlySet<string> = new Set(markTypes)

export const isMark = (inline: Inline): inline is Mark => marks.has(inline.type)

/** Joins adjacent texts into one. */
export function mergeTexts(inlines: readonly Inline[]): Inline[] {
  const merged: Inline[] = []
  for (const inline of inlines) {
    const last = merged.at(-1)
    if (last?.type === 'text' && inline.type === 'text') {
      merged[merged.length - 1] = { type: 'text', text: last.text + inline.text }
    } else {
      merged.push(inline)
    }
  }
  return merged
}

/** Also joins adjacent codes and equal marks, before they are written: `**a****b**` would read as something else. */
export function mergeNeighbours(inlines: readonly Inline[]): Inline[] {
  const merged: Inline[] = []
  for (const inline of inlines) {
    const last = merged.at(-1)
    if ((last?.type === 'text' || last?.type === 'code') && inline.type === last.type) {
      merged[merged.length - 1] = { type: last.type, text: last.text + inline.text }
    } else if (last && isMark(last) && inline.type === last.type && inline.type !== 'keyboard') {
      merged[merged.length - 1] = { type: last.type, inlines: [...last.inlines, ...inline.inlines] }
    } else if (last?.type === 'math' && inline.type === 'math') {
      merged.push({ type: 'text', text: ' ' }, inline)
    } else {
      merged.push(inline)
    }
  }
  return merged
}
