/** What stands between `+++` lines above a page of Hugo. */
const front = /^\uFEFF?\+\+\+[ \t]*\r?\n([^]*?)^\+\+\+[ \t]*(?:\r?\n|$)/m

/**
 * A page whose settings are TOML, with those that pages have in YAML instead: as everywhere else. Tables are for menus and
 * themes of Hugo, and are left out.
 */
export function withYaml(text: string): string {
  const found = /^\uFEFF?\+\+\+[ \t]*\r?\n/.test(text) ? front.exec(text) : null
  if (!found) return text
  const values = readToml(found[1]!.replaceAll('\r', ''))
  const lines = values.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`)
  return `---\n${lines.join('')}---\n${text.slice(found[0].length)}`
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

const readList = (list: string) =>
  Array.from(
    list.matchAll(/"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|[^\s,[\]"']+/g),
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
