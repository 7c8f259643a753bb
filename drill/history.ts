import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, describe, send } from './client.ts'
import { ensure } from './drill.ts'
import { type Change, type ModelPage, bodyOf } from './model.ts'
import type { Random } from './random.ts'

/** One request as its client saw it. All times come from this process, which all clients share. */
export interface Step {
  kind: 'edit' | 'refused-edit' | 'stale-edit' | 'merge' | 'merge-conflicts' | 'merge-refused' | 'update' | 'read'
  node: number
  sentAt: number
  answeredAt: number
  /** The change request, or undefined for main. */
  request?: string | undefined
  /** The revision named in the answer. */
  revision: string
  change?: Change
  ifMatch?: string | undefined
  titles?: Map<string, string>
  refusal?: string
}

export interface Arena {
  /** URLs of several nodes that share one database. */
  urls: string[]
  token: string
  space: string
  steps: Step[]
  /** Change requests that clients believe to be open. */
  requests: string[]
  /** Pages that clients know of, by line. */
  known: Map<string, Map<string, ModelPage>>
  made: number
}

const slotCount = 4
const openRequests = 8
const main = 'main'

let names = 0
const newName = () => `v${(names += 1)}`

export const newPage = (): ModelPage => ({
  title: newName(),
  slots: Array.from({ length: slotCount }, newName),
})

/** A client that performs `count` actions, one after the other, at one node. */
export async function act(arena: Arena, node: number, random: Random, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const request = arena.requests.length > 0 ? random.of(arena.requests) : undefined
    const choice = random.next()
    if (choice < 0.1 && arena.requests.length < openRequests) await open(arena, node)
    else if (choice < 0.25) await read(arena, node)
    else if (choice < 0.45) await edit(arena, node, random, undefined)
    else if (!request) await open(arena, node)
    else if (choice < 0.75) await edit(arena, node, random, request)
    else if (choice < 0.83) await update(arena, node, random, request)
    else await merge(arena, node, random, request)
  }
}

/** Sends a POST. Now and then, as impatient clients do, sends it twice at once with the same key. */
async function post(arena: Arena, node: number, path: string, body?: object, random?: Random, headers = {}) {
  const url = arena.urls[node]!
  const key = randomUUID()
  const once = async () => {
    for (;;) {
      const sent = { method: 'POST', path, body, token: arena.token, headers: { 'idempotency-key': key, ...headers } }
      const answer = await send(url, sent)
      if (answer.body?.error?.type !== 'still_running') return answer
      await sleep(5)
    }
  }
  const sentAt = performance.now()
  const first = once()
  if (random?.chance(0.05)) {
    const [one, two] = await Promise.all([first, once()])
    const isSame = one.status === two.status && JSON.stringify(one.body) === JSON.stringify(two.body)
    // Refusals are not stored, so the second request may be refused because of what happened in between.
    ensure(
      isSame || one.status >= 400 || two.status >= 400,
      `One key, two answers: ${describe(one)} and ${describe(two)}`,
    )
    if (one.status >= 400 && two.status < 400) return { answer: two, sentAt, answeredAt: performance.now() }
  }
  return { answer: await first, sentAt, answeredAt: performance.now() }
}

const at = ({ space }: Arena, request?: string) =>
  request === undefined ? `/v1/spaces/${space}` : `/v1/spaces/${space}/change-requests/${request}`

async function open(arena: Arena, node: number): Promise<void> {
  const { answer } = await post(arena, node, `${at(arena)}/change-requests`, { subject: newName() })
  ensure(answer.status === 201, describe(answer))
  arena.made += 1
  arena.known.set(answer.body.id, new Map(arena.known.get(main)))
  arena.requests.push(answer.body.id)
}

