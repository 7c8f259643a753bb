// Variables, set in a browser without scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, newPage } from '../../../test/editing.ts'
import { tokenIn } from '../../account/testing/person.ts'
import { signedIn } from '../../sessions/testing/signed-in.ts'

const app = await startApp()

/** Creates a space with a change request, and a user who may edit it. */
async function anAuthor() {
  const space = await aLiveSpace(app)
  const request = await space.changeRequest()
  const author = await signedIn(app, await space.org.member('edit'))
  const home = `/app/o/${space.org.id}/s/${space.id}`
  const path = `${home}/~/changes/1`
  const variables = async () => (await space.who.get(`${request.path}/content`)).body.variables
  return { space, request, author, home, path, list: `${path}/~/variables`, variables }
}

const setting = (variables: Record<string, string | null>) => ({ operation: 'update_variables', variables })

test('a variable is added and changed in a change request, and pages there show its value', async () => {
  const { space, author, home } = await anAuthor()
  const line = '{{ space.vars.version }}'
  await space.edit({ operation: 'insert_page', document: { markdown: `# Tea\n\nVersion: ${line}.\n` } })
  assert.ok((await author.get(home)).text.includes(`${home}/~/variables`))
  const none = await author.get(`${home}/~/variables`)
  assert.match(none.text, /None yet/)
  const begun = await author.submit(none, `${home}/~/edits`, { variables: 'on', change: '' })
  const list = begun.location!
  assert.match(list, /\/~\/changes\/2\/~\/variables$/)
  const path = list.replace('/~/variables', '')
  const page = await author.follow(begun)
  const added = await author.follow(await author.submit(page, list, { name: ' version ', value: '2 <b>' }))
  assert.match(added.text, /Variable added in this change request/)
  assert.match(added.text, /<strong>version<\/strong> <span class="row-more">2 &lt;b&gt;</)
  assert.ok(added.text.includes(line))
  assert.match((await author.get(`${path}/tea`)).text, /Version: 2 &lt;b&gt;\./)
  assert.match((await author.get(`${home}/tea`)).text, /Version: \./)
  const set = await author.follow(await author.submit(added, `${list}/version`, { value: '3' }))
  assert.match(set.text, /Value changed in this change request/)
  const review = await author.get(path)
  assert.match(review.text, /<dt>version<\/dt>\s*<dd>\s*<ins>3<\/ins>/)
  assert.ok(review.text.includes(`href="${list}" aria-label="Edit variables"`))
  assert.equal((await space.who.post(`${space.path}/change-requests/2/merge`, {})).status, 200)
  assert.match((await author.get(`${home}/~/variables`)).text, /<strong>version<\/strong> <span class="row-more">3</)
  assert.match((await author.get(`${home}/tea`)).text, /Version: 3\./)

  const own = await author.submit(await author.get(`${home}/~/variables`), `${home}/~/edits`, {
    variables: 'on',
    change: '1',
  })
  assert.equal(own.location, `${home}/~/changes/1/~/variables`)
})

test('a deleted variable is gone, and a value someone else set meanwhile is not overwritten', async () => {
  const { request, author, list, variables } = await anAuthor()
  await request.edit(setting({ cups: '1', size: 'large\nor small' }))
  const page = await author.get(list)
  await request.edit(setting({ cups: '2' }))
  const refused = await author.submit(page, `${list}/cups`, { value: '9' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /it is “2” now/)
  assert.match(refused.text, /<details class="work-asking" open>[^]*name="value" value="9"/)
  // With line ends as a browser sends them.
  await author.submit(refused, `${list}/size`, { value: 'small\r\nor large' })
  assert.deepEqual(await variables(), { cups: '2', size: 'small\nor large' })
  const deleted = await author.follow(await author.submit(refused, `${list}/cups/delete`))
  assert.match(deleted.text, /Variable deleted in this change request/)
  assert.deepEqual(await variables(), { size: 'small\nor large' })
  assert.equal((await author.submit(refused, `${list}/cups/delete`)).status, 404)
})

test('invalid and taken variable names and values that are too long are refused, and what was typed stays', async () => {
  const { request, author, list, variables } = await anAuthor()
  await request.edit(setting({ cups: '1' }))
  const page = await author.get(list)
  for (const [name, value, reason] of [
    ['2nd', 'x', /The name must consist of unaccented letters/],
    ['a.b', 'x', /The name must consist of unaccented letters/],
    ['__proto__', 'x', /The name is reserved: choose another one/],
    ['constructor', 'x', /The name is reserved: choose another one/],
    ['', 'x', /The name must consist of unaccented letters/],
    ['cups', 'x', /A variable cups already exists/],
    ['long', 'x'.repeat(257), /A value has at most 256 characters/],
  ] as const) {
    const refused = await author.submit(page, list, { name, value })
    assert.equal(refused.status, 409, name)
    assert.match(refused.text, reason, name)
    assert.ok(refused.text.includes(`name="value" value="${value}"`), name)
  }
  assert.deepEqual(await variables(), { cups: '1' })
  for (const _ of [1, 2]) assert.equal((await author.submit(page, list, { name: 'pots', value: '3' })).status, 303)
  assert.deepEqual(await variables(), { cups: '1', pots: '3' })
})

test('readers see the variables of a space but cannot change them', async () => {
  const { space, home, list } = await anAuthor()
  await space.edit(setting({ cups: '1' }))
  const reader = await signedIn(app, await space.org.member('read'))
  const shown = await reader.get(`${home}/~/variables`)
  assert.match(shown.text, /<strong>cups<\/strong>/)
  assert.doesNotMatch(shown.text, /name="variables"/)
  const { form } = tokenIn(await reader.get('/account'))
  for (const path of [list, `${list}/cups`, `${list}/cups/delete`])
    assert.equal((await reader.post(path, { form: form, name: 'x', value: 'x', seen: '1' })).status, 403, path)
  assert.equal((await reader.get(list)).status, 403)
})

test('a page named like the variables or reusable contents pages is read at its own address', async () => {
  const { request, author, path } = await anAuthor()
  await request.edit(newPage('Variables'), newPage('Reusable contents'))
  for (const [address, title] of [
    ['variables', 'Variables'],
    ['reusable-contents', 'Reusable contents'],
  ])
    assert.ok((await author.get(`${path}/${address}`)).text.includes(`Text of ${title}`), address)
})
