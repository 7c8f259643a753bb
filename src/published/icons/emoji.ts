/**
 * Returns an emoji as characters. Emoji are stored as they were sent: as characters, or as their code points in hex.
 */
export function emojiOf(emoji: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(emoji)) return emoji
  const points = emoji.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : emoji
}
