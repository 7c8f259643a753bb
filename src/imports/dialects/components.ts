import { codeGroup } from './code.ts'
import { type FoundElement, readElement } from './elements.ts'
import { type DialectReader, type Lines, dedent } from './lines.ts'
import { type Tab, card, details, fenced, hint, tabs } from './written.ts'

/** Notes whose component name is their kind. */
const notes = ['Note', 'Tip', 'Info', 'Warning', 'Caution', 'Danger', 'Check', 'Important']
/** Components that only define the layout. */
const frames = ['AccordionGroup', 'CardGroup', 'CardGrid', 'Columns', 'Frame', 'Panel']
const groups = ['CodeGroup', 'RequestExample', 'ResponseExample']
const folded = ['Accordion', 'Expandable']
const others = ['Tabs', 'Aside', 'Callout', 'Admonition', 'Steps', 'Card', 'LinkCard', 'Update', 'Snippet']
const fields = ['ParamField', 'ResponseField']
const known = new Set([...notes, ...frames, ...groups, ...folded, ...others, ...fields])

/** Inline components. They are read elsewhere, wherever they occur. */
const inText = new Set(['Image', 'Link', 'LinkButton', 'Badge'])

/** Reads the components that documentation is written with: Docusaurus, Starlight, Mintlify, Nextra, Fumadocs. */
export const readComponent: DialectReader = (lines, at, inner) => {
  const name = /^\s*<([A-Z][\w.]{0,99})(?![\w.])/.exec(lines.all[at]!)?.[1]
  if (name === undefined || inText.has(name) || (!known.has(name) && !lines.isMdx)) return undefined
  const found = readElement(lines, at)
  // An unknown component without code in its tags is handled as HTML.
  if (!found || (!known.has(name) && found.given.length === 0)) return undefined
  const { attributes, body, until, rest } = found
  const title = attributes['title']
  const asLines = (): string[] => {
    if (!known.has(name)) return [...dataIn(found), ...inner(body)]
    if (name === 'Tabs') return tabsIn({ ...lines, all: body }, attributes, inner) ?? inner(body)
    if (name === 'Snippet') return fenced('', (attributes['text'] ?? '').split('\n'))
    if (groups.includes(name)) return codeGroup(body, true) ?? inner(body)
    if (folded.includes(name)) return details(title, inner(body))
    if (fields.includes(name)) return field(attributes, inner(body))
    if (name === 'Update') return update(attributes, inner(body))
    if (name === 'Card' || name === 'LinkCard')
      return card(title, attributes['href'], attributes['description'], inner(body))
    if (name === 'Steps') return stepsIn({ ...lines, all: body }, inner) ?? inner(body)
    if (frames.includes(name)) return framed(inner(body), attributes['caption'])
    return hint(notes.includes(name) ? name : (attributes['type'] ?? 'note'), title, inner(body))
  }
  return { lines: asLines(), until, ...(rest !== undefined && { rest }) }
}

/** Returns the data passed to an unknown component, such as lists, as code blocks that show it as written. */
function dataIn({ given }: FoundElement): string[] {
  const shown = given.filter(({ name, code }) => name !== 'style' && /^\s*[[{][^]*["'`]/.test(code))
  return shown.flatMap(({ code }) => {
    const [first = '', ...more] = code.trim().split('\n')
    return [...fenced('js', [first, ...dedent(more)]), '']
  })
}

function tabsIn(lines: Lines, said: FoundElement['attributes'], inner: (lines: readonly string[]) => string[]) {
  const { values, items } = said
  const titles = Array.from(items?.matchAll(/"([^"]*)"|'([^']*)'/g) ?? [], ([, double, single]) => double ?? single)
  const labels = new Map(
    Array.from(values?.matchAll(/\{[^{}]*\}/g) ?? [], ([each]) => [wordIn(each, 'value'), wordIn(each, 'label')]),
  )
  const found: Tab[] = []
  for (const tab of elementsIn(lines, /^\s*<(TabItem|Tab|Tabs\.Tab)\b/) ?? []) {
    const { label, title, value } = tab.attributes
    found.push({
      title: label ?? title ?? labels.get(value) ?? value ?? titles[found.length] ?? 'Tab',
      lines: inner(tab.body),
    })
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

/** Reads consecutive elements. Returns undefined if there is anything else. */
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

const framed = (body: string[], caption: string | undefined) => (caption ? [...body, '', `*${caption}*`] : body)

/** Writes a parameter or a field of a response (Mintlify). */
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
