import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf } from '../../test/editing.ts'

const app = await startApp()

const insert = (computed: object) => ({
  operation: 'insert_page',
  type: 'computed',
  metadata: { title: 'Made' },
  computed,
})
const spec = { spec: { ref: { kind: 'openapi', spec: 'petstore' } } }

test('a generated page names its source, and shows it with computed=true and computed=false', async () => {
  const space = await aLiveSpace(app)
  const [page, other] = idsOf(
    await space.edit(
      insert({ type: 'builtin:openapi', dependencies: { spec: { ...spec.spec, value: { object: 'openapi-spec' } } } }),
      insert({ type: 'integration:acme:pages', props: { a: 1 }, dependencies: spec }),
    ),
  )
  const shown = { type: 'builtin:openapi', props: { models: true }, dependencies: spec }
  for (const computed of [true, false]) {
    const { body } = await space.who.get(`${space.path}/content/page/${page}?computed=${computed}`)
    assert.deepEqual([body.type, body.computed], ['computed', shown])
  }
  const { body } = await space.who.get(`${space.path}/content/page/${other}`)
  assert.deepEqual(body.computed, { type: 'integration:acme:pages', props: { a: 1 }, dependencies: spec })

  const translation = { translation: { ref: { kind: 'translation', translation: 'x' } } }
  const computed = { type: 'builtin:translation', dependencies: translation }
  assert.equal((await space.edit({ operation: 'update_page', page, computed })).status, 200)
})

test('a generated page without a valid type, source or properties is refused with the field', async () => {
  const space = await aLiveSpace(app)
  const refused: [object, string][] = [
    [{ type: 'builtin:openapi' }, 'dependencies.spec'],
    [{ type: 'builtin:openapi', dependencies: {} }, 'dependencies.spec'],
    [{ type: 'builtin:openapi', dependencies: { spec: 'petstore' } }, 'dependencies.spec'],
    [{ type: 'builtin:openapi', dependencies: { spec: {} } }, 'dependencies.spec.ref'],
    [{ type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'space' } } } }, 'dependencies.spec.ref.kind'],
    [{ type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi' } } } }, 'dependencies.spec.ref.spec'],
    [{ type: 'builtin:openapi', dependencies: spec, props: { models: 'yes' } }, 'props.models'],
    [{ type: 'builtin:translation', dependencies: spec }, 'dependencies.translation'],
    [{ type: 'integration:acme:pages', dependencies: { x: {} } }, 'dependencies.x.ref'],
    [{ type: 'builtin:other' }, 'type'],
  ]
  for (const [computed, field] of refused) {
    const { status, body } = await space.edit(insert(computed))
    assert.equal(status, 400, JSON.stringify(computed))
    assert.ok(JSON.stringify(body.error).includes(`body.changes.0.computed.${field}`), JSON.stringify(body.error))
  }
  assert.equal(await space.outline(), '')
})
