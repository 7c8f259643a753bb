import type { Transaction } from '../db/transaction.ts'
import { derivedBefore } from '../derived/derive.ts'
import type { MainChange } from '../derived/main-change.ts'
import { isHere } from '../revisions/entries.ts'
import { askedAs } from './address.ts'
import { askLater } from './queries.ts'

/** Of one change, however many pages it brings. All others are asked for when somebody reads their page. */
const mostOfChange = 500

/**
 * What the texts that changed embed is asked for soon: whoever reads them on a site then finds it known. They were taken
 * apart a moment ago, for their links; one that is not at hand any more waits for its first reader.
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
