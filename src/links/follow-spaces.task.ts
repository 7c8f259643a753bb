import type { Database } from '../db/connect.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { ApiError } from '../http/errors.ts'
import { each } from '../jobs/each.ts'
import type { Task } from '../jobs/task.ts'
import { listChanged, listEntries } from '../revisions/entries.ts'
import { lockLine } from '../revisions/lines.ts'
import { type LinkedSpace, listChangedTargets, listLinesInto, listLinksInto, markSeen } from './jobs.queries.ts'
import { type LinkRow, listLinksOf } from './queries.ts'
import { keyOf, readAgain, renewLinks } from './renew.ts'
import { upheavalOf } from './upheaval.ts'

const batch = 500

/**
 * Updates links into other spaces after those have changed. This is a job because two main lines are never locked
 * together. Until it has run, such a link may have a status that is a minute old.
 */
export const followSpaces: Task = {
  name: 'follow-links-into-spaces',
  schedule: '* * * * *',
  async run({ db, log, stopping }) {
    const changed = await listChangedTargets(db)
    const failure = 'links into a space could not be followed'
    const spaces = await each({ log, isEnough: () => stopping?.aborted === true }, changed, failure, (space) =>
      follow(db, space),
    )
    if (spaces > 0) log.info({ spaces }, 'looked at links into spaces that changed')
  },
}

async function follow(db: Database, space: LinkedSpace): Promise<void> {
  const isShaken = await shakenBy(db, space)
  for (const lineId of await listLinesInto(db, space)) {
    for (let after: LinkRow | undefined; ;) {
      const links = await listLinksInto(db, lineId, space, batch, after)
      await lookAt(db, space.organization_id, lineId, links.filter(isShaken))
      after = links.at(-1)
      if (links.length < batch) break
    }
  }
  await markSeen(db, space)
}

/** Returns a test for the links that the changes since the last run may have broken or mended. */
async function shakenBy(db: Database, space: LinkedSpace): Promise<(link: LinkRow) => boolean> {
  const { organization_id: organizationId, line_id: lineId, seen_seq, head_seq: seq, head_id: id } = space
  if (seen_seq <= 0) return () => true
  const head = { organizationId, lineId, seq, id, base: undefined }
  const rows = await listChanged(db, head, seen_seq)
  const ids = rows.map(({ entry }) => entry)
  const were = await listEntries(db, { ...head, seq: seen_seq }, ids)
  const upheaval = upheavalOf(new Map(were.map((entry) => [entry.entry, entry])), rows)
  const [turned, rewritten] = [new Set(upheaval.turned), new Set(upheaval.rewritten)]
  return ({ target, wanted, anchor }) =>
    (wanted !== null && upheaval.arrived.length > 0) ||
    (target !== null && (turned.has(target) || (anchor !== null && rewritten.has(target))))
}

async function lookAt(db: Database, organizationId: string, lineId: string, links: readonly LinkRow[]) {
  if (links.length === 0) return
  const keys = new Set(links.map(keyOf))
  const sources = [...new Set(links.map(({ source }) => source))]
  try {
    await transaction(db, nobody, async (tx) => {
      const line = await lockLine(tx, organizationId, lineId)
      const key = { organizationId, lineId, spaceId: line.spaceId }
      const before = (await listLinksOf(tx, key, sources)).filter((row) => keys.has(keyOf(row)))
      await renewLinks(tx, line, { before, asked: await readAgain(tx, key, before) })
    })
  } catch (error) {
    // The space of these links was deleted, or moved to an organization where they lead nowhere.
    if (!(error instanceof ApiError)) throw error
  }
}
