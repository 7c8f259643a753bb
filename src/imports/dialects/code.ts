import { type DialectReader, dedent, fenceAfter } from './lines.ts'
import { type Tab, code, tabs } from './written.ts'

/** A fence that says more than its language: what the code is called, and whether its lines have numbers. */
export const readFence: DialectReader = (lines, at) => {
  const until = endOfFence(lines.all, at)
  if (until === undefined) return undefined
  const { title, isNumbered, opening } = readInfo(lines.all[at]!)
  return { lines: code([opening, ...lines.all.slice(at + 1, until)], title, isNumbered), until }
}

/** Pieces of code beside each other, each with its name: `js [config.js]`. */
export function codeGroup(lines: readonly string[]): string[] | undefined {
  const found: Tab[] = []
  for (let at = 0; at < lines.length;) {
    const until = endOfFence(lines, at)
    if (until === undefined) {
      if (lines[at]!.trim() !== '') return undefined
      at += 1
      continue
    }
    const { title, language, opening } = readInfo(lines[at]!)
    found.push({ title: title ?? (language || 'Code'), lines: dedent([opening, ...lines.slice(at + 1, until)]) })
    at = until
  }
  return found.length > 0 ? tabs(found) : undefined
}

/** The line behind the code that begins here. */
function endOfFence(lines: readonly string[], at: number): number | undefined {
  let fence = fenceAfter(lines[at]!, '')
  if (fence === '') return undefined
  let until = at + 1
  for (; until < lines.length && fence !== ''; until++) fence = fenceAfter(lines[until]!, fence)
  return until
}

function readInfo(line: string) {
  const [, marks = '', info = ''] = /^(\s*(?:`{3,}|~{3,}))\s*(.*)$/.exec(line)!
  const language = /^[\w+#./-]+(?=[\s{[]|$)/.exec(info)?.[0] ?? ''
  const rest = info.slice(language.length)
  const title = /\b(?:title|filename)=(?:"([^"]*)"|'([^']*)')/.exec(rest)
  const name = title?.[1] ?? title?.[2] ?? /\[([^[\]]+)\]/.exec(rest)?.[1]
  const isNumbered = /\b(showLineNumbers|linenums)\b/.test(rest) || /(^|\s):line-numbers\b/.test(rest)
  return { language, title: name, isNumbered, opening: name || isNumbered ? marks + language : line }
}
