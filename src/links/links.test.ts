import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { png } from '../../test/every-content.ts'
import { aStranger } from '../../test/factories.ts'
import { assertLinear } from '../../test/growth.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { invariants } from '../doctor/invariants.ts'
import { assertSound } from '../doctor/testing/sound.ts'
import { newId } from '../ids.ts'
import { appAddressOf } from './app-address.ts'

const app = await startApp()

const write = (page: string | undefined, markdown: string) => ({
  operation: 'update_page',
  page,
  document: { markdown },
})

/** The links of a space or page, as `status kind path-or-title#anchor`. */
async function linksOf(space: EditedSpace, path = space.path, query = '') {
  const { status, body, text } = await space.who.get(`${path}/links${query}`)
  assert.equal(status, 200, text)
  return { ...body, shown: body.items.map(shown) }
}

function shown({ status, targetReference: target, relation }: any): string {
  const anchor = target.internalLocation ? `#${target.internalLocation.anchor}` : ''
  const name =
    target.page?.path ??
    target.page?.title ??
    target.file?.name ??
    target.reusableContent?.title ??
    target.url ??
    'the space'
  return `${status} ${target.kind} ${name}${anchor}${relation === 'dependsOn' ? ' !' : ''}`
}

test('every kind of link is listed with its target', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    { operation: 'insert_files', files: [{ name: 'a.png', base64: png, contentType: 'image/png', ref: 'picture' }] },
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'See [b](/pages/b)' }, ref: 'note' },
    newPage('B', { ref: 'b' }),
    {
      operation: 'insert_page',
      document: { markdown: '# C\n\n## Part\n\n## 2. More & more\n\n<a name="old"></a>Text' },
      ref: 'c',
      into: 'b',
    },
  )
  const [note, b, c] = idsOf(made)
  const file = made.body.insertedFiles[0].id
  const home = `http://lectern.test/app/o/${space.org.id}`
  const [a] = idsOf(
    await space.edit({
      operation: 'insert_page',
      document: {
        markdown: `# A

[b](./b.md) [c](/pages/${c}#part) [c](b/c.md#id-2.-more-and-more) [c](b/c.md#old) [c](b/c.md#nowhere) [self](#here) [gone](./gone.md) [none](/pages/${newId()})
![](/files/${file}) [web](https://example.com/x) [mail](mailto:a@b.c) [out](../../out.md)
[app](${home}/s/${space.id}/b/c) [settings](${home}/settings) [draft](${home}/s/${space.id}/~/changes/1/b)

## Here

{% include "/reusable-contents/${note}" %}

{% embed url="https://example.com/video" %}

{% content-ref url="./b.md" %}
[b.md](./b.md)
{% endcontent-ref %}

![](data:image/png;base64,xx)
`,
      },
      metadata: { cover: { ref: { kind: 'file', file } } },
    }),
  )
  await space.edit({
    operation: 'insert_page',
    type: 'link',
    metadata: { title: 'L' },
    target: { kind: 'page', page: b },
  })
  const own = await linksOf(space, `${space.path}/content/page/${a}`)
  assert.deepEqual(own.shown, [
    'ok file a.png',
    'ok page b',
    'ok page b/c#part',
    'ok page b/c#id-2.-more-and-more',
    'ok page b/c#old',
    'broken page b/c#nowhere',
    'ok page a#here',
    'broken url ./gone.md',
    own.shown[8],
    'ok file a.png',
    'ok url https://example.com/x',
    'ok url mailto:a@b.c',
    'broken url ../../out.md',
    'ok page b/c',
    `in-app url ${home}/settings`,
    `in-app url ${home}/s/${space.id}/~/changes/1/b`,
    'ok reusable-content Note !',
    'ok url https://example.com/video',
    'ok page b',
  ])
  assert.match(own.shown[8], /^broken url \/pages\//)
  assert.deepEqual([own.count, own.stats], [19, { total: 19, broken: { total: 4 } }])
  const [first] = own.items
  const [location] = first.locationReferences
  assert.deepEqual([location.kind, location.page.id, location.page.pages], ['page', a, []])
  assert.deepEqual(
    [location.organization.id, location.space.id, location.versionContext.type],
    [space.org.id, space.id, 'revision'],
  )

  const all = await linksOf(space)
  assert.deepEqual([all.count, all.stats], [21, { total: 21, broken: { total: 4 } }])
  const kinds = new Set(all.items.map((item: any) => item.locationReferences[0].kind))
  assert.deepEqual([...kinds].toSorted(), ['page', 'reusable-content'])
  for (const [status, count] of [
    ['ok', 15],
    ['broken', 4],
    ['in-app', 2],
  ]) {
    const some = await linksOf(space, space.path, `?status=${status}`)
    assert.deepEqual([some.items.length, some.count, some.stats.total], [count, count, 21])
    assert.ok(some.items.every((item: any) => item.status === status))
  }
  await assertSound(app.db)
})

