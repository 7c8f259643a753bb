import { type DialectReader, type Lines, dedent, fenceAfter } from './lines.ts'
import { codeGroup } from './code.ts'
import { type Tab, details, hint, tabs } from './written.ts'

/** Notes that are called by their kind. */
const notes = ['Note', 'Tip', 'Info', 'Warning', 'Caution', 'Danger', 'Check', 'Important']
/** They say how something is laid out, and nothing else. */
const frames = ['AccordionGroup', 'CardGroup', 'CardGrid', 'Columns', 'Frame', 'Panel']
const groups = ['CodeGroup', 'RequestExample', 'ResponseExample']
const folded = ['Accordion', 'Expandable']
const others = ['Tabs', 'Aside', 'Callout', 'Admonition', 'Steps', 'Card', 'LinkCard', 'Update']
const fields = ['ParamField', 'ResponseField']
const known = new Set([...notes, ...frames, ...groups, ...folded, ...others, ...fields])

/** Components that documentation is written with: Docusaurus, Starlight, Mintlify. */
export const readComponent: DialectReader = (lines, at, inner) => {
  const name = /^\s*<([A-Z]\w*)\b/.exec(lines.all[at]!)?.[1]
  const found = name !== undefined && known.has(name) ? readElement(lines, at) : undefined
  if (!found) return undefined
  const { attributes, body, until, rest } = found
  const title = attributes['title']
  const asLines = (): string[] => {
    if (name === 'Tabs') return tabsIn({ ...lines, all: body }, attributes['values'], inner) ?? inner(body)
    if (groups.includes(name!)) return codeGroup(body, true) ?? inner(body)
    if (folded.includes(name!)) return details(title, inner(body))
    if (fields.includes(name!)) return field(attributes, inner(body))
    if (name === 'Update') return update(attributes, inner(body))
    if (name === 'Card' || name === 'LinkCard') return card(attributes, inner(body))
    if (name === 'Steps') return stepsIn({ ...lines, all: body }, inner) ?? inner(body)
    if (frames.includes(name!)) return framed(inner(body), attributes['caption'])
    return hint(notes.includes(name!) ? name! : (attributes['type'] ?? 'note'), title, inner(body))
  }
  return { lines: asLines(), until, ...(rest !== undefined && { rest }) }
}

function tabsIn(lines: Lines, values: string | undefined, inner: (lines: readonly string[]) => string[]) {
  const labels = new Map(
    Array.from(values?.matchAll(/\{[^{}]*\}/g) ?? [], ([each]) => [wordIn(each, 'value'), wordIn(each, 'label')]),
  )
  const found: Tab[] = []
  for (const tab of elementsIn(lines, /^\s*<(TabItem|Tab)\b/) ?? []) {
    const { label, title, value } = tab.attributes
    found.push({ title: label ?? title ?? labels.get(value) ?? value ?? 'Tab', lines: inner(tab.body) })
  }
  return found.length > 0 ? tabs(found) : undefined
}

function stepsIn(lines: Lines, inner: (lines: readonly string[]) => string[]): string[] | undefined {
  const found: string[] = []
  for (const { attributes, body } of elementsIn(lines, /^\s*<Step\b/) ?? []) {
    const { title } = attributes
    found.push('{% step %}', ...(title ? [`### ${title}`, ''] : []), ...inner(body), '{% endstep %}', '')
  }
  return found.length > 0 ? ['{% stepper %}', ...found.slice(0, -1), '{% endstepper %}'] : undefined
}

/** Elements one behind the other; undefined where there is anything else. */
function elementsIn(lines: Lines, opening: RegExp): FoundElement[] | undefined {
  const all = [...lines.all]
  const found: FoundElement[] = []
  for (let at = 0; at < all.length;) {
    if (all[at]!.trim() === '') {
      at += 1
      continue
    }
    const element = opening.test(all[at]!) ? readElement({ ...lines, all }, at) : undefined
    if (!element) return undefined
    found.push(element)
    at = element.until
    if (element.rest !== undefined) all[--at] = element.rest
  }
  return found
}

