import type { WebhookAttempt } from '../db/tables.ts'
import { FetchFailure, type FetchReason } from '../fetch/failure.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import type { Secrets } from '../secrets.ts'
import type { TakenDelivery } from './sending.queries.ts'
import { sign } from './signature.ts'

/** The result of sending a delivery once. */
export interface Outcome {
  delivery: TakenDelivery
  attempt: WebhookAttempt
  /** `again`: it may work later. `refused`: another attempt would have the same result. */
  result: 'taken' | 'again' | 'refused'
}

const limits = { firstByteMs: 10_000, totalMs: 15_000, redirects: 0 }

/**
 * Sends a delivery. Of the response, only the status is kept: the rest may come from a place that the users who see the
 * delivery have no access to.
 */
export async function sendDelivery(
  { fetcher, secrets }: { fetcher: Fetcher; secrets: Secrets },
  delivery: TakenDelivery,
): Promise<Outcome> {
  const at = new Date().toISOString()
  const started = performance.now()
  const outcome = await post(fetcher, secrets, delivery)
  const { result, ...answer } = outcome
  return { delivery, attempt: { at, ms: Math.round(performance.now() - started), ...answer }, result }
}

async function post(
  fetcher: Fetcher,
  secrets: Secrets,
  delivery: TakenDelivery,
): Promise<{ result: Outcome['result']; status?: number; error?: string }> {
  const signature = sign(secretsOf(delivery, secrets), delivery.body)
  try {
    const { status } = await fetcher.fetch(delivery.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-lectern-event': delivery.type,
        'x-lectern-delivery': delivery.id,
        'x-lectern-signature': signature,
        // Read by receivers that were written for GitBook.
        'x-gitbook-signature': signature,
      },
      body: delivery.body,
      limits,
      withoutBody: true,
    })
    return { result: resultOf(status), status }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    if (error.reason === 'too-many-redirects') return { result: 'refused', error: 'redirects, which is not followed' }
    return { result: hopeless.has(error.reason) ? 'refused' : 'again', error: error.message }
  }
}

const hopeless: ReadonlySet<FetchReason> = new Set(['bad-address', 'private-address'])

function resultOf(status: number): Outcome['result'] {
  if (status >= 200 && status < 300) return 'taken'
  return status >= 500 || status === 429 ? 'again' : 'refused'
}

function secretsOf({ secret, former_secret }: TakenDelivery, secrets: Secrets): string[] {
  return [secret, ...(former_secret ? [former_secret] : [])].map((sealed) => secrets.open('webhook', sealed))
}
