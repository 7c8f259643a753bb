import { type Html, html } from '../../content/html/template.ts'
import { parse } from '../../content/parse.ts'
import { toPlainText } from '../../content/text.ts'
import type { Words } from '../../published/words/words.ts'
import { shortened } from '../../shortened.ts'
import { objectAt, textAt } from './json.ts'
import { isPlain } from './markdown.ts'

/** Returns the link to further documentation: `externalDocs`. */
export function furtherOf(holder: unknown, { readMore }: Words): { href: string; title: string } | undefined {
  const docs = objectAt(holder, 'externalDocs')
  const href = textAt(docs, 'url')?.trim()
  // A specification does not know where it is displayed, so relative addresses in it lead nowhere.
  if (href === undefined || !/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  const said = plainly(textAt(docs, 'description'))
  return { href, title: said ? shortened(said, 300) : readMore }
}

/** Returns only the plain text, because it becomes the text of a link. */
function plainly(description: string | undefined): string | undefined {
  const text = description && shortened(description.trim(), 2_000)
  if (text === undefined || isPlain(text)) return text
  return toPlainText(parse(text).blocks).replaceAll(/\s+/g, ' ').trim()
}

export function drawFurther(holder: unknown, words: Words): Html | undefined {
  const further = furtherOf(holder, words)
  return further && html`<p><a href="${further.href}">${further.title}</a></p>`
}
