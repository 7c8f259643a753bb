import { limits } from '../../content/limits.ts'

/** The lines around what stands above a page of Hugo. */
const begins = /^\uFEFF?\+\+\+[ \t]*\r?\n/
const ends = /^\+\+\+[ \t]*(?:\r?\n|$)/gm

/**
 * A page whose settings are TOML, with those that pages have in YAML instead: as everywhere else. Tables are for menus and
 * themes of Hugo, and are left out.
 */
export function withYaml(text: string): string {
  const from = begins.exec(text)?.[0].length
  if (from === undefined) return text
  ends.lastIndex = from
  const end = ends.exec(text)
  // As with YAML: nobody has settings that long.
  if (!end || end.index - from > limits.frontMatterBytes) return text
  const values = readToml(text.slice(from, end.index).replaceAll('\r', ''))
  const lines = values.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('')}---\n${text.slice(end.index + end[0].length)}`
}

/** The keys above the first table. A value that is not understood is left out. */
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
    // What stands behind a value is a remark.
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

/** A number, yes or no, or a date, which is text here. */
function wordOf(word: string): unknown {
  if (word === 'true' || word === 'false') return word === 'true'
  if (/^[+-]?\d+(\.\d+)?$/.test(word)) return Number(word)
  return word === '' || /^[[{]/.test(word) ? undefined : word
}

/** What no quote closes ends with its line: else all of that would be looked at again from each quote on. */
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