test('links are paged, each listed once, with every filter', async () => {
  const space = await aLiveSpace(app)
  const texts = Array.from({ length: 7 }, (_, i) => `# P${i}\n\n${'[x](./p0.md) [y](./none.md) '.repeat(3)}`)
  await space.edit(...texts.map((markdown) => ({ operation: 'insert_page', document: { markdown } })))
  for (const [filter, expected] of [
    ['', 42],
    ['&status=broken', 21],
    ['&status=ok', 21],
    ['&status=in-app', 0],
  ] as const) {
    const seen: string[] = []
    for (let next = ''; ;) {
      const { body } = await space.who.get(`${space.path}/links?limit=10${filter}${next}`)
      assert.equal(body.count, expected)
      seen.push(...body.items.map((item: any) => item.locationReferences[0].page.id))
      if (!body.next) break
      next = `&page=${encodeURIComponent(body.next.page)}`
    }
    assert.equal(seen.length, expected)
    assert.deepEqual(seen, seen.toSorted())
  }
  assert.equal((await space.who.get(`${space.path}/links?limit=0`)).body.items.length, 0)
})

test('a link is broken as soon as its target is gone, and works as soon as its target exists', async () => {
  const space = await aLiveSpace(app)
  const [a] = idsOf(await space.edit(newPage('A')))
  const now = async () => (await linksOf(space)).shown
  await space.edit(write(a, '# A\n\n[x](./b.md#part) [y](./guides/c.md)'))
  assert.deepEqual(await now(), ['broken url ./b.md#part', 'broken url ./guides/c.md'])

  const [b] = idsOf(await space.edit(newPage('B')))
  assert.deepEqual((await now())[0], 'broken page b#part')
  await space.edit(write(b, '# B\n\n## Part'))
  assert.deepEqual((await now())[0], 'ok page b#part')
  await space.edit(write(b, '# B\n\n## Other'))
  assert.deepEqual((await now())[0], 'broken page b#part')
  await space.edit(write(b, '# B\n\n## Part'))
  await space.edit({ operation: 'delete_page', page: b })
  assert.deepEqual((await now())[0], 'broken url ./b.md#part')

  // A page below a new page, and a page that moves there.
  const [g] = idsOf(await space.edit(newPage('Guides', { ref: 'g' }), newPage('C', { into: 'g' })))
  assert.deepEqual((await now())[1], 'ok page guides/c')
  await space.edit({ operation: 'delete_page', page: g })
  assert.deepEqual((await now())[1], 'broken url ./guides/c.md')
  const [other] = idsOf(await space.edit(newPage('Other', { ref: 'o' }), newPage('C', { into: 'o' })))
  assert.deepEqual((await now())[1], 'broken url ./guides/c.md')
  await space.edit({ operation: 'update_page', page: other, metadata: { slug: 'guides' } })
  assert.deepEqual((await now())[1], 'ok page guides/c')
  // A target that was found by its path is followed from then on.
  await space.edit({ operation: 'update_page', page: other, metadata: { slug: 'handbook' } })
  assert.deepEqual((await now())[1], 'ok page handbook/c')
  await assertSound(app.db)
})

