import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { zipOf } from '../src/imports/testing/zip.ts'
import { type Answer, Unanswered, send } from './client.ts'
import { ensure } from './drill.ts'
import { whenOver } from './leftovers.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'

/** What the clients write to: spaces that are new in each round, and a site that stays. */
export interface World {
  organizationId: string
  live: string
  reviewed: string
  stamped: StampedSite
  upstream: string
}

export interface StampedSite {
  space: string
  pages: string[]
  address: string
  /** The number of the last stamp whose write was answered; `asked` is the last one requested. */
  written: number
  asked: number
}

/** What a client works with: the server that is currently up, and when to stop. */
export interface Situation {
  url: string
  random: Random
  ledger: Ledger
  stop: AbortSignal
  /** Unique in the whole drill. */
  name: () => string
}

type Work = (at: Situation, world: World) => Promise<void>

const page = (title: string) => ({
  operation: 'insert_page',
  document: { markdown: `# ${title}\n\nText of ${title}.\n` },
})

/** Inserts two pages in one batch: both must exist afterwards, or neither. */
const edit: Work = async ({ url, ledger, name }, { live }) => {
  const titles = [name(), name()]
  const body = { changes: titles.map(page) }
  await ledger.write(url, {
    method: 'POST',
    path: `/v1/spaces/${live}/content`,
    body,
    effect: { kind: 'pages', space: live, titles },
  })
}

/** Creates a change request with two pages, sometimes updates it, and merges it. */
const merge: Work = async ({ url, ledger, name, random }, { reviewed }) => {
  const at = `/v1/spaces/${reviewed}/change-requests`
  const nothing = { kind: 'nothing' } as const
  const write = (path: string, body?: object) => ledger.write(url, { method: 'POST', path, body, effect: nothing })
  const { body: made } = await write(at, { subject: name() })
  const titles = [name(), name()]
  await write(`${at}/${made.id}/content`, { changes: titles.map(page) })
  if (random.chance(0.5)) await write(`${at}/${made.id}/update`)
  const merged = await ledger.write(url, {
    method: 'POST',
    path: `${at}/${made.id}/merge`,
    effect: { kind: 'pages', space: reviewed, titles },
  })
  ensure(merged.body.result === 'merge', `A merge without conflicts has the result ${merged.body.result}`)
}

/** Uploads bytes, then creates a file from them. */
const upload: Work = async ({ url, ledger, name, random }, { live, organizationId }) => {
  const bytes = randomBytes(random.between(1, 60_000))
  const file = { name: `${name()}.bin`, type: 'application/octet-stream', size: bytes.length }
  const nothing = { kind: 'nothing' } as const
  const asked = await ledger.write(url, {
    method: 'POST',
    path: `/v1/orgs/${organizationId}/storage/upload`,
    body: { file, kind: 'organization_file' },
    effect: nothing,
  })
  const address = { path: asked.body.url as string, token: null }
  await ledger.write(url, { method: 'PUT', ...address, body: bytes, effect: nothing })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await ledger.write(url, {
    method: 'POST',
    path: `/v1/spaces/${live}/content`,
    body: { changes: [{ operation: 'insert_files', files: [{ name: file.name, key: asked.body.key }] }] },
    effect: { kind: 'file', space: live, name: file.name, sha256 },
  })
}

/** Creates a site of its own, publishes it, and sometimes unpublishes it, publishes it again or deletes it. */
const publish: Work = async ({ url, ledger, name, random }, { organizationId, live }) => {
  const at = `/v1/orgs/${organizationId}/sites`
  const made = await ledger.write(url, {
    method: 'POST',
    path: at,
    body: { title: name(), spaces: [live] },
    effect: { kind: 'nothing' },
  })
  const path = `${at}/${made.body.id}`
  const to = (verb: string, value: boolean) =>
    ledger.write(url, {
      method: 'POST',
      path: `${path}/${verb}`,
      effect: { kind: 'state', path, status: 200, field: 'published', value },
    })
  await to('publish', true)
  if (random.chance(0.6)) await to('unpublish', false)
  if (random.chance(0.4)) await to('publish', true)
  if (random.chance(0.4))
    await ledger.write(url, { method: 'DELETE', path, orElse: [404], effect: { kind: 'state', path, status: 404 } })
}

