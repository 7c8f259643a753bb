import { writeTag } from '../../content/markdown/tag.ts'
import { shortened } from '../../shortened.ts'
import { isKind, styleOfKind } from '../signs.ts'
import { icons } from './inline.ts'

/** What other tools write, as it is written here. */

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

/** Code, whatever fences are in it. */
export function fenced(language: string, lines: readonly string[]): string[] {
  const longest = lines.reduce((most, line) => Math.max(most, /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 2), 2)
  const marks = '`'.repeat(longest + 1)
  return [marks + language, ...lines, marks]
}

/** Titles are plain text here. */
const plain = (text = '') =>
  shortened(text, 300)
    .replace(icons, '')
    .replace(/(\*{1,3}|_{1,3}|`+)(\S(?:[^*_`]*\S)?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim() || undefined

const escaped = (text: string) => text.replace(/[<>&]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[sign]!)
