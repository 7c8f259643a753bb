import { fenceAfter } from './dialects/lines.ts'
import { styleOfSign } from './signs.ts'

/** An emoji, or the picture that Notion uses for one. */
const sign =
  /^(?:(\p{Extended_Pictographic}(?:\u200d|\ufe0f|\p{Extended_Pictographic}|\p{Emoji_Modifier})*)|<img [^>]*>)\s+/u

/**
 * Notion exports its notes to Markdown as `<aside>`, with an icon in front. As HTML, their content would not be parsed
 * as Markdown, so they become hints. Any other `<aside>` stays.
 */
export function withoutAsides(markdown: string): string {
  if (!/^<aside>\r?$/m.test(markdown)) return markdown
  const lines = markdown.split('\n')
  const written: string[] = []
  let fence = ''
  for (let at = 0; at < lines.length; at++) {
    fence = fenceAfter(lines[at]!, fence)
    const end = fence === '' && lines[at]!.trimEnd() === '<aside>' ? endOf(lines, at + 1) : -1
    const inner =
      end === -1
        ? ''
        : lines
            .slice(at + 1, end)
            .join('\n')
            .trim()
    const found = sign.exec(`${inner}\n`)
    if (!found) {
      written.push(lines[at]!)
      continue
    }
    const text = inner.slice(found[0].length).trim()
    written.push(`{% hint style="${styleOfSign(found[1] ?? '')}" %}`, text, '{% endhint %}')
    at = end
  }
  return written.join('\n')
}

function endOf(lines: readonly string[], from: number): number {
  let fence = ''
  for (let at = from; at < lines.length; at++) {
    fence = fenceAfter(lines[at]!, fence)
    if (fence === '' && lines[at]!.trimEnd() === '</aside>') return at
    if (fence === '' && lines[at]!.trimEnd() === '<aside>') return -1
  }
  return -1
}
