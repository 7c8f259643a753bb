import { links } from '../content/links.ts'
import { writeInlines } from '../content/markdown/write-inlines.ts'
import { parse } from '../content/parse.ts'
import type { Transaction } from '../db/transaction.ts'
import { isId } from '../ids.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Person } from '../users/present.ts'
import type { Comment } from './queries.ts'

/** Further mentions in one comment are ignored. */
const most = 20

/**
 * Returns the mention of a person in a text: `[Jo](/users/… "mention")`, which the document format has as a reference
 * to a user.
 */
export const mentionOf = ({ id, display_name }: Pick<Person, 'id' | 'display_name'>): string =>
  writeInlines([{ type: 'mention', href: `/users/${id}`, inlines: [{ type: 'text', text: display_name }] }])

/** Returns the ids of the people that a text mentions, each once. */
export function mentionsIn(markdown: string): string[] {
  if (!markdown.includes('"mention"')) return []
  // After an empty line, so that a comment that begins with a rule is not parsed as front matter.
  const document = parse(`\n${markdown}`)
  const named = links(document).flatMap(({ kind, href, end }) => {
    const [, id = ''] = /^\/users\/([0-9a-f-]{36})$/.exec(href) ?? []
    return kind === 'link' && isId(id) && /^>?\s+"mention"/.test(document.source.slice(end)) ? [id] : []
  })
  return [...new Set(named)].slice(0, most)
}

/**
 * Replaces mentions by names, for places that show the text as it was written. An escaped bracket begins no mention, and
 * is matched so that nothing is looked for from there.
 */
export const withNames = (markdown: string): string =>
  markdown.replaceAll(/\\.|\[((?:\\.|[^[\]\\\n])*)\]\(\/users\/[0-9a-f-]{36} "mention"\)/g, (written, name?: string) =>
    name === undefined ? written : `@${name.replaceAll(/\\(.)/g, '$1')}`,
  )

/** Announces an edited text, for the people who are newly mentioned and those who are no longer mentioned. */
export function tellOfNewWords(mail: Pick<Mailer, 'tell'>, tx: Transaction, before: Comment, after: Comment): void {
  const [then, now] = [new Set(mentionsIn(before.markdown)), new Set(mentionsIn(after.markdown))]
  const mentioned = [...now.difference(then)]
  const unmentioned = [...then.difference(now)]
  if (mentioned.length + unmentioned.length === 0) return
  const { id, review_id, organization_id: organizationId } = after
  const about = {
    // The text of a review is announced with its verdict.
    ...(review_id === null ? { comment: id } : { review: review_id }),
    mentioned: mentioned.join(','),
    unmentioned: unmentioned.join(','),
  }
  mail.tell(tx, { kind: 'said', organizationId, about })
}
