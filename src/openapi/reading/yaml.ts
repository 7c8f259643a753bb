import { parse } from 'yaml'

/** Large enough to be fast, small enough that the library's memory for one piece fits beside everything else. */
const pieceCharacters = 128 * 1024

/** `maxAliasCount` counts what an alias expands to, including nested aliases: a few lines cannot become millions. */
const options = { maxAliasCount: 10_000, merge: true, uniqueKeys: false, logLevel: 'error' } as const

/**
 * Parses YAML. The library needs some sixty times the size of the text in memory, so a long text is parsed in pieces: a
 * mapping is the sum of its entries. If that is not possible (an alias that refers to another piece, a mistake), the
 * whole text is parsed at once, which gives the correct result or error.
 */
export function readYaml(text: string): unknown {
  if (text.length > pieceCharacters) {
    const whole = tryPieces(text)
    if (whole) return whole
  }
  return parse(text, options)
}

function tryPieces(text: string): Record<string, unknown> | undefined {
  try {
    return readMapping(text.replace(/^---[^\S\n]*\n/, ''))
  } catch {
    return undefined
  }
}

function readMapping(text: string): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const piece of piecesOf(text)) {
    const value = (piece.length > pieceCharacters && readLongEntry(piece)) || parse(piece, options)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('This is not a mapping')
    for (const entry of Object.entries(value)) entries.push(entry)
  }
  return Object.fromEntries(entries)
}

/** Splits a mapping into pieces of whole entries. An entry that is longer than a piece stands alone. */
function piecesOf(text: string): string[] {
  const indentation = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*( *)\S/.exec(text)?.[1]?.length ?? 0
  const pieces: string[] = []
  let [start, last] = [0, 0]
  for (const { index } of text.matchAll(/^ *[^\s#]/gm)) {
    const at = lineIndentation(text, index)
    if (at < indentation || /^(---|\.\.\.|%)/.test(text.slice(index, index + 3)))
      throw new Error('This is not a mapping')
    // The items of a list may follow their key without being indented.
    if (at > indentation || text[index + at] === '-') continue
    if (last > start && index - start > pieceCharacters) {
      pieces.push(text.slice(start, last))
      start = last
    }
    last = index
  }
  if (last > start) pieces.push(text.slice(start, last))
  pieces.push(text.slice(Math.max(start, last)))
  return pieces
}

function lineIndentation(text: string, index: number): number {
  let at = 0
  while (text[index + at] === ' ') at += 1
  return at
}

/** Parses an entry such as `paths:` with everything below it. Undefined if it is written in another way. */
function readLongEntry(piece: string): Record<string, unknown> | undefined {
  const [line, key] = /^ *("[^"\\\n]*"|'[^'\n]*'|[\w$/{}.-]+):[^\S\n]*(?:#[^\n]*)?\n/.exec(piece) ?? []
  if (line === undefined || key === undefined) return undefined
  const below = piece.slice(line.length)
  if (/^\s*-/.test(below)) return undefined
  return { [String(parse(key, options))]: readMapping(below) }
}
