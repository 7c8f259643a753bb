import { setImmediate } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { derive } from '../derived/derive.ts'
import { ApiError } from '../http/errors.ts'
import { each } from '../jobs/each.ts'
import type { Task } from '../jobs/task.ts'
import { listBodies } from '../revisions/bodies.ts'
import type { Entry } from '../revisions/entries.ts'
import { findMainLine, lockLine } from '../revisions/lines.ts'
import { type Backlog, endBacklog, listBacklog, listNextEntries, moveBacklog } from './jobs.queries.ts'
import { listLinksOf } from './queries.ts'
import { linksIn, renewLinks } from './renew.ts'

const batch = 50

/** Finds the links of spaces that existed before links were stored. Continues where it was stopped. */
export const indexSpaces: Task = {
  name: 'index-links-of-spaces',
  schedule: '* * * * *',
  async run({ db, log, stopping }) {
    const failure = 'the links of a space could not be found'
    const spaces = await each(
      { log, isEnough: () => stopping?.aborted === true },
      await listBacklog(db),
      failure,
      async (space) => {
        try {
          await indexSpace(db, space, stopping)
        } catch (error) {
          // The space was moved or deleted meanwhile. The next run sees its new state.
          if (!(error instanceof ApiError)) throw error
        }
      },
    )
    if (spaces > 0) log.info({ spaces }, 'found the links of older spaces')
  },
}

async function indexSpace(db: Database, space: Backlog, stopping: AbortSignal | undefined): Promise<void> {
  const { id: lineId } = await findMainLine(db, space.organization_id, space.space_id)
  for (let upTo: string | undefined = space.up_to; upTo !== undefined;) {
    if (stopping?.aborted) return
    const here = { ...space, up_to: upTo }
    await readAhead(db, space.organization_id, await listNextEntries(db, here, lineId, batch))
    upTo = await transaction(db, nobody, async (tx) => {
      const line = await lockLine(tx, space.organization_id, lineId)
      const entries = await listNextEntries(tx, here, lineId, batch)
      const sources = entries.map(({ entry }) => entry)
      const before = await listLinksOf(tx, { organizationId: line.organizationId, lineId }, sources)
      await renewLinks(tx, line, { before, asked: await linksIn(tx, line, entries) })
      const last = sources.at(-1)
      if (last === undefined) await endBacklog(tx, space)
      else await moveBacklog(tx, space, last)
      return last
    })
  }
}

/** Parsing takes longer than writing, so it is done before the line is locked, and yields to requests in between. */
async function readAhead(db: Database, organizationId: string, entries: readonly Entry[]): Promise<void> {
  const docs = [...new Set(entries.flatMap(({ doc }) => doc ?? []))]
  for (const { hash, markdown } of await listBodies(db, organizationId, docs)) {
    derive(markdown, hash)
    await setImmediate()
  }
}