test('a rename or a move breaks no link and changes no text', async () => {
  const space = await aLiveSpace(app)
  const [a, b, c] = idsOf(await space.edit(newPage('A'), newPage('B'), newPage('C')))
  const text = `# A\n\n[b](./b.md) [b](/pages/${b}) [c](/pages/c.md)\n`
  await space.edit(write(a, text))
  await space.edit({ operation: 'update_page', page: b, into: c, metadata: { slug: 'other', title: 'Other' } })
  await space.edit({ operation: 'update_page', page: a, into: b })
  const { shown, stats } = await linksOf(space)
  assert.deepEqual(shown, ['ok page c/other', 'ok page c/other', 'ok page c'])
  assert.deepEqual(stats.broken, { total: 0 })
  const { body } = await space.who.get(`${space.path}/content/page/${a}?format=markdown`)
  assert.equal(body.markdown, text)
})

test('backlinks of files and of pages list each linking page once', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    { operation: 'insert_files', files: [{ name: 'a.txt', base64: btoa('a'), contentType: 'text/plain', ref: 'f' }] },
    newPage('T', { ref: 't' }),
    ...['A', 'B', 'C'].map((title) => ({
      operation: 'insert_page',
      document: {
        markdown: `# ${title}\n\n[t](./t.md) [t](./t.md#text) ![](./f) ${title === 'C' ? '' : '[c](/pages/c)'}`,
      },
    })),
  )
  const [t, ...sources] = idsOf(made)
  const [a, b, c] = sources as [string, string, string]
  const file = made.body.insertedFiles[0].id
  await space.edit(write(t, '# T\n\n[self](./t.md)'))
  const backlinks = async (what: string, query = '') =>
    (await space.who.get(`${space.path}/content/${what}/backlinks${query}`)).body
  const ids = ({ items }: any) => items.map((item: any) => item.page.id)
  const all = sources.toSorted()
  assert.deepEqual(ids(await backlinks(`page/${t}`)), all)
  assert.deepEqual(ids(await backlinks(`files/${file}`)), all)
  assert.deepEqual(ids(await backlinks(`page/${c}`)), [a, b].toSorted())
  const first = await backlinks(`page/${t}`, '?limit=2')
  assert.deepEqual([ids(first), first.count], [all.slice(0, 2), 3])
  const rest = await backlinks(`page/${t}`, `?limit=2&page=${encodeURIComponent(first.next.page)}`)
  assert.deepEqual([ids(rest), rest.next], [all.slice(2), undefined])
})

