import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Sent, Unanswered, describe, send } from './client.ts'
import { Finding, ensure } from './drill.ts'

/** What must exist once a write has been answered. Until then, all of it or nothing of it may exist. */
export type Effect =
  | { kind: 'pages'; space: string; titles: string[] }
  | { kind: 'file'; space: string; name: string; sha256: string }
  /** `path` answers with this status, or has this value in that field. */
  | { kind: 'state'; path: string; status: number; field?: string; value?: unknown }
  | { kind: 'nothing' }

export interface Write extends Sent {
  effect: Effect
  /** Statuses allowed for a repeat besides success: a second delete finds nothing. */
  orElse?: number[]
}

export interface Entry extends Write {
  answer: Answer | undefined
}

/** All writes that clients sent, and which of them were answered. Kept outside of the killed processes. */
export class Ledger {
  readonly entries: Entry[] = []
  readonly #mayPass: readonly number[]

  /** `mayPass`: statuses besides 503 that clients of this drill treat as "not now". */
  constructor(mayPass: readonly number[] = []) {
    this.#mayPass = mayPass
  }

  /**
   * Sends a write until it is answered, as a client would: again after 503, with the same key. Throws Unanswered if the
   * connection breaks, since the outcome is then unknown.
   */
  async write(url: string, request: Write): Promise<Answer> {
    const entry: Entry = { ...request, headers: { ...request.headers }, answer: undefined }
    if (request.method === 'POST') entry.headers!['idempotency-key'] = randomUUID()
    this.entries.push(entry)
    return this.#send(url, entry, [])
  }

  get unanswered(): Entry[] {
    return this.entries.filter(({ answer }) => answer === undefined)
  }

  get answered(): number {
    return this.entries.length - this.unanswered.length
  }

  /** Sends the unanswered writes again. */
  async settle(url: string): Promise<void> {
    for (const entry of this.unanswered) await this.#send(url, entry, entry.orElse ?? [])
  }

  async #send(url: string, entry: Entry, orElse: number[]): Promise<Answer> {
    const deadline = performance.now() + 60_000
    for (let isRepeat = false; ; isRepeat = true) {
      const answer = await send(url, entry)
      const allowed = isRepeat ? [...orElse, ...(entry.orElse ?? [])] : orElse
      if (answer.status < 300 || allowed.includes(answer.status)) {
        entry.answer = answer
        return answer
      }
      const { status, body, headers } = answer
      const isExpected = this.#mayPass.includes(status)
      const mayPass = status === 503 || body?.error?.type === 'still_running' || isExpected
      ensure(mayPass, `${entry.method} ${entry.path} was answered with ${describe(answer)}`)
      ensure(isExpected || headers.get('retry-after'), `${entry.method} ${entry.path}: 503 without Retry-After`)
      ensure(performance.now() < deadline, `${entry.method} ${entry.path}: still ${describe(answer)} after a minute`)
      await sleep(50)
    }
  }
}

/** Compares the stored data with the ledger. */
export async function compare(url: string, ledger: Ledger): Promise<void> {
  const bySpace = Map.groupBy(ledger.entries, ({ effect }) => ('space' in effect ? effect.space : ''))
  for (const [space, entries] of bySpace) {
    if (space === '') await compareStates(url, entries)
    else await compareSpace(url, space, entries)
  }
}

async function compareSpace(url: string, space: string, entries: Entry[]): Promise<void> {
  const { status, body } = await get(url, `/v1/spaces/${space}/content`)
  ensure(status === 200, `Space ${space} is gone`)
  const found = new Map<string, number>()
  const count = (title: string) => found.set(title, (found.get(title) ?? 0) + 1)
  for (const title of titlesOf(body.pages)) count(`page ${title}`)
  for (const { name } of body.files) count(`file ${name}`)
  const expected = new Set<string>()
  for (const entry of entries) {
    const names = namesOf(entry.effect)
    for (const name of names) expected.add(name)
    const times = names.map((name) => found.get(name) ?? 0)
    if (entry.answer || entry.effect.kind === 'nothing')
      ensure(
        times.every((many) => many === 1),
        `LOST or doubled: ${names.join(', ')} are there ${times.join(', ')} times in ${space}, and were answered with ${describe(entry.answer!)}`,
      )
    else
      ensure(
        times.every((many) => many === times[0] && many <= 1),
        `TORN: ${names.join(', ')} are there ${times.join(', ')} times in ${space}`,
      )
  }
  for (const name of found.keys()) ensure(expected.has(name), `Nobody wrote ${name} into ${space}`)
  await compareBytes(url, entries, body.files)
}

function namesOf(effect: Effect): string[] {
  if (effect.kind === 'pages') return effect.titles.map((title) => `page ${title}`)
  return effect.kind === 'file' ? [`file ${effect.name}`] : []
}

async function compareBytes(url: string, entries: Entry[], files: { name: string; downloadURL: string }[]) {
  const byName = new Map(files.map((file) => [file.name, file.downloadURL]))
  for (const { effect } of entries) {
    if (effect.kind !== 'file' || !byName.has(effect.name)) continue
    const { pathname, search } = new URL(byName.get(effect.name)!)
    const response = await fetch(url + pathname + search)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    ensure(response.status === 200, `The bytes of ${effect.name} are answered with ${response.status}`)
    ensure(sha256 === effect.sha256, `TORN: the bytes of ${effect.name} are others than were sent`)
  }
}

export function titlesOf(pages: { title: string; pages?: any[] }[]): string[] {
  return pages.flatMap(({ title, pages: below = [] }) => [title, ...titlesOf(below)])
}

/** For each path, the last answered state must hold, or one that was requested after it. */
async function compareStates(url: string, entries: Entry[]): Promise<void> {
  const byPath = Map.groupBy(entries, ({ effect }) => (effect.kind === 'state' ? effect.path : ''))
  for (const [path, writes] of byPath) {
    if (path === '') continue
    const last = writes.findLastIndex(({ answer }) => answer !== undefined)
    const possible = writes.slice(Math.max(0, last))
    const { status, body } = await get(url, path)
    const isOne = possible.some(({ effect }) => {
      if (effect.kind !== 'state' || effect.status !== status) return false
      return effect.field === undefined || body[effect.field] === effect.value
    })
    const isAsBefore = last === -1
    ensure(
      isOne || isAsBefore,
      `LOST: ${path} is answered with ${status} ${JSON.stringify(body).slice(0, 300)} after ${possible.map(({ method, path: at }) => `${method} ${at}`).join(', ')}`,
    )
  }
}

async function get(url: string, path: string): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await send(url, { method: 'GET', path })
      if (answer.status !== 503 || tries > 200) return answer
    } catch (error) {
      if (!(error instanceof Unanswered) || tries > 20) throw new Finding(`GET ${path} fails: ${String(error)}`)
    }
    await sleep(50)
  }
}
