import { isKind } from '../signs.ts'
import { type DialectReader, type Lines, endOf, outdented } from './lines.ts'
import { isAttributes } from './notes.ts'
import { readArguments } from './shortcode.ts'
import { fenced, hint } from './written.ts'

/** Reads Jekyll tags that are alone on their line: code, notes of its themes, and text that must stay as it is. */
export const readLiquid: DialectReader = (lines, at, inner) => {
  const [, name = '', rest = ''] =
    /^\s*\{%-?\s*(highlight|include|raw|comment)\b([^%]*)%\}\s*$/.exec(lines.all[at]!) ?? []
  if (name === 'include') {
    const [, kind = ''] = /^\s*([a-z]+)\.html\s/.exec(rest) ?? []
    const { content } = readArguments(rest).named
    return isKind(kind) && content !== undefined
      ? { lines: hint(kind, '', inner([content])), until: at + 1 }
      : undefined
  }
  const end = name === '' ? -1 : endOfTag(lines, at, `end${name}`)
  if (end === -1) return undefined
  const body = outdented(lines.all.slice(at + 1, end), /^\s*/.exec(lines.all[at]!)![0])
  const language = /^\s*([\w+#-]*)/.exec(rest)![1]!
  if (name === 'comment') return { lines: [], until: end + 1 }
  return { lines: name === 'raw' ? body : fenced(language, body), until: end + 1 }
}

const endOfTag = (lines: Lines, at: number, name: string) =>
  endOf(
    lines,
    at + 1,
    () => false,
    (line) => line.trim().replace(/\s+|-/g, '') === `{%${name}%}`,
  )

const listed = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:toc|(?:table of )?contents)\s*$/i
/** Whether the line is a placeholder for the table of contents, or defines an abbreviation (MkDocs). */
const isListOfContents = (line: string) => /^\s*(?:(?:\[TOC\]|\[\[_?toc_?\]\])\s*$|\*\[[^[\]]+\]:)/i.test(line)

/**
 * Removes the placeholder for the table of contents of a page (Jekyll, MkDocs, VitePress). Here every page shows its
 * contents beside it.
 */
export const readContents: DialectReader = ({ all }, at) => {
  const isJekyll = listed.test(all[at]!) && /^\s*\{:\s*toc\b[^{}]*\}\s*$/.test(all[at + 1] ?? '')
  if (!isJekyll && !isListOfContents(all[at]!) && !isAttributes(all[at]!)) return undefined
  const until = at + (isJekyll ? 2 : 1)
  const isBlank = (line = '') => line.trim() === ''
  return { lines: [], until: isBlank(all[at - 1]) && until < all.length && isBlank(all[until]) ? until + 1 : until }
}