/** Moves a space to the trash, and sometimes restores it. */
const remove: Work = async ({ url, ledger, name, random }, { organizationId }) => {
  const made = await ledger.write(url, {
    method: 'POST',
    path: `/v1/orgs/${organizationId}/spaces`,
    body: { title: name().slice(0, 50), editMode: 'live' },
    effect: { kind: 'nothing' },
  })
  const path = `/v1/spaces/${made.body.id}`
  await ledger.write(url, { method: 'DELETE', path, orElse: [404], effect: { kind: 'state', path, status: 404 } })
  if (random.chance(0.5))
    await ledger.write(url, { method: 'POST', path: `${path}/restore`, effect: { kind: 'state', path, status: 200 } })
}

/** Imports an archive with two pages from a server on this machine. */
const bringIn: Work = async ({ url, ledger, name }, { live, upstream }) => {
  const titles = [name(), name()]
  await ledger.write(url, {
    method: 'POST',
    path: `/v1/spaces/${live}/content/import`,
    body: { source: 'zip', url: `${upstream}/${titles.join('/')}.zip` },
    effect: { kind: 'pages', space: live, titles },
  })
}

/** Gives three pages the next number in one batch. A reader must never see two numbers at once. */
const stamp: Work = async ({ url, ledger }, { stamped }) => {
  stamped.asked += 1
  const number = stamped.asked
  const changes = stamped.pages.map((id, i) => ({
    operation: 'update_page',
    page: id,
    metadata: { title: `Stamp${i} ${number}` },
    document: { markdown: `Body${i} ${number}\n` },
  }))
  const path = `/v1/spaces/${stamped.space}/content`
  await ledger.write(url, { method: 'POST', path, body: { changes }, effect: { kind: 'nothing' } })
  stamped.written = number
}

const works: Record<string, Work> = { edit, merge, upload, publish, remove, bringIn, stamp }

/** What each client does in random order. Only one client writes the stamps. */
const clients: (keyof typeof works)[][] = [
  ['edit', 'merge', 'upload'],
  ['merge', 'edit', 'publish'],
  ['merge', 'remove', 'upload'],
  ['upload', 'publish', 'remove'],
  ['bringIn'],
  ['stamp'],
]

/** Runs all clients until they are told to stop or the server is gone. Returns how many times the site was read. */
export async function load(at: Situation, world: World): Promise<number> {
  const busy = clients.map(async (kinds) => {
    const random = at.random.fork()
    while (!at.stop.aborted) {
      try {
        await works[random.of(kinds)]!({ ...at, random }, world)
      } catch (error) {
        if (error instanceof Unanswered) return 0
        throw error
      }
    }
    return 0
  })
  const counts = await Promise.all([...busy, look(at, world)])
  return counts.at(-1)!
}

/** A reader: a page of the site must show a single revision, and none older than the last answered write. */
async function look({ url, stop }: Situation, { stamped }: World): Promise<number> {
  for (let seen = 0; ; seen++) {
    if (stop.aborted) return seen
    const least = stamped.written
    let answer: Answer
    try {
      answer = await send(url, { method: 'GET', path: `${stamped.address}stamp-1`, token: null })
    } catch {
      return seen
    }
    if (answer.status === 503) continue
    ensure(answer.status === 200, `The page of the site is answered with ${answer.status}`)
    checkStamps(String(answer.body), least)
  }
}

export function checkStamps(html: string, least: number): void {
  const numbers = [...html.matchAll(/(?:Stamp|Body)\d (\d+)/g)].map(([, number]) => Number(number))
  ensure(numbers.length >= 4, 'The page of the site does not show its stamps')
  ensure(new Set(numbers).size === 1, `A page of the site shows a mix: ${numbers.join(', ')}`)
  ensure(numbers[0]! >= least, `The site shows ${numbers[0]}, and ${least} was written before`)
}

/** Serves archives with the pages named in the request path. */
export async function startUpstream(): Promise<string> {
  const server = createServer((request, response) => {
    const titles = request
      .url!.replace(/\.zip$/, '')
      .split('/')
      .slice(1)
    const zip = zipOf(titles.map((title) => ({ name: `${title}.md`, bytes: `# ${title}\n\nFrom an archive.\n` })))
    response.writeHead(200, { 'content-type': 'application/zip' }).end(zip)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  whenOver(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