function card({ title, href, description }: FoundElement['attributes'], body: readonly string[]): string[] {
  const words = (title ?? href ?? '').replace(/[[\]]/g, '\\$&')
  const head = href === undefined ? words && `**${words}**` : `**[${words}](<${href.replace(/[<>]/g, '')}>)**`
  return [head, ...(description ? ['', description] : []), ...(body.length > 0 ? ['', ...body] : [])].slice(
    head ? 0 : 1,
  )
}

const framed = (body: string[], caption: string | undefined) => (caption ? [...body, '', `*${caption}*`] : body)

/** A parameter or a part of an answer (Mintlify). */
function field(attributes: FoundElement['attributes'], body: readonly string[]): string[] {
  const { name, path, query, header, type, required, deprecated } = attributes
  const called = name ?? path ?? query ?? attributes['body'] ?? header
  const about = [
    required === 'true' ? 'required' : '',
    deprecated === 'true' ? 'deprecated' : '',
    attributes['default'] === undefined ? '' : `default: \`${attributes['default']}\``,
  ]
  const head = [called && `**\`${called}\`**`, type && `\`${type}\``, about.filter(Boolean).join(', ')]
  return [head.filter(Boolean).join(' '), '', ...body]
}

function update({ label, description }: FoundElement['attributes'], body: readonly string[]): string[] {
  return [...(label ? [`## ${label}`, ''] : []), ...(description ? [`*${description}*`, ''] : []), ...body]
}

const wordIn = (text: string, name: string) => new RegExp(`\\b${name}:\\s*["'\`]([^"'\`]*)`).exec(text)?.[1]

interface FoundElement {
  attributes: Record<string, string | undefined>
  body: string[]
  until: number
  /** What stands behind it on its last line. */
  rest?: string
}

/** An element that begins at this line, whose tags may stand anywhere; nothing where it does not end. */
function readElement({ all, budget }: Lines, at: number): FoundElement | undefined {
  const opening = readOpening(all, at)
  if (!opening) return undefined
  const { name, attributes, line, column } = opening
  if (opening.isEmpty) return { attributes, body: [], until: line + 1, ...restOf(all[line]!.slice(column)) }
  const tag = new RegExp(`<(/?)${name}\\b[^<>]*?(/?)>`, 'g')
  let depth = 0
  let fence = ''
  for (let row = line; row < all.length && budget.left > 0; row++) {
    budget.left -= 1
    const text = row === line ? all[row]!.slice(column) : all[row]!
    const before = fence
    fence = row === line ? '' : fenceAfter(text, fence)
    if (before !== '' || fence !== '') continue
    for (const { 0: whole, 1: slash, 2: isEmpty, index } of text.matchAll(tag)) {
      if (isEmpty) continue
      if (!slash) depth += 1
      else if (depth-- === 0) {
        const first = all[line]!.slice(column)
        const body = row === line ? [first.slice(0, index)] : [first, ...all.slice(line + 1, row), text.slice(0, index)]
        const rest = restOf(text.slice(index + whole.length))
        return { attributes, body: dedent(body[0]!.trim() === '' ? body.slice(1) : body), until: row + 1, ...rest }
      }
    }
  }
  return undefined
}

const restOf = (text: string) => (text.trim() === '' ? {} : { rest: text.trim() })

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
  // Never from within a name: a long one without a value would be read once more from each of its letters.
  const pattern = /(?<![\w-])([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|\{((?:[^{}]|\{[^{}]*\})*)\})/g
  const valued = Array.from(text.matchAll(pattern), ([, name = '', double, single, braces]) => {
    const value = double ?? single ?? braces?.replace(/^\s*(["'`])(.*)\1\s*$/s, '$2').trim()
    return [name, value] as const
  })
  const alone = Array.from(text.replace(pattern, '').matchAll(/[A-Za-z][\w-]*/g), ([name]) => [name, 'true'] as const)
  return Object.fromEntries([...alone, ...valued])
}
