import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/connect.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { FetchFailure } from '../fetch/failure.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { touchSitesOf } from '../sites/touch.ts'
import { lookAt } from './look.ts'
import { type DueEmbed, giveBack, setFailed, setRead, takeDue } from './queries.ts'
import type { Said } from './said.ts'

/** So many servers are asked at once, and what they said is written together: readers' pages are drawn anew for it. */
const atOnce = 20

export interface Reading {
  db: Database
  fetcher: Fetcher
  log: FastifyBaseLogger
  stopping?: AbortSignal | undefined
}

/** Asks what is due, until nothing is. Several may do this at once, here and on other nodes. Answers how many it asked. */
export async function readDue(reading: Reading, isEnough = () => false): Promise<number> {
  const { db } = reading
  let count = 0
  while (!isEnough() && !reading.stopping?.aborted) {
    const due = await takeDue(db, atOnce)
    if (due.length === 0) break
    const found = await Promise.all(due.map((each) => ask(reading, each)))
    // Whatever was under way then failed for no reason of its own.
    if (reading.stopping?.aborted) {
      await giveBack(db, due)
      break
    }
    const byOrganization = Map.groupBy(found, ({ due: { organization_id } }) => organization_id)
    for (const [organizationId, some] of byOrganization) await keep(db, organizationId, some)
    count += due.length
  }
  return count
}

interface Answered {
  due: DueEmbed
  result: Said | FetchFailure
}

async function ask({ fetcher, log, stopping }: Reading, due: DueEmbed): Promise<Answered> {
  try {
    return { due, result: await lookAt(fetcher, due.address, stopping) }
  } catch (error) {
    if (error instanceof FetchFailure) return { due, result: error }
    // A mistake of ours: the others that were asked with it must not be asked again and again for it.
    log.error({ err: error }, 'what a page says of itself cannot be read')
    return { due, result: new FetchFailure('bad-answer') }
  }
}

async function keep(db: Database, organizationId: string, some: readonly Answered[]): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    let isOther = false
    for (const { due, result } of some.toSorted(byHash)) {
      if (result instanceof FetchFailure) await setFailed(tx, due, result.reason)
      else if (await setRead(tx, due, result)) isOther = true
    }
    // What their readers see is drawn from it.
    if (isOther) touchSitesOf(tx, organizationId)
    tx.leaveMain()
  })
}

/** Rows are held in one order, whoever holds several. */
const byHash = (a: Answered, b: Answered) => a.due.address_hash.compare(b.due.address_hash)
