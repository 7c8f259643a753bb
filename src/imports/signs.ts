import type { Hint } from '../content/blocks/hint.ts'

/** The style of a Notion note, by the sign beside it. */
const styles: Record<string, Hint['style']> = {
  '⚠': 'warning', '🚧': 'warning', '❗': 'danger', '‼': 'danger', '🚨': 'danger', '⛔': 'danger', '🚫': 'danger', '❌': 'danger',
  '🛑': 'danger', '✅': 'success', '✔': 'success', '☑': 'success',
} // prettier-ignore

export function styleOfSign(sign: string): Hint['style'] {
  const plain = sign.replace(/\ufe0f/g, '')
  return Object.hasOwn(styles, plain) ? styles[plain]! : 'info'
}

/** The styles of notes, by the names that authors of documentation use for them. */
const kinds: Record<string, Hint['style']> = {
  note: 'info', info: 'info', important: 'info', abstract: 'info', summary: 'info', seealso: 'info', question: 'info',
  example: 'info', quote: 'info', secondary: 'info', information: 'info', primary: 'info', neutral: 'info', default: 'info',
  deprecated: 'warning', versionadded: 'info', versionchanged: 'info',
  tip: 'success', success: 'success', check: 'success', hint: 'success',
  warning: 'warning', caution: 'warning', attention: 'warning', todo: 'warning',
  danger: 'danger', error: 'danger', bug: 'danger', failure: 'danger', fail: 'danger',
} // prettier-ignore

/** Checks own properties only: every object has a `constructor`, and notes may be named that. */
export const isKind = (name: string) => Object.hasOwn(kinds, name)

export const styleOfKind = (name: string): Hint['style'] => (isKind(name) ? kinds[name]! : 'info')
