import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestSpace, aSpace, asPage, bodiesOf } from '../../test/lines.ts'
import { type Data, type Entry, top } from '../content/merge/entry.ts'
import { newId } from '../ids.ts'
import { bodyHash } from '../revisions/bodies.ts'

const app = await startApp()

function reusable(id: string, body: string, data: Data = {}): Entry {
  const doc = bodyHash(body)
  return {
    entry: id,
    kind: 3,
    state: 0,
    parent: top,
    slug: null,
    position: null,
    doc,
    refs: null,
    data: { title: 'R', ...data },
  }
}

function variable(name: string, value: string): Entry {
  return {
    entry: newId(),
    kind: 4,
    state: 0,
    parent: top,
    slug: name,
    position: null,
    doc: null,
    refs: null,
    data: { value },
  }
}

/** Writes a page with this body and returns it as a reader sees it. */
async function shownIn(space: TestSpace, body: string, data: Data = {}, query = 'format=markdown&evaluated=true') {
  const { entry } = asPage({ title: 'T', slug: newId(), body })
  await space.main.write([{ ...entry, data: { ...entry.data!, ...data } }], bodiesOf([body]))
  const answer = await space.admin.client.get(`${space.path}/content/page/${entry.entry}?${query}`)
  return answer.body.markdown?.replace('# T\n\n', '') ?? answer.body
}

test('variables of the space and the page, and expressions with them, are replaced by their values', async () => {
  const space = await aSpace(app)
  await space.main.write([variable('product', 'Lectern'), variable('major', '3')])
  const body = '{{ space.vars.product }} {{ space.vars.major + 1 }} {{ page.vars.edition }}\n'
  assert.equal(
    await shownIn(space, body, { variables: { edition: 'Pro' } }),
    '---\nvars:\n  edition: Pro\n---\n\nLectern 31 Pro\n',
  )
  assert.equal(await shownIn(space, body, {}, 'format=markdown'), body)
  assert.equal(await shownIn(space, '{{ space.vars.missing }}a{{ space.vars.oops( }}b\n'), 'ab\n')
})

test('a condition that holds shows its content, and one about the visitor hides it even if negated', async () => {
  const space = await aSpace(app)
  await space.main.write([variable('beta', 'yes')])
  const shown = async (condition: string) => shownIn(space, `a\n\n{% if ${condition} %}\nb\n{% endif %}\n`)
  assert.match(await shown('space.vars.beta == "yes"'), /b/)
  assert.doesNotMatch(await shown('space.vars.beta == "no"'), /b/)
  assert.doesNotMatch(await shown('visitor.claims.plan == "pro"'), /b/)
  assert.doesNotMatch(await shown('!visitor.claims.plan'), /b/)
})

test('deterministic-only evaluation leaves expressions and conditions about the visitor as they are', async () => {
  const space = await aSpace(app)
  await space.main.write([variable('name', 'Ada')])
  const body =
    '{{ space.vars.name }} {{ visitor.claims.plan }}\n\n{% if visitor.claims.plan %}\n{{ space.vars.name }}\n{% endif %}\n'
  const query = 'format=markdown&evaluated=deterministic-only'
  const shown = await shownIn(space, body, {}, query)
  assert.equal(
    shown,
    'Ada <code class="expression">visitor.claims.plan</code>\n\n{% if visitor.claims.plan %}\nAda\n{% endif %}\n',
  )
})

test('reusable contents are included by id, by file path and from each other, and pages can be included too', async () => {
  const space = await aSpace(app)
  const [inner, outer] = [newId(), newId()]
  await space.main.write([variable('name', 'Ada')])
  await space.main.write(
    [
      reusable(inner, 'Hello {{ space.vars.name }}\n', { git: { oid: 'x', path: '.gitbook/includes/hello.md' } }),
      reusable(outer, `Outer\n\n{% include "/reusable-contents/${inner}" %}\n`),
    ],
    bodiesOf(['Hello {{ space.vars.name }}\n', `Outer\n\n{% include "/reusable-contents/${inner}" %}\n`]),
  )
  const [page] = await space.main.add({ title: 'P', slug: 'p', body: 'A page\n' })
  assert.match(await shownIn(space, `{% include "${inner}" %}\n`), /^Hello Ada/)
  assert.match(await shownIn(space, '{% include "../../.gitbook/includes/hello.md" %}\n'), /^Hello Ada/)
  assert.match(await shownIn(space, `{% include "/reusable-contents/${outer}" %}\n`), /^Outer\n\nHello Ada/)
  assert.match(await shownIn(space, `{% include "/pages/${page}" %}\n`), /^A page/)
})

test('circular and missing includes are replaced by an error hint', async () => {
  const space = await aSpace(app)
  const [a, b] = [newId(), newId()]
  const bodies = [`{% include "${b}" %}\n`, `{% include "${a}" %}\n`]
  await space.main.write([reusable(a, bodies[0]!), reusable(b, bodies[1]!)], bodiesOf(bodies))
  const query = 'format=document&evaluated=true'
  for (const ref of [a, newId(), 'nowhere.md']) {
    const { document } = await shownIn(space, `{% include "${ref}" %}\n`, {}, query)
    assert.deepEqual(
      document.nodes.map(({ type, data, extra }: any) => [type, data, extra]),
      [['hint', { style: 'danger' }, { error: true }]],
    )
  }
})

test('the document of a reusable content is read in a revision, evaluated or not', async () => {
  const space = await aSpace(app)
  const id = newId()
  await space.main.write(
    [variable('name', 'Ada'), reusable(id, 'I am {{ space.vars.name }}\n')],
    bodiesOf(['I am {{ space.vars.name }}\n']),
  )
  const { id: revision, reusableContents, variables } = (await space.admin.client.get(`${space.path}/content`)).body
  assert.deepEqual(variables, { name: 'Ada' })
  const [content] = reusableContents
  assert.deepEqual((await space.admin.client.get(`${space.path}/content/reusable-contents/${id}`)).body, content)
  const path = `${space.path}/revisions/${revision}/reusable-contents/${id}/document`
  assert.match((await space.admin.client.get(path)).text, /"expression"/)
  assert.match((await space.admin.client.get(`${path}?evaluated=true`)).text, /"I am ".*"Ada"/)
})
