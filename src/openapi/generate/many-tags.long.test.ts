// The cost of generating pages for a specification with very many tags and operations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { newPage, newReference } from '../../../test/editing.ts'
import { assertLinear } from '../../../test/growth.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { english } from '../../published/words/english.ts'
import { Spec } from '../draw/spec.ts'
import { putSpec } from '../testing/specs.ts'
import { bodyOf } from './body.ts'
import { outlineOf } from './outline.ts'

const app = await startApp()

const many = (length: number) => Array.from({ length }, (_, at) => at)

/** Each tag has an operation, and is below the next one. */
const tagged = (length: number) =>
  new Spec({
    openapi: '3.1.0',
    info: { title: 'Many', version: '1' },
    tags: many(length).map((at) => ({ name: `tag ${at}`, parent: `tag ${at + 1}` })),
    paths: Object.fromEntries(many(length).map((at) => [`/${at}`, { get: { tags: [`tag ${at}`], responses: {} } }])),
  })

test('the time to outline the pages of a specification is linear in their number', () => {
  assertLinear((length) => outlineOf(tagged(length), { models: true, words: english }), 32_000)
})

test('the time to write made pages and to look up operations is linear in their number', () => {
  assertLinear((length) => {
    const spec = tagged(length)
    for (const at of many(length)) {
      const text = bodyOf(spec, 'many', { doc: 'operations', page: `tag ${at}` })
      assert.ok(text.includes(`path="/${at}"`))
      assert.equal(spec.operation(`/${at}`, 'get')?.path, `/${at}`)
    }
  }, 4000)
})

test('an operation with very many tags is on the pages of the first ones', () => {
  const tags = many(5_000).map((at) => `tag ${at}`)
  const spec = new Spec({ openapi: '3.1.0', paths: { '/a': { get: { tags } }, '/b': { get: { tags: ['last'] } } } })
  const titles = outlineOf(spec, { models: false, words: english }).map(({ title }) => title)
  assert.deepEqual([titles.length, titles[0], titles.at(-1)], [21, 'Tag 0', 'Last'])
})

test('tags whose parents form or lead to a cycle are at the top, and all others are below their parents', () => {
  const parents = { round: 'and', and: 'round', itself: 'itself', beside: 'round', lost: 'nowhere', low: 'top' }
  const names = [...Object.entries(parents), ['top', undefined]]
  const spec = new Spec({
    openapi: '3.1.0',
    tags: names.map(([name, parent]) => ({ name: name!, description: 'Text', ...(parent && { parent }) })),
  })
  const written = outlineOf(spec, { models: false, words: english }).map(({ title, pages }) =>
    [title, ...pages.map((each) => each.title)].join(' > '),
  )
  assert.deepEqual(written, ['Round', 'And', 'Itself', 'Beside', 'Lost', 'Top > Low'])
})

test('pages that ask for more made pages than a space may have stay as they are, and all others are made', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const tags = (length: number) => many(length).map((at) => ({ name: `Tag ${at}`, description: 'Text' }))
  for (const [slug, length] of [
    ['large', 2000],
    ['small', 2],
  ] as const) {
    const document = { openapi: '3.1.0', info: { title: slug, version: '1' }, tags: tags(length), paths: {} }
    await putSpec(site.who, site.org.id, slug, { text: JSON.stringify(document) })
  }
  const large = ['One', 'Two', 'Three', 'Four'].map((title) => newReference(title, { spec: 'large' }))
  expect(await site.space.edit(...large, newReference('Five', { spec: 'small' })), 200)
  const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
  const titles = pages.map(({ title }: { title: string }) => title)
  assert.equal(titles.length, 1 + 2000 + 2000 + 2 + 2)
  assert.deepEqual(
    titles.filter((title: string) => !title.startsWith('Tag ')),
    ['Welcome', 'Three', 'Four'],
  )
  assert.deepEqual(titles.slice(-2), ['Tag 0', 'Tag 1'])
  const slugs = pages.flatMap(({ slug }: { slug?: string }) => slug ?? [])
  assert.equal(new Set(slugs).size, slugs.length, 'each has an address of its own')
  assert.equal((await site.browser().get(`${site.address}tag-1999-1`)).status, 200)
})

test('a made page never takes the address of another page that asks for pages', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  for (const [slug, name] of [
    ['first', 'Alpha'],
    ['second', 'Gamma'],
  ] as const) {
    const tags = [{ name, description: 'Text' }]
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: slug, version: '1' }, tags, paths: {} })
    await putSpec(site.who, site.org.id, slug, { text })
  }
  expect(await site.space.edit(newReference('Gamma', { spec: 'first' }), newReference('Beta', { spec: 'second' })), 200)
  const { pages } = expect(await site.who.get(`${site.space.path}/content/pages`), 200)
  assert.deepEqual(
    pages.map(({ slug }: { slug: string }) => slug),
    ['welcome', 'alpha', 'gamma-1'],
  )
})
