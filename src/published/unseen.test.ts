// What readers may not see is not revealed, no matter what visible content leads to it.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { type TestSite, aSite, expect, inSeconds, signToken } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'

const app = await startApp({ LECTERN_SITES_HOST: 'sites.test' })
const condition = 'visitor.claims.plan == "pro"'

/** A site with a page that only some readers see, and pages that lead to it. */
async function aSiteWithSecret(...more: object[]): Promise<TestSite> {
  const secret = newPage('Hush title', { ref: 'hush', metadata: { slug: 'hush-slug', condition } })
  const site = await aSite(app, { pages: [newPage('Welcome'), secret, ...more] })
  await site.change({ adaptiveContent: { enabled: true } })
  expect(await site.who.put(`${site.path}/customization`, { pdf: { enabled: true } }), 200)
  return site
}

/** Two readers of the site: one of whom nothing is known, and one whom the site knows by these claims. */
async function readersOf(site: TestSite) {
  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const [everybody, some] = [site.browser(), site.browser()]
  await some.get(`${site.address}?jwt_token=${signToken(privateKey, { plan: 'pro', exp: inSeconds(600) })}`)
  return [everybody, some].map((browser) => async (path: string) => {
    const { status, text } = await browser.get(site.address + path)
    return `${status} ${text}`
  }) as [(path: string) => Promise<string>, (path: string) => Promise<string>]
}

async function visitorOf(site: TestSite, jwtToken?: string) {
  const url = `http://lectern.test${site.address}`
  const { apiToken } = expect(await site.who.post('/v1/urls/published', { url, visitor: { jwtToken } }), 200)
  return app.client(apiToken, [site.org.canary])
}

test('a group with no visible pages and a link to a hidden page appear in no PDF and in no API response', async () => {
  const site = await aSiteWithSecret(
    { operation: 'insert_page', type: 'group', metadata: { title: 'Hush group' }, ref: 'group' },
    newPage('Hush inside', { into: 'group', metadata: { condition } }),
    { operation: 'insert_page', type: 'group', metadata: { title: 'Open group' }, ref: 'open' },
    newPage('Open inside', { into: 'open' }),
    {
      operation: 'insert_page',
      type: 'link',
      metadata: { title: 'Hush link' },
      target: { kind: 'page', page: 'hush' },
    },
  )
  const [everybody, some] = await readersOf(site)
  for (const path of ['~/pdf', '~/pdf?all=true']) {
    assert.match(await everybody(path), /^200 [^]*Title \(Open group\)/)
    assert.doesNotMatch(await everybody(path), /Hush/)
    assert.match(await some(path), /Title \(Hush group\)/)
  }
  const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
  const group = pages.find(({ title }: { title: string }) => title === 'Hush group')
  for (const only of ['', '&only=true']) assert.match(await everybody(`~/pdf?page=${group.id}${only}`), /^404 /, only)

  const visitor = await visitorOf(site)
  for (const path of ['content', 'content/pages'])
    assert.doesNotMatch((await visitor.get(`${site.space.path}/${path}`)).text, /hush/i, path)
  assert.equal((await visitor.get(`${site.space.path}/content/page/${group.id}`)).status, 404)
})

test('an include or a card of a hidden page renders as nothing: no error, no file name', async () => {
  const card = '{% content-ref url="hush-slug.md" %}\n[hush-slug.md](hush-slug.md)\n{% endcontent-ref %}'
  const markdown = `# Plans\n\nBefore\n\n${card}\n\n{% include "hush-slug.md" %}\n\n{% include "no-such.md" %}\n\nAfter\n`
  const site = await aSiteWithSecret(newPage('Plans', { document: { markdown } }))
  const [everybody, some] = await readersOf(site)
  for (const path of ['plans', 'plans.md', 'llms-full.txt', '~/pdf']) {
    assert.match(await everybody(path), /^200 /, path)
    assert.doesNotMatch(await everybody(path), /hush/i, path)
  }
  assert.match(await everybody('plans'), /Before[^]*no-such\.md does not exist[^]*After/)
  assert.match(await some('plans'), /Before[^]*<b>Hush title<\/b>[^]*Text of Hush title[^]*After/)
  assert.match(await some('plans.md'), /Before[^]*content-ref[^]*Text of Hush title[^]*After/)
  const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
  const plans = pages.find(({ title }: { title: string }) => title === 'Plans')
  const read = await (await visitorOf(site)).get(`${site.space.path}/content/page/${plans.id}?format=markdown`)
  assert.doesNotMatch(read.text, /hush-slug\.md does not exist|Text of Hush/)
})

