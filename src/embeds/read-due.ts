import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/connect.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { FetchFailure } from '../fetch/failure.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { touchSitesOf } from '../sites/touch.ts'
import { lookAt } from './look.ts'
import { type DueEmbed, giveBack, setFailed, setRead, takeDue } from './queries.ts'
import type { Said } from './said.ts'

/**
 * So many servers are requested at once. Their results are written together, because readers' pages are rendered again
 * for them.
 */
const atOnce = 20

export interface Reading {
  db: Database
  fetcher: Fetcher
  log: FastifyBaseLogger
  stopping?: AbortSignal | undefined
}

/**
 * Requests embeds that are due, until none is left. Several may run at once, here and on other nodes. Returns how many
 * were requested.
 */
export async function readDue(reading: Reading, isEnough = () => false): Promise<number> {
  const { db } = reading
  let count = 0
  while (!isEnough() && !reading.stopping?.aborted) {
    const due = await takeDue(db, atOnce)
    if (due.length === 0) break
    const found = await Promise.all(due.map((each) => ask(reading, each)))
    // Requests that were under way failed only because this process is stopping.
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
    // A bug of ours: the others that were requested with it must not be requested again and again because of it.
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
    // The pages of these sites show the result.
    if (isOther) touchSitesOf(tx, organizationId)
    tx.leaveMain()
  })
}

/** Everything that locks several rows locks them in this order. */
const byHash = (a: Answered, b: Answered) => a.due.address_hash.compare(b.due.address_hash)
