import { limits } from '../../content/limits.ts'

/** The lines around the front matter of a Hugo page. */
const begins = /^\uFEFF?\+\+\+[ \t]*\r?\n/
const ends = /^\+\+\+[ \t]*(?:\r?\n|$)/gm

/**
 * Replaces front matter in TOML with front matter in YAML, which all other pages have. Tables are for menus and themes
 * of Hugo, and are left out.
 */
export function withYaml(text: string): string {
  const from = begins.exec(text)?.[0].length
  if (from === undefined) return text
  ends.lastIndex = from
  const end = ends.exec(text)
  // The limit for YAML applies here as well: real front matter is shorter.
  if (!end || end.index - from > limits.frontMatterBytes) return text
  const values = readToml(text.slice(from, end.index).replaceAll('\r', ''))
  const lines = values.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('')}---\n${text.slice(end.index + end[0].length)}`
}

/** Reads the keys above the first table. A value that cannot be parsed is left out. */
function readToml(source: string): [string, unknown][] {
  const found = new Map<string, unknown>()
  for (let at = 0; at < source.length;) {
    const line = /[^\n]*\n?/y
    line.lastIndex = at
    const [whole = ''] = line.exec(source) ?? []
    if (/^\s*\[/.test(whole)) break
    const [pair, bare, quoted] = /^[ \t]*(?:([\w-]+)|"([^"\n]*)")[ \t]*=[ \t]*/.exec(whole) ?? []
    if (pair === undefined) {
      at += whole.length
      continue
    }
    const { value, length } = readValue(source.slice(at + pair.length, at + pair.length + mostBytes))
    if (value !== undefined) found.set(bare ?? quoted!, value)
    at += pair.length + length
    // The rest of the line is a comment.
    const end = source.indexOf('\n', at)
    at = end === -1 ? source.length : end + 1
  }
  return [...found]
}

const mostBytes = 10_000

function readValue(source: string): { value: unknown; length: number } {
  const [long, basic, literal] = /^(?:"""\n?([^]*?)"""|'''\n?([^]*?)''')/.exec(source) ?? []
  if (long !== undefined) return { value: unescaped(basic) ?? literal, length: long.length }
  const [short, double, single] = /^(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')/.exec(source) ?? []
  if (short !== undefined) return { value: unescaped(double) ?? single, length: short.length }
  const [list] = /^\[[^[\]{}]*\]/.exec(source) ?? []
  if (list !== undefined) return { value: readList(list), length: list.length }
  const [line = ''] = /^[^\n#]*/.exec(source) ?? []
  return { value: wordOf(line.trim()), length: line.length }
}

/** Parses a number, a boolean, or a date, which stays text. */
function wordOf(word: string): unknown {
  if (word === 'true' || word === 'false') return word === 'true'
  if (/^[+-]?\d+(\.\d+)?$/.test(word)) return Number(word)
  return word === '' || /^[[{]/.test(word) ? undefined : word
}

/**
 * A string that is not closed ends with its line. Otherwise everything behind it would be scanned again from each
 * quote.
 */
const readList = (list: string) =>
  Array.from(
    list.matchAll(/"((?:[^"\\\n]|\\.)*)"?|'([^'\n]*)'?|[^\s,[\]"']+/g),
    ([word, double, single]) => unescaped(double) ?? single ?? word,
  )

function unescaped(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(`"${text.replaceAll('\n', '\\n').replace(/(?<!\\)"/g, '\\"')}"`) as string
  } catch {
    return text
  }
}