test('a footnote of a part that is hidden from a reader is in no format and in no search, and whoever sees the part finds it', async () => {
  const markdown =
    `# Plans\n\nZebra.\n\n{% if ${condition} %}\nGnu[^1], [a link][there]\n{% endif %}\n\nOkapi[^2].\n\n` +
    '[^1]: The hush note\n\n[^2]: An open note\n\n[there]: https://hush.example/\n'
  const site = await aSiteWithSecret(newPage('Plans', { document: { markdown } }))
  const [everybody, some] = await readersOf(site)
  for (const path of ['plans', 'plans.md', 'llms-full.txt', '~/search?q=note', '~/search.json?q=note']) {
    assert.match(await everybody(path), /^200 [^]*open/, path)
    assert.doesNotMatch(await everybody(path), /hush/i, path)
    assert.match(await some(path), /^200 [^]*hush/i, path)
  }
  for (const path of ['~/search.json?q=hush+note', '~/search.json?q=okapi', '~/search.json?q=zebra'])
    assert.match(await some(path), /"title":"Plans"/, path)
  assert.match(await everybody('~/search.json?q=okapi'), /"title":"Plans"/)

  const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
  const plans = pages.find(({ title }: { title: string }) => title === 'Plans')
  const visitor = await visitorOf(site)
  for (const format of ['document', 'markdown', 'html']) {
    const { text } = await visitor.get(`${site.space.path}/content/page/${plans.id}?format=${format}`)
    assert.match(text, /An open note/, format)
    assert.doesNotMatch(text, /hush/i, format)
  }
})

test('a content token shows no file and no reusable content that is used only in parts that are hidden from its reader', async () => {
  const onlyIf = (text: string) => `{% if ${condition} %}\n${text}\n{% endif %}`
  const site = await aSiteWithSecret()
  const names = ['hush-1', 'hush-2', 'hush-3', 'open-1', 'open-2', 'free']
  const files = names.map((name) => ({ name: `${name}.txt`, base64: btoa(name), contentType: 'text/plain' }))
  const made = expect(await site.space.edit({ operation: 'insert_files', files }), 200).insertedFiles
  const file = (name: string) => `/files/${made[names.indexOf(name)].id}`
  const piece = async (title: string, markdown: string): Promise<string> => {
    const [id] = idsOf(
      await site.space.edit({ operation: 'insert_reusable_content', title, document: { markdown: `${markdown}\n` } }),
    )
    return `/reusable-contents/${id}`
  }
  const inside = await piece('Hush inside', `Hush ![](${file('hush-3')})`)
  const hush = await piece('Hush piece', `Hush {% include "${inside}" %}\n\n{% include "${inside}" %}`)
  // Whether this is hidden depends on the page that includes it.
  const secret = await piece('Shown by one', `{% if page.vars.kind == "open" %}\n![](${file('open-2')})\n{% endif %}`)
  const shared = await piece(
    'Shown',
    `![](${file('open-1')})\n\n${onlyIf(`{% include "${hush}" %}\n\n![](${file('open-1')})`)}`,
  )
  const markdown = `# Plans\n\n<details>\n\n${onlyIf(`<img src="${file('hush-1')}">`)}\n\nShown [x]\n\n</details>\n\n{% include "${shared}" %}\n\n{% include "${secret}" %}\n\n${onlyIf('[a][hush] ![b][hush]')}\n\n[hush]: ${file('hush-2')}\n`
  const other = `---\nvars:\n  kind: open\n---\n\n# Other\n\n{% include "${secret}" %}\n`
  expect(
    await site.space.edit(newPage('', { document: { markdown } }), newPage('', { document: { markdown: other } })),
    200,
  )
  const visitor = await visitorOf(site)
  const content = expect(await visitor.get(`${site.space.path}/content`), 200)
  const seen = ['open-1.txt', 'open-2.txt', 'free.txt']
  assert.deepEqual(content.files.map(({ name }: { name: string }) => name).toSorted(), seen.toSorted())
  const titles = content.reusableContents.map(({ title }: { title: string }) => title)
  assert.deepEqual(titles.toSorted(), ['Shown', 'Shown by one'])
  const listed = expect(await visitor.get(`${site.space.path}/content/files`), 200)
  assert.equal(listed.count, seen.length)
  for (const [index, { id }] of made.entries())
    assert.equal(
      (await visitor.get(`${site.space.path}/content/files/${id}`)).status,
      names[index]!.startsWith('hush') ? 404 : 200,
    )
  for (const path of [hush, inside])
    assert.equal((await visitor.get(`${site.space.path}/content${path}?format=markdown`)).status, 404)
  assert.equal((await visitor.get(`${site.space.path}/content${shared}?format=markdown`)).status, 200)

  const { privateKey } = expect(await site.who.get(`${site.path}/publishing/auth`), 200)
  const known = await visitorOf(site, signToken(privateKey, { plan: 'pro', exp: inSeconds(600) }))
  assert.equal(expect(await known.get(`${site.space.path}/content/files`), 200).count, names.length)
  assert.match(expect(await known.get(`${site.space.path}/content${hush}?format=markdown`), 200).markdown, /Hush/)
})

