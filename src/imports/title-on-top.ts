import { readPageSource } from '../pages/source.ts'

/** A heading that begins further down is not a title with pictures in front of it. */
const mostInFront = 6_000

const picture = String.raw`(?:<(?:\/?(?:a|br|div|p|picture|center|source|img)\b[^<>]*)>|\[?!\[[^[\]]*\](?:\([^()\s]*(?:\s+"[^"]*")?\)|\[[^[\]]*\])(?:\](?:\([^()\s]*\)|\[[^[\]]*\]))?|&nbsp;|[|·•\s])`
const onlyPictures = new RegExp(`^${picture}*$`)
const heading = /^(?:# .*|<h1(?:\s[^<>]*)?>(?:(?!<\/?h1)[^])*?<\/h1>[ \t]*)$/m

/**
 * Many pages begin with their logo or with badges, and have their title in the heading after these. The heading is
 * moved to the top, where a title is looked for. A picture within the heading is kept, below the title.
 */
export function withTitleOnTop(body: string): string {
  if (readPageSource(body).fields.title !== undefined) return body
  const near = body.slice(0, mostInFront)
  const found = heading.exec(near)
  if (!found || !onlyPictures.test(near.slice(0, found.index))) return body
  const [written] = found
  const images = written.startsWith('<') ? (written.match(/<img\b[^<>]*>/gi) ?? []) : []
  const title = images.reduce((text, image) => text.replace(image, ''), written)
  if (readPageSource(title).fields.title === undefined) return body
  const pictures = images.length > 0 ? `<p align="center">${images.join(' ')}</p>` : ''
  return `${title}\n\n${body.slice(0, found.index)}${pictures}${body.slice(found.index + written.length)}`
}
