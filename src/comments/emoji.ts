/**
 * Returns the same name for an emoji in any form: as a character or as code points in hex, with or without the
 * variation selector that only asks for a coloured picture.
 */
export function emojiName(emoji: string): string {
  const isHex = /^[0-9a-f]+(-[0-9a-f]+)*$/i.test(emoji)
  const points = isHex
    ? emoji.split('-').map((point) => Number.parseInt(point, 16))
    : Array.from(emoji, (character) => character.codePointAt(0)!)
  return points
    .filter((point) => point !== colouredPicture)
    .map((point) => point.toString(16))
    .join('-')
}

const colouredPicture = 0xfe0f
