import { packageOnFirstUse } from '../../on-first-use.ts'
import type { Inline } from '../inlines.ts'

const gemoji = packageOnFirstUse<typeof import('gemoji')>('gemoji')

/** An emoji from its code points in hex; one without a name is a plain character. */
export function emojiByCode(code: string): Inline[] {
  const points = code.split('-').map((point) => Number.parseInt(point, 16))
  if (!points.every((point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))) return []
  const text = String.fromCodePoint(...points.slice(0, 16))
  const name = nameOf(text) ?? nameOf(`${text}\ufe0f`)
  return name === undefined ? [{ type: 'text', text }] : [{ type: 'emoji', name, text }]
}

function nameOf(emoji: string): string | undefined {
  const { emojiToName } = gemoji()
  return Object.hasOwn(emojiToName, emoji) ? emojiToName[emoji] : undefined
}
