import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSite } from '../../test/visitor.ts'
import { grant } from '../../test/content.ts'
import { aLiveSpace, newReference } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { putSpec } from './testing/specs.ts'

const app = await startApp()

const many = (length: number) => Array.from({ length }, (_, at) => at)

/** Each schema has eight fields. Half of them lead to the next level, which makes some ten thousand fields in all. */
function nested() {
  const schema = (level: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      many(8).map((at) => [
        `level${level}Field${at}`,
        at < 4 && level < 5
          ? { $ref: `#/components/schemas/Level${level + 1}` }
          : { type: 'string', description: 'A text that says what this is, in some words.' },
      ]),
    ),
  })
  return Object.fromEntries(many(6).map((level) => [`Level${level}`, schema(level)]))
}

function large(operations: number) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Level0' } } }
  const operation = (at: number) => ({
    summary: `Do thing ${at}`,
    tags: ['things'],
    requestBody: { content },
    responses: { 200: { description: 'Done', content }, 201: { description: 'Made', content } },
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    paths: Object.fromEntries(many(operations).map((at) => [`/things/${at}`, { post: operation(at) }])),
    components: {
      schemas: { ...nested(), ...Object.fromEntries(many(300).map((at) => [`Thing${at}`, { type: 'string' }])) },
    },
  }
}

async function pagesOf(document: object) {
  const site = await aSite(app)
  await putSpec(site.who, site.org.id, 'large', { text: JSON.stringify(document) })
  const made = await site.space.edit(newReference('API', { spec: 'large', models: true }))
  assert.equal(made.status, 200, made.text)
  const get = async (path: string) => (await site.browser().get(site.address + path)).text
  return { operations: await get('things'), models: await get('models') }
}

const sectionsIn = (page: string) => page.split('<section class="block op"').slice(1)

test('a page shows every operation of its tag and every schema, however many, within 5 million characters', async () => {
  const { operations, models } = await pagesOf(large(220))
  const sections = sectionsIn(operations)
  assert.equal(sections.length, 220)
  for (const section of sections) {
    // For the body and both responses: all fields of the top level, and the number of those below.
    for (const at of many(8)) assert.equal(section.split(`<code>level0Field${at}</code>`).length, 4)
    assert.ok(section.includes('8 more fields'))
  }
  assert.ok(operations.length < 5_000_000, `${operations.length} characters`)
  assert.equal(sectionsIn(models).length, 306)
  assert.ok(models.length < 5_000_000, `${models.length} characters`)
})

test('an operation on a page with few operations unfolds its fields level by level, up to a limit', async () => {
  const { operations } = await pagesOf(large(2))
  for (const section of sectionsIn(operations)) {
    // Three times eight fields, four times as many below each half of them, and so on.
    const rows = (level: number) =>
      section.split(new RegExp(`<code>level${level}Field\\d</code><span class="type">`)).length - 1
    assert.deepEqual([rows(0), rows(1), rows(2), rows(3)], [24, 96, 384, 0])
    assert.ok(section.includes('level0Field7&quot;'), 'the example has the last field, too')
  }
})

test('the server answers others while it looks through large texts for what a guest names', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const guest = await org.member(null)
  await grant(org.admin.client, { object: 'space', id: space.id }, { users: [guest.id] }, 'edit')
  const page = (markdown: string) => ({ operation: 'insert_page', document: { markdown } })
  for (const at of many(24)) {
    const text = `# Page ${at}\n\n${'- openapi of the shop\n\n'.repeat(6_000)}`
    assert.equal((await space.edit(page(text))).status, 200)
  }
  const answered = new AbortController()
  const began = performance.now()
  const naming = guest.client
    .post(`${space.path}/content`, { changes: [page('{% openapi-schemas spec="shop" %}\n')] })
    .finally(() => answered.abort())
  let [longest, last] = [0, began]
  while (!answered.signal.aborted) {
    assert.equal((await fetch(`${app.url}/healthz`)).status, 200)
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  assert.equal((await naming).status, 403)
  assert.ok(longest < (last - began) / 2, `others waited for ${longest} of ${last - began} ms`)
})
