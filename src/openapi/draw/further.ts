import { type Html, html } from '../../content/html/template.ts'
import { parse } from '../../content/parse.ts'
import { toPlainText } from '../../content/text.ts'
import type { Words } from '../../published/words/words.ts'
import { shortened } from '../../shortened.ts'
import { objectAt, textAt } from './json.ts'
import { isPlain } from './markdown.ts'

/** Where more is told of something: its `externalDocs`. */
export function furtherOf(holder: unknown, { readMore }: Words): { href: string; title: string } | undefined {
  const docs = objectAt(holder, 'externalDocs')
  const href = textAt(docs, 'url')?.trim()
  // A specification does not know where it is shown: what is relative in it leads nowhere.
  if (href === undefined || !/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  const said = plainly(textAt(docs, 'description'))
  return { href, title: said ? shortened(said, 300) : readMore }
}

/** It goes into a link: only the words of it. */
function plainly(description: string | undefined): string | undefined {
  const text = description && shortened(description.trim(), 2_000)
  if (text === undefined || isPlain(text)) return text
  return toPlainText(parse(text).blocks).replaceAll(/\s+/g, ' ').trim()
}

export function drawFurther(holder: unknown, words: Words): Html | undefined {
  const further = furtherOf(holder, words)
  return further && html`<p><a href="${further.href}">${further.title}</a></p>`
}
