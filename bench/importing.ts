import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { png } from '../test/every-content.ts'
import { call } from './call.ts'
import { type Figure, atMost } from './figures.ts'
import { watchMemory } from './memory.ts'
import { newFolder, remove, startLectern } from './server.ts'

const pages = 500

/** Imports a website of 500 pages, each with the whole menu and a picture, as an import run: duration and memory. */
export async function importingFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const site = await startSite()
  const lectern = await startLectern(folder, { LECTERN_DEMO: 'off', LECTERN_FETCH_ALLOW: '127.0.0.1' })
  const api = (method: string, path: string, body?: object) => call(lectern.url + path, method, body)
  const memory = watchMemory(lectern.child.pid!)
  try {
    const [organization] = (await api('GET', '/v1/orgs')).items
    const space = await api('POST', `/v1/orgs/${organization.id}/spaces`, { title: 'Imported', editMode: 'live' })
    const from = performance.now()
    const runs = `/v1/org/${organization.id}/imports`
    const source = { type: 'website', url: site.url }
    const { id } = await api('POST', runs, { source, target: { space: space.id } })
    let run = await api('GET', `${runs}/${id}`)
    for (; !run.completedAt; run = await api('GET', `${runs}/${id}`)) await sleep(500)
    const seconds = (performance.now() - from) / 1000
    if (run.importedResources !== pages) throw new Error(`${run.importedResources} pages came: ${run.reason}`)
    return [
      atMost('importing: a website of 500 pages', 60, seconds, ' s'),
      atMost('importing: memory of the server and what it starts, meanwhile', 400, memory.stop(), ' MB'),
    ]
  } finally {
    memory.stop()
    await lectern.stop()
    site.close()
    await remove(folder)
  }
}

const picture = Buffer.from(png, 'base64')

async function startSite() {
  const menu = Array.from({ length: 25 }, (_, section) => {
    const inside = Array.from({ length: 20 }, (_, page) => section * 20 + page)
    const items = inside.map(
      (page) => `<li class="menu__list-item"><a class="menu__link" href="/p${page}">Page ${page}</a></li>`,
    )
    return `<li class="menu__list-item"><a class="menu__link" href="/p${section * 20}">Section ${section}</a><ul class="menu__list">${items.join('')}</ul></li>`
  }).join('')
  const draw = (
    page: number,
  ) => `<!doctype html><html><head><title>Page ${page}</title><meta name="generator" content="Docusaurus v3"></head><body>
    <nav class="navbar">Top</nav><aside class="theme-doc-sidebar-container"><ul class="theme-doc-sidebar-menu menu__list">${menu}</ul></aside>
    <main><article><div class="theme-doc-markdown markdown"><header><h1>Page ${page}</h1></header>${Array.from(
      { length: 8 },
      (_, part) => `<h2 id="s${part}">Section ${part}</h2>
      <p>${`Page ${page} says in part ${part} that <a href="/p${(page + part) % pages}">another page</a> and <code>code</code> matter. `.repeat(6)}</p>
      <pre><code class="language-js">const a${part} = ${page}\n${'console.log(a)\n'.repeat(10)}</code></pre>
      <ul>${'<li>An item with <strong>words</strong></li>'.repeat(5)}</ul>`,
    ).join(
      '',
    )}<img src="/img${page % 50}.png" alt="A picture"><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>${'<tr><td>1</td><td>2</td></tr>'.repeat(10)}</tbody></table>
    </div></article></main></body></html>`
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const [, page] = /^\/p(\d+)$/.exec(path) ?? []
    if (path.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    else if (page !== undefined && Number(page) < pages) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(draw(Number(page)))
    } else if (path === '/') response.writeHead(302, { location: '/p0' }).end()
    else response.writeHead(404).end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
