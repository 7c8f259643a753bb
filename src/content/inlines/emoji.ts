import { packageOnFirstUse } from '../../on-first-use.ts'
import type { Inline } from '../inlines.ts'

const gemoji = packageOnFirstUse<typeof import('gemoji')>('gemoji')

/** Returns an emoji from its code points in hex, or plain text if the emoji has no known name. */
export function emojiByCode(code: string, preferred?: string): Inline[] {
  const points = code.split('-').map((point) => Number.parseInt(point, 16))
  if (!points.every((point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))) return []
  const text = String.fromCodePoint(...points.slice(0, 16))
  const known = preferred !== undefined && emojiNamed(preferred) === text ? preferred : undefined
  const name = known ?? nameOf(text) ?? nameOf(`${text}\ufe0f`)
  return name === undefined ? [{ type: 'text', text }] : [{ type: 'emoji', name, text }]
}

/** Returns an emoji as the API writes it, such as `1f468-200d-1f4bb`. */
export function emojiCode(emoji: string): string {
  return [...emoji].map((character) => character.codePointAt(0)?.toString(16)).join('-')
}

export function emojiNamed(name: string): string | undefined {
  const { nameToEmoji } = gemoji()
  return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
}

function nameOf(emoji: string): string | undefined {
  const { emojiToName } = gemoji()
  return Object.hasOwn(emojiToName, emoji) ? emojiToName[emoji] : undefined
}
