import { type Lines, codeByIndent, endOf, fenceAfter } from './lines.ts'

/** A shortcode of Hugo: `{{< name "value" key="value" >}}`. */
export interface Shortcode {
  name: string
  isEnd: boolean
  /** Whether it has no content and no end tag. */
  isEmpty: boolean
  /** Whether its content is read as Markdown. */
  isMarkdown: boolean
  rest: string
}

/** Reads a shortcode that is alone on its line. */
export function shortcodeAt(line: string): Shortcode | undefined {
  const text = line.trim()
  if (!/^\{\{[<%]/.test(text) || !/[>%]\}\}$/.test(text) || text.indexOf('{{', 2) !== -1) return undefined
  const inside = text.slice(3, -3).trim()
  const name = /^\/?\s*([\w-][\w./-]*)/.exec(inside)
  if (!name) return undefined
  const [isEnd, isMarkdown] = [inside.startsWith('/'), text.startsWith('{{%')]
  const called = name[1]!.replace(/\/$/, '')
  const rest = inside.slice(name[0].length - (name[1]!.length - called.length))
  return { name: called, isEnd, isEmpty: rest.endsWith('/'), isMarkdown, rest: rest.replace(/\/$/, '') }
}

/** Returns the line that ends the shortcode at `at`, or -1 if none does. */
export function endOfShortcode(lines: Lines, at: number, name: string): number {
  const is = (line: string, isEnd: boolean) => {
    const found = shortcodeAt(line)
    return found?.name === name && found.isEnd === isEnd && !found.isEmpty
  }
  return endOf(
    lines,
    at + 1,
    (line) => is(line, false),
    (line) => is(line, true),
  )
}

export interface Arguments {
  named: Record<string, string | undefined>
  listed: string[]
}

/** `"value" key="value"`. */
export function readArguments(rest: string): Arguments {
  const named: Arguments['named'] = {}
  const listed: string[] = []
  for (const [, name, double, single, plain] of rest.matchAll(/(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))/g)) {
    const value = double ?? single ?? plain ?? ''
    if (name === undefined) listed.push(value)
    else named[name] = value
  }
  return { named, listed }
}

/** Maximum number of lines of a tag. */
const mostLines = 30
/** Inline shortcodes, which stay where they are in the text. */
const inText =
  /^(?:abbr|badge|button|color|em|gist|hextra\/hero-button|icon|kbd|katex|label|latex|link|math|param|ref|relref|span|tooltip)$/
const around =
  /^(\s*)(\{\{([<%])\s*([\w-][\w./-]*)(?![\w./-])((?:[^{}]|\{(?!\{))*)\3\}\})(.*)(\{\{\3\s*\/\s*([\w./-]+)\s*\3\}\})\s*$/

/**
 * Puts each shortcode on a line of its own: tags that span several lines are joined, and a pair around a short text
 * goes above and below it.
 */
export function withShortcodesApart(lines: readonly string[]): string[] {
  const written: string[] = []
  const isCode = codeByIndent()
  let fence = ''
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const isIndented = isCode(line)
    fence = fenceAfter(line, fence)
    if (fence !== '' || isIndented || !/\{\{[<%]/.test(line)) {
      written.push(line)
      continue
    }
    const { whole, until } = joined(lines, at)
    at = until
    const [, indent = '', begin, mark, name = '', , text = '', end, ended] =
      around.exec(whole.replace(/[<>](?=\}\})/g, '<')) ?? []
    if (begin === undefined || name !== ended || inText.test(name)) {
      written.push(whole)
      continue
    }
    const closing = (tag: string) => (mark === '<' ? tag.replace(/<(?=\}\}$)/, '>') : tag)
    const inner = text.replace(/<(?=\}\})/g, '>').trim()
    written.push(indent + closing(begin), ...(inner === '' ? [] : [indent + inner]), indent + closing(end!))
  }
  return written
}

/**
 * Joins the lines of a tag that spans several. A tag that is only shown in code, as in `{{<`, does not begin one, and
 * no tag continues after a blank line.
 */
function joined(lines: readonly string[], at: number): { whole: string; until: number } {
  const first = lines[at]!
  const open = Math.max(first.lastIndexOf('{{<'), first.lastIndexOf('{{%'))
  const isOpen = (text: string) => !/[>%]\}\}/.test(text)
  if (!isOpen(first.slice(open)) || !/^\s*(?:[\w/-]|$)/.test(first.slice(open + 3))) return { whole: first, until: at }
  const more = lines.slice(at + 1, at + mostLines)
  const last = more.findIndex((line) => !isOpen(line))
  const isApart = (line: string) => line.trim() === '' || line.includes('{{') || fenceAfter(line, '') !== ''
  if (last === -1 || more.slice(0, last).some(isApart)) return { whole: first, until: at }
  const parts = [first.trimEnd(), ...more.slice(0, last + 1).map((line) => line.trim())]
  return { whole: parts.join(' '), until: at + last + 1 }
}
