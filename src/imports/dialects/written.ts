import { writeOpenTag } from '../../content/html/attributes.ts'
import { writeTag } from '../../content/markdown/tag.ts'
import { shortened } from '../../shortened.ts'
import { isKind, styleOfKind } from '../signs.ts'
import { icons } from './inline.ts'
import { dedent, fenceAfter } from './lines.ts'
import { linked } from './link.ts'

/** Writers for the constructs of other tools, in the Markdown used here. */

export function hint(kind: string, title: string | undefined, lines: readonly string[]): string[] {
  const name = kind.toLowerCase()
  const said = title === undefined && !isKind(name) ? kind.charAt(0).toUpperCase() + kind.slice(1) : title
  return [writeTag('hint', { style: styleOfKind(name), title: plain(said) }), ...lines, '{% endhint %}']
}

export function details(title: string | undefined, lines: readonly string[], isOpen = false): string[] {
  const summary = `<summary>${escaped(plain(title) ?? 'Details')}</summary>`
  return [isOpen ? '<details open>' : '<details>', '', summary, '', ...lines, '', '</details>']
}

export interface Tab {
  title: string
  lines: readonly string[]
}

export function tabs(all: readonly Tab[]): string[] {
  const each = all.flatMap(({ title, lines }) => [
    writeTag('tab', { title: plain(title) ?? 'Tab' }),
    ...lines,
    '{% endtab %}',
    '',
  ])
  return ['{% tabs %}', ...each.slice(0, -1), '{% endtabs %}']
}

export function code(lines: readonly string[], title: string | undefined, isNumbered: boolean): string[] {
  if (!title && !isNumbered) return [...lines]
  return [writeTag('code', { title, ...(isNumbered && { lineNumbers: 'true' }) }), ...lines, '{% endcode %}']
}

/** Writes a code block with a fence that is longer than any fence in the code. */
export function fenced(language: string, lines: readonly string[]): string[] {
  const longest = lines.reduce((most, line) => Math.max(most, /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 2), 2)
  const marks = '`'.repeat(longest + 1)
  return [marks + language, ...lines, marks]
}

/** Removes markup: titles are plain text here. */
const plain = (text = '') =>
  shortened(text, 300)
    .replace(icons, '')
    .replace(/(\*{1,3}|_{1,3}|`+)(\S(?:[^*_`]*\S)?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim() || undefined

const escaped = (text: string) => text.replace(/[<>&]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[sign]!)

/** Writes the parts of a card one below the other. */
export function card(
  title: string | undefined,
  href: string | undefined,
  about: string | undefined,
  body: readonly string[],
): string[] {
  const words = title ?? href ?? ''
  const head = words === '' ? '' : `**${linked(words.replace(/^\*\*(.*)\*\*$/, '$1'), href)}**`
  return [head, ...(about ? ['', about] : []), ...(body.length > 0 ? ['', ...body] : [])].slice(head ? 0 : 1)
}

/**
 * Makes a step of each heading that has the level of the first line. Returns undefined if the text does not begin with
 * a heading.
 */
export function stepsOf(lines: readonly string[]): string[] | undefined {
  const marks = /^#{1,6}(?=\s)/.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0]
  if (marks === undefined) return undefined
  const steps: string[][] = []
  let fence = ''
  for (const line of lines) {
    fence = fenceAfter(line, fence)
    if (fence === '' && line.startsWith(`${marks} `)) steps.push([])
    steps.at(-1)?.push(line)
  }
  const each = steps.flatMap((step) => ['{% step %}', ...dedent(step), '{% endstep %}', ''])
  return ['{% stepper %}', ...each.slice(0, -1), '{% endstepper %}']
}

/** Writes a picture with its caption. */
export const figure = (image: Record<string, string>, caption: string): string[] => [
  `<figure>${writeOpenTag('img', image)}<figcaption>${asHtml(caption)}</figcaption></figure>`,
]

/** Markdown within HTML is not read, so emphasis, code and links are written as HTML. */
const asHtml = (text: string) =>
  escaped(text)
    .replace(/\[([^[\]]{1,300})\]\((?:&lt;)?([^()\s"<>&]{1,500})(?:&gt;)?\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^*\s](?:[^*]{0,300}[^*\s])?)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*([^*\s](?:[^*]{0,300}[^*\s])?)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/`([^`]{1,300})`/g, '<code>$1</code>')
