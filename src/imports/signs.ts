import type { Hint } from '../content/blocks/hint.ts'

/** What the sign beside a note of Notion says about it. */
const styles: Record<string, Hint['style']> = {
  '⚠': 'warning', '🚧': 'warning', '❗': 'danger', '‼': 'danger', '🚨': 'danger', '⛔': 'danger', '🚫': 'danger', '❌': 'danger',
  '🛑': 'danger', '✅': 'success', '✔': 'success', '☑': 'success',
} // prettier-ignore

export function styleOfSign(sign: string): Hint['style'] {
  const plain = sign.replace(/\ufe0f/g, '')
  return Object.hasOwn(styles, plain) ? styles[plain]! : 'info'
}
