import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedChangeRequest, type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { sql } from '../db/sql.ts'

const app = await startApp()

const write = (page: string | undefined, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
})

async function linksAt(space: EditedSpace, path: string) {
  const { status, body, text } = await space.who.get(path)
  assert.equal(status, 200, text)
  const shown = body.items.map(({ status, targetReference: to, locationReferences: [at] }: any) => {
    const anchor = to.internalLocation ? `#${to.internalLocation.anchor}` : ''
    return `${at.page.title}: ${status} ${to.page?.path ?? to.file?.name ?? to.url}${anchor}`
  })
  return { ...body, shown: shown.toSorted() }
}

/** Pages that link to each other, and a change request. */
async function aWeb() {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    { operation: 'insert_files', files: [{ name: 'f.txt', base64: btoa('f'), contentType: 'text/plain', ref: 'f' }] },
    newPage('A'),
    { operation: 'insert_page', document: { markdown: '# B\n\n## Part\n' } },
    newPage('C'),
    newPage('D'),
  )
  const [a, b, c, d] = idsOf(made) as [string, string, string, string]
  const file: string = made.body.insertedFiles[0].id
  await space.edit(
    write(a, `# A\n\n[b](./b.md#part) [x](./x.md) [c](./c.md) ![](/files/${file})`),
    write(c, '# C\n\n[b](/pages/b) [y](./y.md)'),
  )
  const request = await space.changeRequest()
  return { space, request, a, b, c, d, file }
}

const all = (request: EditedChangeRequest, query = '') => `${request.path}/links${query}`

test('a change request has the same links as main until it changes them', async () => {
  const { space, request, a } = await aWeb()
  const main = await linksAt(space, `${space.path}/links`)
  const own = await linksAt(space, all(request))
  assert.deepEqual([own.shown, own.count], [main.shown, 6])
  assert.deepEqual(own.stats, { total: 6, broken: { total: 2, changeRequest: 0 } })
  const page = await linksAt(space, `${request.path}/content/page/${a}/links`)
  assert.deepEqual(page.stats, { total: 4, broken: { total: 1, changeRequest: 0 } })
  const [location] = own.items[0].locationReferences
  assert.deepEqual(
    [location.versionContext.type, location.versionContext.changeRequest.id],
    ['changeRequest', request.id],
  )
})

test('the links of a change request show which links it breaks and which it mends', async () => {
  const { space, request, a, b, c, d, file } = await aWeb()
  await request.edit(
    { operation: 'delete_page', page: b },
    newPage('X'),
    write(d, '# D\n\n[c](./c.md) [z](./z.md)'),
    write(c, '# C\n\n[y](./y.md) [again](./y.md)'),
    { operation: 'delete_file', file },
  )
  const list = await linksAt(space, all(request))
  assert.deepEqual(list.shown, [
    'A: broken ./b.md#part',
    `A: broken /files/${file}`,
    'A: ok c',
    'A: ok x',
    'C: broken ./y.md',
    'C: broken ./y.md',
    'D: broken ./z.md',
    'D: ok c',
  ])
  // The link to y was already broken.
  assert.deepEqual([list.count, list.stats], [8, { total: 8, broken: { total: 5, changeRequest: 3 } }])
  for (const [query, count] of [
    ['?status=ok', 3],
    ['?status=broken', 5],
    ['?status=in-app', 0],
    ['?brokenContext=change-request', 3],
    ['?brokenContext=space', 2],
    ['?brokenContext=space&status=ok', 0],
  ] as const) {
    const some = await linksAt(space, all(request, query))
    assert.deepEqual([some.shown.length, some.count, some.stats], [count, count, list.stats], query)
  }
  const paged: string[] = []
  for (let next = ''; ;) {
    const part = await linksAt(space, all(request, `?limit=3${next}`))
    paged.push(...part.shown)
    if (!part.next) break
    next = `&page=${encodeURIComponent(part.next.page)}`
  }
  assert.deepEqual(paged.toSorted(), list.shown)

  const ofA = await linksAt(space, `${request.path}/content/page/${a}/links?status=broken`)
  assert.deepEqual([ofA.count, ofA.stats], [2, { total: 4, broken: { total: 2, changeRequest: 2 } }])
  const onMain = await linksAt(space, `${space.path}/links`)
  assert.deepEqual(onMain.stats, { total: 6, broken: { total: 2 } })

  const { body } = await space.who.post(`${request.path}/merge`)
  assert.equal(body.result, 'merge')
  const merged = await linksAt(space, `${space.path}/links`)
  assert.deepEqual([merged.shown, merged.stats], [list.shown, { total: 8, broken: { total: 5 } }])
  assert.equal((await linksAt(space, all(request))).stats.broken.changeRequest, 0)
})

