import { type DialectReader, dedent, fenceAfter, outdented } from './lines.ts'
import { type Tab, code, tabs } from './written.ts'

/** Reads a code block whose info string contains more than the language: a title, or whether to number the lines. */
export const readFence: DialectReader = ({ all, depth }, at) => {
  const found = endOfFence(all, at)
  if (!found) return undefined
  const { until, open } = found
  const whole = withoutMarks(all.slice(at, until))
  // An unclosed code block ends with the block that contains it, so it is closed there.
  if (open !== '') return { lines: depth === 0 ? whole : [...whole, closingOf(all[at]!, open)], until }
  const { title, isNumbered, opening } = readInfo(all[at]!)
  if (opening === all[at]) return { lines: whole, until }
  const indent = /^\s*/.exec(opening)![0]
  return { lines: code(outdented([opening, ...whole.slice(1)], indent), title, isNumbered), until }
}

const closingOf = (opening: string, open: string) =>
  opening.slice(0, opening.search(/```|~~~/)).replace(/[^\s>]/g, ' ') + open.replace('>', '')

/**
 * Converts adjacent code blocks to tabs. Their names are written as `js [config.js]`, or as `js config.js` if
 * `isNamedPlainly`.
 */
export function codeGroup(lines: readonly string[], isNamedPlainly = false): string[] | undefined {
  const found: Tab[] = []
  for (let at = 0; at < lines.length;) {
    const until = endOfFence(lines, at)?.until
    if (until === undefined) {
      if (lines[at]!.trim() !== '') return undefined
      at += 1
      continue
    }
    const { title, language, opening, words } = readInfo(lines[at]!)
    const name = title ?? (isNamedPlainly ? words : undefined)
    const first = name === undefined ? opening : opening.replace(/^(\s*[`~]+\s*)[^]*$/, `$1${language}`)
    found.push({
      title: name ?? (language || 'Code'),
      lines: dedent([first, ...withoutMarks(lines.slice(at + 1, until))]),
    })
    at = until
  }
  return found.length > 0 ? tabs(found) : undefined
}

/** Removes comments that only control how lines are shown (Docusaurus, VitePress). They are not part of the code. */
const withoutMarks = (lines: readonly string[]) =>
  lines.filter((line) => !ofOtherLines.test(line.trim())).map(plainLine)

const ofOtherLines = /^(?:\/\/|#|--|%|;|\/\*|<!--|\{\/\*)\s*highlight-(?:next-line|start|end)(?:\s*(?:\*\/\}?|-->))?$/

/** Removes a comment such as `// [!code focus]` at the end of the line. */
function plainLine(line: string): string {
  const at = line.lastIndexOf('[!code ')
  if (at === -1 || !/^\[!code [^[\]]{1,40}\](?:\s*(?:\*\/\}?|-->))?$/.test(line.slice(at).trimEnd())) return line
  const before = line.slice(0, at).trimEnd()
  const code = before.replace(/(?:\/\/|#|--|%|;|\/\*|<!--)$/, '')
  return code === before ? line : code.trimEnd()
}

/** Returns the index of the line after the code block that begins here, and its fence if it is never closed. */
function endOfFence(lines: readonly string[], at: number): { until: number; open: string } | undefined {
  let open = fenceAfter(lines[at]!, '')
  if (open === '') return undefined
  let until = at + 1
  for (; until < lines.length && open !== ''; until++) open = fenceAfter(lines[until]!, open)
  return { until, open }
}

const mostInfo = 2_000

/**
 * Reads the info string of a fence. A fence behind a list marker or in a quote stays as it is, because nothing can be
 * written around the code there.
 */
function readInfo(line: string) {
  const [, marks = '', info = ''] = /^(\s*(?:`{3,}|~{3,}))\s*(.*)$/s.exec(line) ?? []
  const braced = /^\{\s*(?:\.([A-Za-z][\w+#-]*)|(r|python|julia|bash|sql|js|ojs)(?=[\s,}]))/.exec(info)
  const language = braced ? (braced[1] ?? braced[2]!) : (/^[\w+#./-]+(?=[\s{[:,]|$)/.exec(info)?.[0] ?? '')
  if (language === 'mermaidjs')
    return { language, title: undefined, isNumbered: false, words: undefined, opening: `${marks}mermaid` }
  const rest = info.startsWith('{') ? info : info.slice(language.length)
  const title = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(rest)
  const name = title?.[1] ?? title?.[2] ?? /(?:^|[\s}])\[([^[\]]+)\]/.exec(rest)?.[1]
  const isNumbered = /\b(showLineNumbers|linenums)\b/.test(rest) || /(^|\s):line-numbers\b/.test(rest)
  const isPlain = !name && !isNumbered && (language === '' || !/^[{:,]/.test(rest))
  // A longer text is not a name, and the pattern would be tried again from each of its blanks.
  const named = rest.length <= mostInfo ? rest : ''
  const words = /^\s+([^\s={}[\]"'][^={}[\]"']{0,200}?)(?=\s+[\w-]+=|\s*[{[]|\s*$)/.exec(named)?.[1]
  return { language, title: name, isNumbered, words, opening: isPlain ? line : marks + language }
}
