import { type DialectReader, type Lines, dedent, fenceAfter } from './lines.ts'
import { codeGroup } from './code.ts'
import { type Tab, details, hint, tabs } from './written.ts'

/** Notes that are called by their kind. */
const notes = ['Note', 'Tip', 'Info', 'Warning', 'Caution', 'Danger', 'Check', 'Important']
/** They say how something is laid out, and nothing else. */
const frames = ['AccordionGroup', 'CardGroup', 'CardGrid', 'Columns', 'Frame']
const others = ['Tabs', 'Aside', 'Callout', 'Admonition', 'Accordion', 'CodeGroup', 'Steps', 'Card', 'LinkCard']
const known = new Set([...notes, ...frames, ...others])

/** Components that documentation is written with: Docusaurus, Starlight, Mintlify. */
export const readComponent: DialectReader = (lines, at, inner) => {
  const name = /^\s*<([A-Z]\w*)\b/.exec(lines.all[at]!)?.[1]
  const found = name !== undefined && known.has(name) ? readElement(lines, at) : undefined
  if (!found) return undefined
  const { attributes, body, until } = found
  const title = attributes['title']
  const asLines = (): string[] => {
    if (name === 'Tabs') return tabsIn({ ...lines, all: body }, attributes['values'], inner) ?? inner(body)
    if (name === 'CodeGroup') return codeGroup(body) ?? inner(body)
    if (name === 'Accordion') return details(title, inner(body))
    if (name === 'Card' || name === 'LinkCard') return card(attributes, inner(body))
    if (name === 'Steps') return stepsIn({ ...lines, all: body }, inner) ?? inner(body)
    if (frames.includes(name!)) return inner(body)
    return hint(notes.includes(name!) ? name! : (attributes['type'] ?? 'note'), title, inner(body))
  }
  return { lines: asLines(), until }
}

function tabsIn(lines: Lines, values: string | undefined, inner: (lines: readonly string[]) => string[]) {
  const labels = new Map(
    Array.from(values?.matchAll(/\{[^{}]*\}/g) ?? [], ([each]) => [wordIn(each, 'value'), wordIn(each, 'label')]),
  )
  const found: Tab[] = []
  for (let at = 0; at < lines.all.length;) {
    const isTab = /^\s*<(TabItem|Tab)\b/.test(lines.all[at]!)
    const tab = isTab ? readElement(lines, at) : undefined
    if (!tab && lines.all[at]!.trim() !== '') return undefined
    const { label, title, value } = tab?.attributes ?? {}
    if (tab) found.push({ title: label ?? title ?? labels.get(value) ?? value ?? 'Tab', lines: inner(tab.body) })
    at = tab?.until ?? at + 1
  }
  return found.length > 0 ? tabs(found) : undefined
}

function stepsIn(lines: Lines, inner: (lines: readonly string[]) => string[]): string[] | undefined {
  const found: string[] = []
  for (let at = 0; at < lines.all.length;) {
    const step = /^\s*<Step\b/.test(lines.all[at]!) ? readElement(lines, at) : undefined
    if (!step && lines.all[at]!.trim() !== '') return undefined
    const title = step?.attributes['title']
    if (step) found.push('{% step %}', ...(title ? [`### ${title}`, ''] : []), ...inner(step.body), '{% endstep %}', '')
    at = step?.until ?? at + 1
  }
  return found.length > 0 ? ['{% stepper %}', ...found.slice(0, -1), '{% endstepper %}'] : undefined
}

function card({ title, href, description }: FoundElement['attributes'], body: readonly string[]): string[] {
  const words = (title ?? href ?? '').replace(/[[\]]/g, '\\$&')
  const head = href === undefined ? words && `**${words}**` : `**[${words}](<${href.replace(/[<>]/g, '')}>)**`
  return [head, ...(description ? ['', description] : []), ...(body.length > 0 ? ['', ...body] : [])].slice(
    head ? 0 : 1,
  )
}

const wordIn = (text: string, name: string) => new RegExp(`\\b${name}:\\s*["'\`]([^"'\`]*)`).exec(text)?.[1]

interface FoundElement {
  attributes: Record<string, string | undefined>
  body: string[]
  until: number
}

/** An element that begins at this line, whose tags may stand anywhere; nothing where it does not end. */
function readElement({ all, budget }: Lines, at: number): FoundElement | undefined {
  const opening = readOpening(all, at)
  if (!opening) return undefined
  const { name, attributes, line, column } = opening
  if (opening.isEmpty) return { attributes, body: [], until: line + 1 }
  const tag = new RegExp(`<(/?)${name}\\b[^<>]*?(/?)>`, 'g')
  let depth = 0
  let fence = ''
  for (let row = line; row < all.length && budget.left > 0; row++) {
    budget.left -= 1
    const text = row === line ? all[row]!.slice(column) : all[row]!
    const before = fence
    fence = row === line ? '' : fenceAfter(text, fence)
    if (before !== '' || fence !== '') continue
    for (const { 1: slash, 2: isEmpty, index } of text.matchAll(tag)) {
      if (isEmpty) continue
      if (!slash) depth += 1
      else if (depth-- === 0) {
        const first = all[line]!.slice(column)
        const body = row === line ? [first.slice(0, index)] : [first, ...all.slice(line + 1, row), text.slice(0, index)]
        return { attributes, body: dedent(body[0]!.trim() === '' ? body.slice(1) : body), until: row + 1 }
      }
    }
  }
  return undefined
}

const mostLines = 30

/** A tag that may go over several lines, with values in braces. */
function readOpening(all: readonly string[], at: number) {
  const [, name] = /^\s*<([A-Z]\w*)/.exec(all[at]!) ?? []
  if (name === undefined) return undefined
  let quote = ''
  let braces = 0
  let text = ''
  for (let line = at; line < Math.min(all.length, at + mostLines); line++) {
    const from = line === at ? all[line]!.indexOf(name) + name.length : 0
    for (let column = from; column < all[line]!.length; column++) {
      const sign = all[line]![column]!
      if (quote !== '') quote = sign === quote ? '' : quote
      else if (/["'`]/.test(sign)) quote = sign
      else if (sign === '{') braces += 1
      else if (sign === '}') braces -= 1
      else if (sign === '>' && braces === 0) {
        const isEmpty = text.trimEnd().endsWith('/')
        return { name, attributes: readAttributes(text), isEmpty, line, column: column + 1 }
      }
      text += sign
    }
    text += '\n'
  }
  return undefined
}

function readAttributes(text: string): Record<string, string | undefined> {
  const pattern = /([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|\{((?:[^{}]|\{[^{}]*\})*)\})/g
  return Object.fromEntries(
    Array.from(text.matchAll(pattern), ([, name = '', double, single, braces]) => {
      const value = double ?? single ?? braces?.replace(/^\s*(["'`])(.*)\1\s*$/s, '$2')
      return [name, value]
    }),
  )
}