test('what a content token may see of the files is found by reading each text once, and not again while nothing changes', async () => {
  const site = await aSiteWithSecret()
  const pieces: string[] = []
  for (const n of [1, 2, 3, 4]) {
    const before = pieces.map((id) => `{% include "/reusable-contents/${id}" %}`).join('\n\n')
    const markdown = `{% if ${condition} %}\nMore\n{% endif %}\n\n${before}\n`
    const piece = { operation: 'insert_reusable_content', title: `Piece ${n}`, document: { markdown } }
    pieces.push(...idsOf(await site.space.edit(piece)))
  }
  const pages = Array.from({ length: 20 }, (_, n) =>
    newPage('', {
      document: {
        markdown: `---\nvars:\n  own: "${n}"\n---\n\n# Page ${n}\n\n{% include "/reusable-contents/${pieces.at(-1)}" %}\n`,
      },
    }),
  )
  const file = { name: 'open.txt', base64: btoa('open'), contentType: 'text/plain' }
  expect(await site.space.edit(...pages, { operation: 'insert_files', files: [file] }), 200)
  const visitor = await visitorOf(site)
  const read = mock.method(app.app.content, 'document')
  try {
    assert.equal(expect(await visitor.get(`${site.space.path}/content/files`), 200).count, 1)
    assert.ok(read.mock.callCount() <= 3 * pieces.length, String(read.mock.callCount()))
    read.mock.resetCalls()
    expect(await visitor.get(`${site.space.path}/content`), 200)
    assert.equal(read.mock.callCount(), 0)
  } finally {
    read.mock.restore()
  }
})

test('a content token gets texts with variables filled in, but neither variables, nor remarks above a page, nor messages of commits', async () => {
  const site = await aSiteWithSecret({
    operation: 'update_variables',
    variables: { open: 'seen', hush_name: 'hush' },
  })
  const markdown = `---\nicon: bolt\nvars:\n  own: seen too\n  hush: hush\nhush: x\n# hush\n---\n\n<!-- hush -->\n\n# Plans\n\n{{ space.vars.open }}, {{ page.vars.own }}\n\n{% if ${condition} %}\n{{ space.vars.hush_name }} {{ page.vars.hush }}\n{% endif %}\n`
  const [plans] = idsOf(await site.space.edit(newPage('Plans', { document: { markdown } })))
  const commit = { oid: 'a'.repeat(40), message: 'Tell the hush page', createdByService: true }
  await app.db.run(sql`update revisions set git = ${JSON.stringify(commit)}::jsonb
    where line_id in (select id from lines where space_id = ${site.space.id})`)
  const visitor = await visitorOf(site)
  const answers = await Promise.all(
    [
      'content',
      'content/pages',
      ...['', 'format=markdown', 'format=document'].map((query) => `content/page/${plans}?${query}`),
    ].map(async (path) => ({ path, of: (who: typeof visitor) => who.get(`${site.space.path}/${path}`) })),
  )
  for (const { path, of } of answers) {
    const { status, text } = await of(visitor)
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /hush/i, path)
    assert.match((await of(site.who)).text, /hush/i, path)
  }
  const page = expect(await visitor.get(`${site.space.path}/content/page/${plans}?format=markdown`), 200)
  assert.equal(page.markdown, '---\nicon: bolt\n---\n\n# Plans\n\nseen, seen too\n')
})

