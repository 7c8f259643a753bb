import type { Transaction } from '../db/transaction.ts'
import { derivedBefore } from '../derived/derive.ts'
import type { MainChange } from '../derived/main-change.ts'
import { isHere } from '../revisions/entries.ts'
import { askedAs } from './address.ts'
import { askLater } from './queries.ts'

/** Limit per change, however many pages it brings. All other addresses are requested when their page is read. */
const mostOfChange = 500

/**
 * Has the addresses that changed texts embed requested soon, so that they are known when the texts are read on a site.
 * The texts were parsed a moment ago, for their links. The embeds of a text that is no longer cached wait for its first
 * reader.
 */
export function askForEmbeds(tx: Transaction, { after, rows }: MainChange): void {
  const found = new Set<string>()
  for (const row of rows) {
    const links = row.doc !== null && isHere(row) ? derivedBefore(row.doc)?.links : undefined
    for (const { kind, href } of links ?? []) {
      const address = kind === 'embed' && found.size < mostOfChange ? askedAs(href) : undefined
      if (address !== undefined) found.add(address)
    }
  }
  askLater(tx, after.organizationId, [...found])
}
