import { setTimeout as sleep } from 'node:timers/promises'
import { makeApp } from '../src/app.ts'
import { readPath } from '../src/audience/addresses.ts'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import type { App } from '../src/http/routes.ts'
import { loadSecrets } from '../src/instance.ts'
import { openStore } from '../src/storage/open.ts'
import { type Figure, atLeast, atMost, forReference, median } from './figures.ts'
import { adminToken, newFolder, remove, startLectern } from './server.ts'
import { loadSpace } from './spaces.ts'

const [sections, variants] = [50, 200]
const pages = 1_000

/**
 * Resolving addresses, reading a large site, and how soon a merged change reaches readers, on this node and on another.
 */
export async function siteFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, readConfig({}).limits)
  const config = readConfig({ LECTERN_DATA: folder, LECTERN_LOG: 'silent', LECTERN_RATE_LIMIT: 'off' })
  const node = await makeApp({ config, db, secrets: await loadSecrets(config), store: openStore(config) })
  node.health.ready = true
  await node.listen({ port: 0, host: '127.0.0.1' })
  const api = (method: string, path: string, body?: object) => send(`${lectern.url}${path}`, method, body)
  try {
    const [organization] = (await api('GET', '/v1/orgs')).items
    const large = await largeSite(api, organization.id)
    const space = await loadSpace(db, organization.id, pages)
    const site = await publish(api, organization.id, [space.id])
    return [
      await hotFigure(node, `/sites/${organization.hostname}/${site.basename}/${space.path}`),
      await coldFigure(node, large),
      await throughApiFigure(api, `/v1/orgs/${organization.id}/sites/${large}/structure`),
      ...(await mergedFigures(api, node, lectern.url, `/sites/${organization.hostname}/${site.basename}/`, space.id)),
    ]
  } finally {
    await node.close()
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

type Api = (method: string, path: string, body?: object) => Promise<any>

async function publish(api: Api, organizationId: string, spaces: string[]) {
  const site = await api('POST', `/v1/orgs/${organizationId}/sites`, { title: 'Bench', spaces })
  await api('POST', `/v1/orgs/${organizationId}/sites/${site.id}/publish`)
  return site
}

/** Resolves a whole address each time: site, audience, section, variant and page. */
async function hotFigure({ audience, url }: App, path: string): Promise<Figure> {
  const address = new URL(url + path)
  const visitor = { scope: undefined, isKnown: false }
  const resolve = async () => {
    const found = await audience.locateUrl(address)
    if (!found || 'front' in found) throw new Error(`Nothing at ${path}`)
    const { kind } = await audience.resolve(found.snapshot, visitor, readPath(found.rest!)!)
    if (kind !== 'page') throw new Error(`${path} is ${kind}`)
  }
  // Warms up: the first calls find nothing cached.
  for (let i = 0; i < 2_000; i++) await resolve()
  await sleep(1_500)
  const rates: number[] = []
  for (let round = 0; round < 5; round++) {
    // Measures CPU time, which does not depend on how busy the machine is otherwise.
    const before = process.cpuUsage()
    for (let i = 0; i < 100_000; i++) await resolve()
    const { user, system } = process.cpuUsage(before)
    rates.push((100_000 * 1_000_000) / (user + system))
  }
  return atLeast('Resolving a hot address, in process, a second of the processor', 100_000, median(rates))
}

async function largeSite(api: Api, organizationId: string): Promise<string> {
  const spaces: string[] = []
  for (let i = 0; i < variants; i++) {
    spaces.push((await api('POST', `/v1/orgs/${organizationId}/spaces`, { title: `Space ${i}` })).id)
  }
  const site = await publish(api, organizationId, [spaces[0]!])
  const path = `/v1/orgs/${organizationId}/sites/${site.id}`
  const made: string[] = []
  for (let i = 1; i < sections; i++) {
    made.push((await api('POST', `${path}/sections`, { spaceId: spaces[i]!, title: `Section ${i}` })).id)
  }
  for (let i = sections; i < variants; i++) {
    await api('POST', `${path}/site-spaces`, { spaceId: spaces[i]!, sectionId: made[i % made.length] })
  }
  return site.id
}

async function coldFigure({ audience }: App, siteId: string): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < 30; round++) {
    audience.snapshots.forget(siteId)
    const startedAt = performance.now()
    const snapshot = await audience.snapshots.get(siteId)
    times.push(performance.now() - startedAt)
    if (snapshot?.variants.size !== variants) throw new Error(`${snapshot?.variants.size} variants`)
  }
  // The first reads also pay for query plans.
  const ms = median(times.slice(5))
  return atMost(`The structure of a site of ${sections} sections and ${variants} variants, not kept`, 5, ms, ' ms')
}

/**
 * The structure as authors read it: with all that is shown of each space, and what the caller may do there
 * (docs/decisions/0013).
 */
async function throughApiFigure(api: Api, path: string): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < 60; round++) {
    const startedAt = performance.now()
    await api('GET', path)
    times.push(performance.now() - startedAt)
    await sleep(5)
  }
  // The first requests also pay for query plans and for code that has not run yet.
  const ms = median(times.slice(20))
  return forReference(`The same through the API, with all that is shown of ${variants} spaces`, ms, ' ms')
}

/** Measures the time from the answer to a merge until readers get the new text. */
async function mergedFigures(api: Api, node: App, here: string, path: string, spaceId: string): Promise<Figure[]> {
  const { port } = node.server.address() as { port: number }
  const there = `http://127.0.0.1:${port}`
  const times = { here: [] as number[], there: [] as number[] }
  for (let round = 0; round < 15; round++) {
    const title = `Merged ${round}`
    const base = `/v1/spaces/${spaceId}/change-requests`
    const request = await api('POST', base, { subject: title })
    const document = { markdown: `# ${title}\n\nText\n` }
    await api('POST', `${base}/${request.id}/content`, { changes: [{ operation: 'insert_page', document }] })
    await api('POST', `${base}/${request.id}/merge`)
    const mergedAt = performance.now()
    const seen = async (where: string) => {
      while ((await fetch(`${where}${path}merged-${round}`)).status !== 200) await sleep(1)
      return performance.now() - mergedAt
    }
    const took = await Promise.all([seen(here), seen(there)])
    times.here.push(took[0])
    times.there.push(took[1])
  }
  return [
    atMost('A merged change is shown by the node that merged it, after', 300, median(times.here.slice(3)), ' ms'),
    atMost('A merged change is shown by another node, after', 1_000, median(times.there.slice(3)), ' ms'),
  ]
}

async function send(url: string, method: string, body?: object): Promise<any> {
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${adminToken}`,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? undefined : answer.json()
}