test('mentions and cards of a hidden page do not reveal its file name, in any format or in search', async () => {
  const table =
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead>' +
    '<tbody><tr><td>Zebra card</td><td><a href="hush-slug.md">hush-slug.md</a></td></tr></tbody></table>'
  const markdown =
    `# Plans\n\nZebra [hush-slug.md](hush-slug.md "mention") behind, [our words](hush-slug.md).\n\n` +
    `## Zebra of [hush-slug.md](hush-slug.md "mention")\n\nZebra.\n\n## [hush-slug.md](hush-slug.md "mention")\n\nZebra.\n\n` +
    `* [hush-slug.md](hush-slug.md "mention")\n\n${table}\n\n` +
    '{% content-ref url="hush-slug.md" %}\n[hush-slug.md](hush-slug.md)\n{% endcontent-ref %}\n\n' +
    '{% updates %}\n{% update date="2026-01-02" %}\n## News\n\nOf [hush-slug.md](hush-slug.md "mention")\n{% endupdate %}\n{% endupdates %}\n'
  const site = await aSiteWithSecret(newPage('Plans', { document: { markdown } }))
  const [everybody, some] = await readersOf(site)
  const doors = [
    'plans',
    'plans.md',
    'plans/rss.xml',
    'llms-full.txt',
    '~/pdf',
    '~/search?q=zebra',
    '~/search.json?q=zebra',
  ]
  for (const path of doors) {
    assert.match(await everybody(path), /^200 /, path)
    assert.doesNotMatch(await everybody(path), /hush/i, path)
  }
  assert.match(await everybody('plans'), /Zebra  behind, our words\.[^]*Zebra card/)
  assert.match(await some('plans'), /Zebra <a [^>]*>Hush title<\/a> behind/)
  assert.match(await some('plans.md'), /hush-slug/)
  assert.match(await everybody('~/search.json?q=zebra'), /Zebra/)

  const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
  const plans = pages.find(({ title }: { title: string }) => title === 'Plans')
  const visitor = await visitorOf(site)
  for (const query of ['format=markdown', 'format=html', 'format=markdown&format.markdown.refs=stable']) {
    const { text } = await visitor.get(`${site.space.path}/content/page/${plans.id}?${query}`)
    assert.match(text, /our words/, query)
    assert.doesNotMatch(text, /hush/i, query)
  }
})

test('a content token reveals no hidden page that is linked by its address, in the same or another space of the site', async () => {
  const site = await aSiteWithSecret()
  const other = await aLiveSpace(app, site.org)
  const [open, hush] = idsOf(
    await other.edit(newPage('Open'), newPage('Hush there', { metadata: { slug: 'hush-there', condition } })),
  )
  expect(await site.who.post(`${site.path}/sections`, { title: 'Other', spaceId: other.id }), 201)
  const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
  const own = pages.find(({ slug }: { slug: string }) => slug === 'hush-slug')
  const addressOf = async (path: string, id: string) =>
    expect(await site.who.get(`${path}/content/page/${id}`), 200).urls.app
  const hidden = [
    await addressOf(site.space.path, own.id),
    await addressOf(other.path, hush!),
    `/spaces/${site.space.id}/pages/${own.id}`,
    `/spaces/${other.id}/pages/${hush}`,
  ]
  const stands = (address: string) => {
    const name = address.split('/').at(-1)
    return `So [${name}](${address} "mention"), [our words](${address}).\n\n{% content-ref url="${address}" %}\n[${name}](${address})\n{% endcontent-ref %}\n\n`
  }
  const shown = [await addressOf(other.path, open!), `/spaces/${other.id}/pages/${open}`]
  const markdown = `# Plans\n\n${[...hidden, ...shown].map(stands).join('')}`
  const [plans] = idsOf(await site.space.edit(newPage('Plans', { document: { markdown } })))
  const visitor = await visitorOf(site)
  const formats = ['document', 'markdown', 'html', 'markdown&format.markdown.refs=stable']
  for (const query of formats.map((format) => `format=${format}`)) {
    const { text } = await visitor.get(`${site.space.path}/content/page/${plans}?${query}`)
    assert.match(text, /our words/, query)
    for (const name of ['hush', own.id, hush!]) assert.ok(!text.includes(name), `${query}: ${name}`)
    assert.ok(text.includes(open!) && text.includes(shown[0]), query)
  }
})