async function edit(arena: Arena, node: number, random: Random, request: string | undefined): Promise<void> {
  const pages = arena.known.get(request ?? main) ?? arena.known.get(main)!
  const ifMatch = random.chance(0.2) ? await headOf(arena, node, request) : undefined
  const { operation, change } = chooseChange(pages, random)
  const path = `${at(arena, request)}/content${request === undefined ? '' : '?compat=false'}`
  const headers = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }
  const { answer, ...times } = await post(arena, node, path, { changes: [operation] }, random, headers)
  const step = { node, ...times, request, change, ifMatch }
  if (answer.status === 412) arena.steps.push({ ...step, kind: 'stale-edit', revision: '' })
  else if (answer.status === 200) {
    const made = answer.body.changes[0]?.page
    const page = change.page || made?.id || made
    const done: Change = { ...change, page }
    note(pages, done)
    const revision = request === undefined ? answer.body.revision : answer.body.changeRequest.revision
    arena.steps.push({ ...step, kind: 'edit', change: done, revision })
  } else {
    ensure([400, 404, 409].includes(answer.status), `An edit was answered with ${describe(answer)}`)
    arena.steps.push({ ...step, kind: 'refused-edit', revision: '', refusal: describe(answer) })
    // The page is gone, or its whole change request is.
    pages.delete(change.page)
  }
}

function chooseChange(pages: Map<string, ModelPage>, random: Random): { operation: object; change: Change } {
  const choice = random.next()
  if (choice < 0.12 || pages.size < 4) {
    const to = newPage()
    const document = { markdown: bodyOf(to.slots) }
    const operation = { operation: 'insert_page', document, metadata: { title: to.title } }
    return { operation, change: { kind: 'put', page: '', to } }
  }
  const [page, known] = random.of([...pages])
  if (choice < 0.17) return { operation: { operation: 'delete_page', page }, change: { kind: 'delete', page } }
  if (choice < 0.4) {
    const title = newName()
    return {
      operation: { operation: 'update_page', page, metadata: { title } },
      change: { kind: 'title', page, title },
    }
  }
  const slots = known.slots.with(random.between(0, slotCount - 1), newName())
  const operation = { operation: 'update_page', page, document: { markdown: bodyOf(slots) } }
  return { operation, change: { kind: 'body', page, slots } }
}

/** Notes what clients believe to exist. As in real use, this is not always true. */
function note(pages: Map<string, ModelPage>, change: Change): void {
  const known = pages.get(change.page)
  if (change.kind === 'delete') pages.delete(change.page)
  else if (change.kind === 'put') pages.set(change.page, change.to)
  else if (known && change.kind === 'body') pages.set(change.page, { ...known, slots: change.slots })
}

async function headOf(arena: Arena, node: number, request: string | undefined): Promise<string> {
  const answer = await send(arena.urls[node]!, { method: 'GET', path: at(arena, request), token: arena.token })
  return answer.body.revision
}

async function update(arena: Arena, node: number, random: Random, request: string): Promise<void> {
  const { answer, ...times } = await post(arena, node, `${at(arena, request)}/update`, undefined, random)
  ensure(answer.status === 200 || answer.status === 409, `An update was answered with ${describe(answer)}`)
  if (answer.status !== 200) return
  arena.steps.push({ kind: 'update', node, ...times, request, revision: answer.body.revision })
}

async function merge(arena: Arena, node: number, random: Random, request: string): Promise<void> {
  const { answer, ...times } = await post(arena, node, `${at(arena, request)}/merge`, undefined, random)
  const step = { node, ...times, request }
  if (answer.status === 409) {
    arena.steps.push({ ...step, kind: 'merge-refused', revision: '' })
    return
  }
  ensure(answer.status === 200, `A merge was answered with ${describe(answer)}`)
  const { result, revision } = answer.body
  arena.steps.push({ ...step, kind: result === 'merge' ? 'merge' : 'merge-conflicts', revision })
  // Some change requests are abandoned. The others are edited until nothing conflicts any more.
  if (result === 'merge' || random.chance(0.5)) leave(arena, request)
  if (result !== 'merge') return
  // Clients continue with the merged pages.
  for (const [id, page] of arena.known.get(request) ?? []) arena.known.get(main)!.set(id, page)
}

function leave(arena: Arena, request: string): void {
  arena.requests = arena.requests.filter((id) => id !== request)
}

async function read(arena: Arena, node: number): Promise<void> {
  const sentAt = performance.now()
  const path = `${at(arena)}/content`
  const answer: Answer = await send(arena.urls[node]!, { method: 'GET', path, token: arena.token })
  ensure(answer.status === 200, `Reading was answered with ${describe(answer)}`)
  const titles = new Map<string, string>(
    answer.body.pages.map((page: { id: string; title: string }) => [page.id, page.title]),
  )
  arena.steps.push({ kind: 'read', node, sentAt, answeredAt: performance.now(), revision: answer.body.id, titles })
}