test('backlinks in a change request come from its own texts', async () => {
  const { space, request, a, b, c, d, file } = await aWeb()
  await request.edit(write(c, '# C\n\nNothing'), write(d, `# D\n\n[b](./b.md) [f](/files/${file})`), newPage('N'))
  const backlinks = async (base: string, what: string) => {
    const { body } = await space.who.get(`${base}/content/${what}/backlinks`)
    assert.equal(body.count, body.items.length)
    return body.items.map((item: any) => item.page.id).toSorted()
  }
  assert.deepEqual(await backlinks(request.path, `page/${b}`), [a, d].toSorted())
  assert.deepEqual(await backlinks(space.path, `page/${b}`), [a, c].toSorted())
  assert.deepEqual(await backlinks(request.path, `files/${file}`), [a, d].toSorted())
  assert.deepEqual(await backlinks(space.path, `files/${file}`), [a])
})

test('a change request that main has left behind has the links and backlinks of its own content', async () => {
  const { space, request, a, b, c, d, file } = await aWeb()
  const before = await linksAt(space, all(request))
  const backlinks = async (base: string, what: string) => {
    const { body } = await space.who.get(`${base}/content/${what}/backlinks`)
    assert.equal(body.count, body.items.length)
    return body.items.map((item: any) => item.page.id).toSorted()
  }
  const [n] = idsOf(
    await space.edit(
      { operation: 'insert_page', document: { markdown: `# N\n\n[b](/pages/${b}) ![](/files/${file})` } },
      newPage('Y'),
      { operation: 'delete_page', page: a },
      write(c, '# C\n\nNothing'),
      write(d, `# D\n\n[b](/pages/${b})`),
    ),
  ) as [string]
  assert.deepEqual(await backlinks(space.path, `page/${b}`), [n, d].toSorted())
  assert.deepEqual(await backlinks(space.path, `files/${file}`), [n])
  assert.deepEqual(await backlinks(request.path, `page/${b}`), [a, c].toSorted())
  assert.deepEqual(await backlinks(request.path, `files/${file}`), [a])
  const own = await linksAt(space, all(request))
  assert.deepEqual([own.shown, own.count, own.stats], [before.shown, before.count, before.stats])

  await request.edit({ operation: 'delete_page', page: b })
  const broken = await linksAt(space, all(request))
  assert.deepEqual(broken.shown, [
    'A: broken ./b.md#part',
    'A: broken ./x.md',
    'A: ok c',
    'A: ok f.txt',
    'C: broken ./y.md',
    'C: broken /pages/b',
  ])
  // What was broken without the change request is not broken by it, even if main has mended it since.
  assert.deepEqual(broken.stats, { total: 6, broken: { total: 4, changeRequest: 2 } })
  const page = await linksAt(space, `${request.path}/content/page/${c}/links`)
  assert.deepEqual(page.stats, { total: 2, broken: { total: 2, changeRequest: 1 } })

  assert.equal((await space.who.post(`${request.path}/update`)).body.result, 'update')
  const updated = await linksAt(space, all(request))
  assert.deepEqual(updated.shown, [`D: broken /pages/${b}`, `N: broken /pages/${b}`, 'N: ok f.txt'])
})

test('a link that two sides of a merge bound differently is bound by the merged content', async () => {
  const space = await aLiveSpace(app)
  const [a] = idsOf(await space.edit(newPage('A')))
  const text = (first: string, last: string) => `# A\n\n${first}\n\n[b](./b.md)\n\n${last}\n`
  await space.edit(write(a, text('First', 'Last')))
  const request = await space.changeRequest()
  // Each side adds a page of its own, and then rewrites the text, so that the link is bound to that page.
  const [theirs] = idsOf(await space.edit(newPage('B')))
  await space.edit(write(a, text('First of main', 'Last')))
  await request.edit(newPage('B'))
  await request.edit(write(a, text('First', 'Last of mine')))
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  const { refs } = await app.db.one(sql<{ refs: Record<string, string> }>`
    select h.refs from heads h join lines l on l.id = h.line_id where h.entry = ${a} and l.main_id is null`)
  assert.deepEqual(refs, { './b.md': `page:${theirs} b` })
  assert.deepEqual((await linksAt(space, `${space.path}/links`)).shown, ['A: ok b'])
})