test('addresses of sections and versions that a reader does not see lead nowhere, and those without words are left out', async () => {
  const site = await aSiteWithSecret()
  const spaceWith = async (name: string) => {
    const space = await aLiveSpace(app, site.org)
    const [page] = idsOf(await space.edit(newPage(name, { metadata: { slug: `${name}-slug` } })))
    const { urls } = expect(await site.who.get(`${space.path}/content/page/${page}`), 200)
    return { id: space.id, addresses: [urls.app as string, `/spaces/${space.id}/pages/${page}`, `/spaces/${space.id}`] }
  }
  const [open, hush, draft, none] = [
    await spaceWith('open'),
    await spaceWith('hush'),
    await spaceWith('hush-draft'),
    await spaceWith('out'),
  ]
  expect(await site.who.post(`${site.path}/sections`, { title: 'Open', spaceId: open.id }), 201)
  const section = expect(await site.who.post(`${site.path}/sections`, { title: 'Hush', spaceId: hush.id }), 201)
  expect(await site.who.patch(`${site.path}/sections/${section.id}`, { condition }), 200)
  const place = { spaceId: draft.id, sectionId: section.id, draft: true }
  expect(await site.who.post(`${site.path}/site-spaces`, place), 201)
  const stands = (address: string) =>
    `[our words](${address}) [x](${address} "mention") ${address.startsWith('/') ? '' : `<${address}>`}\n\n{% content-ref url="${address}" %}\n[${address}](${address})\n{% endcontent-ref %}\n\n{% embed url="${address}" %}\n\n`
  const all = [open, hush, draft, none].flatMap(({ addresses }) => addresses)
  const markdown = `# Plans\n\n${all.map(stands).join('')}`
  expect(await site.space.edit(newPage('Plans', { document: { markdown } })), 200)
  const [everybody, some] = await readersOf(site)
  for (const path of ['plans', 'plans.md', 'llms-full.txt', '~/pdf']) {
    const text = await everybody(path)
    assert.match(text, /^200 [^]*open/, path)
    assert.doesNotMatch(text.replaceAll('Hush', ''), /hush/, path)
    assert.ok(!text.includes(hush.id) && !text.includes(draft.id), path)
    assert.doesNotMatch(await some(path), /hush-draft/, path)
  }
  assert.match(await some('plans'), /<a href="[^"]*\/hush\/">our words/)
  // A space that is not in the site at all is as foreign as any other address.
  assert.ok((await everybody('plans')).includes(`href="${none.addresses[0]}"`))
})

test("the organization's address redirects to a share-link site only for readers who have opened the link", async () => {
  const site = await aSite(app, { visibility: 'share-link' })
  expect(await site.who.patch(`/v1/orgs/${site.org.id}`, { defaultContent: { type: 'site', site: site.id } }), 200)
  const { hostname } = site.org.row
  const doors = [
    { path: `/sites/${hostname}/`, host: 'lectern.test' },
    { path: '/', host: `${hostname}.sites.test` },
  ]
  const ask = async (browser = site.browser()) =>
    Promise.all(doors.map(async ({ path, host }) => (await browser.get(path, { host })).status))
  const lookup = async () =>
    (await site.who.post('/v1/urls/published', { url: `http://lectern.test/sites/${hostname}/` })).status
  assert.deepEqual(await ask(), [404, 404])
  assert.equal(await lookup(), 404)

  const link = expect(await site.who.post(`${site.path}/share-links`, { name: 'Friends' }), 201)
  const friend = site.browser()
  await friend.get(new URL(link.urls.published).pathname.replace(/^\/[^/]+\//, site.address))
  assert.deepEqual(await ask(friend), [307, 307])
  assert.deepEqual(await ask(), [404, 404])
  await site.change({ visibility: 'unlisted' })
  assert.deepEqual(await ask(), [307, 307])
  assert.equal(await lookup(), 200)
})