test('concurrent edits and deletions of linked pages leave all links and totals right', async () => {
  const space = await aLiveSpace(app)
  const pages = idsOf(await space.edit(...Array.from({ length: 8 }, (_, i) => newPage(`P${i}`))))
  const answers = await Promise.all(
    pages.flatMap((id, i) => {
      const change =
        i % 4 === 0 ? { operation: 'delete_page', page: id } : write(id, '# P\n\n[a](./p0.md) [b](./p1.md)')
      return [space.edit(change), space.edit(newPage(`New ${i}`))]
    }),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  const { shown, stats } = await linksOf(space)
  assert.deepEqual(shown, Array.from({ length: 6 }, () => ['broken url ./p0.md', 'ok page p1']).flat())
  assert.deepEqual(stats, { total: 12, broken: { total: 6 } })
  await assertSound(app.db)
})

test('strangers, unknown pages and bad filters are refused', async () => {
  const space = await aLiveSpace(app)
  const stranger = (await aStranger(app)).client
  const [a] = idsOf(await space.edit(newPage('A')))
  const made = await space.edit({
    operation: 'insert_files',
    files: [{ name: 'a.txt', base64: btoa('a'), contentType: 'text/plain' }],
  })
  const file = made.body.insertedFiles[0].id
  const { path: draft } = await space.changeRequest()
  for (const base of [space.path, draft]) {
    const paths = [
      `${base}/links`,
      `${base}/content/page/${a}/links`,
      `${base}/content/page/${a}/backlinks`,
      `${base}/content/files/${file}/backlinks`,
    ]
    for (const path of paths) {
      assert.equal((await space.who.get(path)).status, 200, path)
      assert.equal((await stranger.get(path)).status, 404, path)
      const query = path.endsWith('/backlinks') ? 'limit=1001' : 'status=odd'
      const { status, body } = await space.who.get(`${path}?${query}`)
      assert.deepEqual([status, body.error.details[0].path], [400, `query.${query.split('=')[0]}`], path)
    }
    for (const id of [newId(), file])
      assert.equal((await space.who.get(`${base}/content/page/${id}/links`)).status, 404)
    for (const id of [newId(), a])
      assert.equal((await space.who.get(`${base}/content/files/${id}/backlinks`)).status, 404)
  }
  const context = await space.who.get(`${draft}/links?brokenContext=odd`)
  assert.deepEqual([context.status, context.body.error.details[0].path], [400, 'query.brokenContext'])
})

test('a link may contain any address: no edit is refused and no link is lost', async () => {
  const space = await aLiveSpace(app)
  const [a] = idsOf(await space.edit(newPage('A')))
  const deep = `./${'a/'.repeat(20_000)}b.md`
  const odd = [
    './a%00b.md',
    './%E0%A4%A.md',
    './a.md#%00%FF',
    `/pages/${'x'.repeat(3_000)}`,
    '//example.com/x',
    'javascript:alert(1)',
    `http://lectern.test/app/o/${space.org.id}/s/nothing/x`,
    `http://lectern.test/app/o/${space.org.id}/s/${space.id}/%E0%A4%A`,
    'http://lectern.test.example.com/app/o/x',
    '/__proto__/constructor',
    '?query',
    '/pages/not-an-id/./../../..',
  ]
  const tags = [deep, './&#0;&#xD800;.md'].map((href) => `<a href="${href}">y</a>`)
  const markdown = `# A\n\n${odd.map((href) => `[x](<${href}>)`).join('\n')}\n\nz ${tags.join(' ')}\n`
  const { status, text } = await space.edit(write(a, markdown))
  assert.equal(status, 200, text)
  const { count, items } = await linksOf(space)
  assert.equal(count, odd.length + 2)
  assert.deepEqual(
    items.slice(4, 9).map((item: any) => item.status),
    ['ok', 'ok', 'in-app', 'in-app', 'ok'],
  )
  // All links of a page are removed with it.
  await space.edit({ operation: 'delete_page', page: a })
  assert.deepEqual((await linksOf(space)).stats, { total: 0, broken: { total: 0 } })
  await assertSound(app.db)
})

test('the time to parse an app address is linear in its slashes', () => {
  const address = (length: number) => `/app/o/x/s/${newId()}//a${'/'.repeat(length)}b/`
  assert.equal(appAddressOf(address(2))?.path, 'a//b')
  assertLinear((length) => appAddressOf(address(length)), 100_000)
})

test('an HTML attribute named like a built-in property of objects is not taken for an address', async () => {
  const space = await aLiveSpace(app)
  const [a] = idsOf(await space.edit(newPage('A')))
  await space.edit(write(a, '# A\n\n<div constructor="x"><img __proto__="y" src="https://example.com/z.png"></div>\n'))
  const { count, stats } = await linksOf(space)
  assert.deepEqual([count, stats], [1, { total: 1, broken: { total: 0 } }])
})

test('the invariants detect a working link without a target, a link without content, and wrong link counts', async () => {
  const space = await aLiveSpace(app)
  await space.edit(newPage('B'), { operation: 'insert_page', document: { markdown: '# A\n\n[b](./b.md)' } })
  const main = sql`(select id from lines where space_id = ${space.id})`
  for (const [damage, promise] of [
    [sql`update links set target = ${newId()} where line_id = ${main}`, 'working link has a target'],
    [sql`update links set source = ${newId()} where line_id = ${main}`, 'belongs to existing content'],
    [sql`update space_counters set broken = 1 where space_id = ${space.id}`, 'link counts'],
  ] as const) {
    const damaged = transaction(app.db, nobody, async (tx) => {
      assert.equal(await tx.run(damage), 1)
      const found = []
      for (const { promise, broken } of invariants) if ((await tx.one(broken)).count > 0) found.push(promise)
      throw new Error(found.join('; '))
    })
    await assert.rejects(damaged, ({ message }: Error) => message.includes(promise) && !message.includes(';'))
  }
  await assertSound(app.db)
})
