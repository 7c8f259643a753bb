import { type TakenApart, takeApart } from '../content/page/heading-pictures.ts'
import { readPageSource } from '../pages/source.ts'

/** A heading that begins further down is not a title with pictures in front of it. */
const mostInFront = 6_000

const picture = String.raw`(?:<(?:\/?(?:a|br|div|p|picture|center|source|img)\b[^<>]*)>|\[?!\[[^[\]]*\](?:\([^()\s]*(?:\s+"[^"]*")?\)|\[[^[\]]*\])(?:\](?:\([^()\s]*\)|\[[^[\]]*\]))?|&nbsp;|[|·•\s])`
const onlyPictures = new RegExp(`^${picture}*$`)
const heading = /^(?:# .*|<h1(?:\s[^<>]*)?>(?:(?!<\/?h1)[^])*?<\/h1>[ \t]*|[^\s#<>|*+-].*\r?\n=+[ \t]*)$/m

/**
 * Many pages begin with their logo or with badges, and have their title in the heading after these. The heading is
 * moved to the top, where a title is looked for. Titles are plain text, so the pictures and links in the heading are
 * kept below it.
 */
export function withTitleOnTop(body: string): string {
  const near = body.slice(0, mostInFront)
  const found = heading.exec(near)
  if (!found || !onlyPictures.test(near.slice(0, found.index))) return body
  const [written] = found
  const { title, kept } = written.startsWith('<') ? takeHtmlApart(written) : takeApart(written, body)
  if (kept.length === 0 && readPageSource(body).fields.title !== undefined) return body
  if (readPageSource(title).fields.title === undefined) return body
  const below = written.startsWith('<') && kept.length > 0 ? `<p align="center">${kept.join(' ')}</p>` : kept.join(' ')
  const end = found.index + written.length
  return `${title}\n\n${body.slice(0, found.index)}${below}${below === '' ? '' : '\n\n'}${body.slice(end).replace(/^\s*\n/, '')}`
}

const pictureOrLink = /<a\s[^<>]*>(?:(?!<\/?a\b)[^])*<\/a>|<picture\b(?:(?!<\/picture)[^])*<\/picture>|<img\b[^<>]*>/gi

/** Takes pictures out of the title. The words of links remain in it as well. */
function takeHtmlApart(written: string): TakenApart {
  const kept: string[] = []
  const title = written.replace(pictureOrLink, (found) => {
    const [tag] = /^<a\b[^<>]*>/i.exec(found) ?? []
    const leads = tag === undefined || /\shref\s*=\s*["']?[^"'#\s>]/i.test(tag)
    const pictures = /<img\b/i.test(found) ? found.match(/<picture\b[^]*?<\/picture>|<img\b[^<>]*>/gi)! : []
    kept.push(...(leads ? [found] : pictures))
    return pictures.reduce((text, each) => text.replace(each, ''), found)
  })
  return { title, kept }
}
