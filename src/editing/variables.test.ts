import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'

const app = await startApp()

const update = (variables: object) => ({ operation: 'update_variables', variables })

test('variables are set, renamed and removed, and those not named stay', async () => {
  const space = await aLiveSpace(app)
  const now = async () => (await space.who.get(`${space.path}/content`)).body.variables
  assert.equal((await space.edit(update({ product: 'Lectern', major: '3' }))).status, 200)
  const before = (await space.who.get(space.path)).body.revision
  await space.edit(update({ product: null, name: 'Lectern' }), update({ name: 'Reader' }))
  assert.deepEqual(await now(), { major: '3', name: 'Reader' })
  const old = await space.who.get(`${space.path}/revisions/${before}`)
  assert.deepEqual(old.body.variables, { product: 'Lectern', major: '3' })

  const request = await space.changeRequest()
  await request.edit(update({ major: '4' }))
  await space.edit(update({ name: 'Other' }))
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  assert.deepEqual(await now(), { major: '4', name: 'Other' })
})

test('removing an unknown variable or setting the same value again changes nothing', async () => {
  const space = await aLiveSpace(app)
  const { revision } = (await space.edit(update({ a: '1' }))).body
  assert.equal((await space.edit(update({ a: '1', missing: null }))).body.revision, revision)
})

test('an invalid variable name, an invalid or too long value, and too many variables are refused with the field', async () => {
  const space = await aLiveSpace(app)
  const { revision } = (await space.edit(update({ a: '1' }))).body
  const refused: [object, RegExp][] = [
    [{ '1a': 'x' }, /variables\.1a.*not begin with a digit/],
    [{ 'a-b': 'x' }, /variables\.a-b/],
    [{ '': 'x' }, /variables\./],
    [{ ['x'.repeat(65)]: 'x' }, /variables\.x/],
    [{ constructor: 'x' }, /variables\.constructor.*is reserved: choose another one/],
    [{ a: 'x'.repeat(257) }, /variables/],
    [{ a: 1 }, /variables/],
    [{}, /variables/],
    [Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`v${i}`, 'x'])), /variables/],
  ]
  for (const [variables, field] of refused) {
    const { status, body } = await space.edit(update({ b: '2' }), update(variables))
    assert.equal(status, 400, JSON.stringify(variables))
    assert.match(JSON.stringify(body.error), field)
    assert.match(JSON.stringify(body.error), /changes\.1/)
  }
  assert.equal((await space.who.get(space.path)).body.revision, revision)
})
