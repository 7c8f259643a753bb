// Variants of a schema in drawings, in texts and in examples; and the additions of OpenAPI 3.2.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Icons } from '../../published/icons/icons.ts'
import { asSpec } from '../testing/as-spec.ts'
import { exampleOfSchema } from './example.ts'
import { drawOperation } from './operation.ts'
import { samplesOf } from './samples.ts'
import { Spec, schemaReference } from './spec.ts'
import { writeOperation } from './text.ts'

/** Returns an operation as readers see it, without its markup, and as text. */
async function show(spec: Spec, path = '/x', method = 'post') {
  const operation = spec.operation(path, method) ?? assert.fail(`${method} ${path}`)
  const markup = String(await drawOperation(spec, operation, { id: 'op' }, new Icons()))
  const drawn = markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return { drawn, text: writeOperation(spec, operation, {}) }
}

const taking = (schema: object, schemas: object = {}) =>
  asSpec({
    openapi: '3.1.0',
    paths: { '/x': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
    components: { schemas },
  })

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('all alternatives of a schema are shown, also those without fields', async () => {
  const { drawn, text } = await show(
    taking({ oneOf: [object({ name: {} }, { title: 'Pet' }), { type: 'string', description: 'Its name' }] }),
  )
  assert.match(drawn, /One of: Pet name any One of: string Its name/)
  assert.match(text, /- One of: `Pet`\n {2}- `name` \(`any`\)\n- One of: `string`/)
})

test('the discriminator value is shown with each variant, and in the example of one', async () => {
  const schemas = {
    Cat: object({ kind: { type: 'string' }, lives: { type: 'integer' } }),
    Dog: object({ kind: { type: 'string' } }),
    Fish: object({ kind: { type: 'string' } }),
  }
  const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' }
  const discriminator = { propertyName: 'kind', mapping }
  const spec = taking({ oneOf: [ref('Cat'), ref('Dog'), ref('Fish')], discriminator }, schemas)
  const { drawn, text } = await show(spec)
  assert.match(drawn, /One of: Cat kind: cat .*One of: Dog kind: dog .*One of: Fish kind: Fish/)
  assert.match(text, /- One of: `Cat` \(`kind: cat`\)/)
  assert.match(text, /"kind": "cat",\n {2}"lives": 1/)
})

test('a base schema lists the discriminator values of its variants, and each variant shows its own', async () => {
  const mapping = { cat: ref('Cat').$ref, dog: 'Dog' }
  const schemas = {
    Pet: object(
      { kind: { type: 'string', description: 'Which' } },
      { discriminator: { propertyName: 'kind', mapping } },
    ),
    Cat: { allOf: [ref('Pet'), object({ lives: { type: 'integer' } })] },
    Dog: { allOf: [ref('Pet')], type: 'object' },
  }
  const spec = taking(ref('Cat'), schemas)
  assert.match((await show(spec)).text, /- `kind` \(`enum`\): Which\. `cat`\.\n/)
  assert.match((await show(taking(ref('Pet'), schemas))).text, /- `kind` \(`enum`\): Which\. `cat`, `dog`\.\n/)
  const examples = ['Pet', 'Cat', 'Dog'].map((name) => exampleOfSchema(spec, schemaReference(name), 'request'))
  assert.deepEqual(examples, [{ kind: 'cat' }, { kind: 'cat', lives: 1 }, { kind: 'dog' }])
  // Without a mapping, each value is the name of its schema.
  const untold = { ...schemas, Pet: { ...schemas.Pet, discriminator: { propertyName: 'kind' } } }
  assert.deepEqual(exampleOfSchema(taking({}, untold), schemaReference('Dog'), 'request'), { kind: 'Dog' })
  assert.deepEqual(exampleOfSchema(taking({}, untold), schemaReference('Pet'), 'request'), { kind: 'text' })
})

test('a base schema may list its variants, and each variant is shown as itself only', async () => {
  const discriminator = { propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } }
  const schemas = {
    Pet: object({ kind: { type: 'string' } }, { discriminator, oneOf: [ref('Cat'), ref('Dog')] }),
    Cat: { allOf: [ref('Pet'), object({ lives: { type: 'integer' } })] },
    Dog: { allOf: [ref('Pet'), object({ barks: { type: 'boolean' } })] },
    Puppy: { allOf: [ref('Dog'), object({ weeks: { type: 'integer' } })] },
  }
  const spec = taking(ref('Pet'), schemas)
  const { drawn, text } = await show(spec)
  assert.match(
    text,
    /- One of: `Cat` \(`kind: cat`\)\n {2}- `kind` .*\n {2}- `lives` .*\n- One of: `Dog` \(`kind: dog`\)/,
  )
  assert.equal(text.match(/One of:/g)!.length, 2)
  assert.equal(drawn.match(/One of:/g)!.length, 2)
  const examples = ['Pet', 'Cat', 'Dog', 'Puppy'].map((name) => exampleOfSchema(spec, schemaReference(name), 'request'))
  assert.deepEqual(examples, [
    { kind: 'cat', lives: 1 },
    { kind: 'cat', lives: 1 },
    { kind: 'dog', barks: true },
    { kind: 'Puppy', barks: true, weeks: 1 },
  ])
})

test('allOf over several oneOf schemas shows every choice, and an example has one of each', async () => {
  const schemas = {
    Cat: object({ lives: { type: 'integer' } }),
    Dog: object({ barks: { type: 'boolean' } }),
    Mail: object({ mail: { type: 'string' } }),
    Phone: object({ phone: { type: 'string' } }),
    Animal: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } } },
    Reached: { oneOf: [ref('Mail'), ref('Phone')], discriminator: { propertyName: 'by' } },
    Both: { allOf: [ref('Animal'), ref('Reached'), object({ id: { type: 'integer' } })] },
    // Composed of the composed schema, and once more of one of its parts.
    Again: { allOf: [ref('Both'), ref('Animal')], anyOf: [object({ near: {} }), object({ far: {} })] },
  }
  const spec = taking(ref('Both'), schemas)
  const { drawn, text } = await show(spec)
  const each = 'One of: Cat kind: cat .*One of: Dog kind: Dog .* and One of: Mail by: Mail .*One of: Phone by: Phone'
  assert.match(drawn, new RegExp(`id integer .*${each}`))
  assert.match(
    text,
    /- One of: `Cat` \(`kind: cat`\)\n.*\n- One of: `Dog`.*\n.*\n- and\n- One of: `Mail` \(`by: Mail`\)\n.*\n- One of: `Phone`/,
  )
  const examples = ['Both', 'Again'].map((name) => exampleOfSchema(spec, schemaReference(name), 'request'))
  const both = { id: 1, kind: 'cat', lives: 1, by: 'Mail', mail: 'text' }
  assert.deepEqual(examples, [both, { ...both, near: {} }])
  const again = (await show(taking(ref('Again'), schemas))).text
  assert.equal(again.match(/- One of:/g)!.length, 4)
  assert.equal(again.match(/- Any of:/g)!.length, 2)
  const label = (await show(taking(object({ it: ref('Both') }), schemas))).text
  assert.match(label, /- `it` \(`\(Cat or Dog\) and \(Mail or Phone\)`\)/)
})

test('many schemas that are alternatives of each other do not make an endless text', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `Part${at}`)
  const schemas = Object.fromEntries(names.map((name) => [name, object({ [name]: {} }, { anyOf: names.map(ref) })]))
  const { text } = await show(taking(ref('Part0'), schemas))
  for (const name of names) assert.ok(text.includes(`- \`${name}\` (`), name)
  assert.ok(text.length < 1_000_000, String(text.length))
})

test('an example of a schema with both fields and alternatives has the fields of both', async () => {
  const schemas = { Base: object({ id: { type: 'integer' } }) }
  const either = { oneOf: [object({ mail: { format: 'email', type: 'string' } }), object({ phone: {} })] }
  const spec = taking({ allOf: [ref('Base'), either] }, schemas)
  assert.match((await show(spec)).text, /"id": 1,\n {2}"mail": "name@example\.com"\n/)
})

test('a made-up example has all required fields and keeps to the limits of its schema', () => {
  const old = { type: 'string', deprecated: true }
  const required = object({ old, older: old }, { required: ['old'] })
  assert.deepEqual(exampleOfSchema(taking({}), required, 'request'), { old: 'text' })
  const made = (schema: object) => exampleOfSchema(taking({}), schema, 'request')
  const numbers = [
    {},
    { maximum: 0.5 },
    { exclusiveMaximum: 0 },
    { exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { exclusiveMinimum: 4, multipleOf: 3 },
    { minimum: -5 },
    { multipleOf: 10, maximum: 100 },
  ]
  assert.deepEqual(
    numbers.map((rules) => made({ type: 'number', ...rules })),
    [1, 0.5, -1, 0.5, 6, -5, 10],
  )
  const texts = [{ maxLength: 2 }, { minLength: 6 }, { minLength: 2, maxLength: 9 }, { minLength: 1e9 }]
  assert.deepEqual(
    texts.map((rules) => (made({ type: 'string', ...rules }) as string).slice(0, 50).length),
    [2, 6, 4, 50],
  )
})

test('a list with a different type at each position shows these types', async () => {
  const place = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false }
  const spec = taking(object({ place, rest: { prefixItems: [{ type: 'boolean' }], items: { type: 'string' } } }))
  const { drawn, text } = await show(spec)
  assert.match(drawn, /place \[number, string\] .*rest \[boolean, …\]/)
  assert.deepEqual(JSON.parse(/--data '(.*?)'/s.exec(text)![1]!), { place: [1, 'text'], rest: [true] })
})

test('a parameter shows its given example, and the text form shows all that the drawn form does', async () => {
  const schema = { type: 'string', pattern: '^[a-z]+$' }
  const parameters = [
    { name: 'one', in: 'query', schema, example: 'tea' },
    { name: 'two', in: 'query', schema: { type: 'array', items: schema }, examples: { a: { value: ['x', 'y'] } } },
    { name: 'many', in: 'query', schema: { enum: Array.from({ length: 250 }, (_, at) => `v${at}`) } },
  ]
  const { drawn, text } = await show(asSpec({ openapi: '3.1.0', paths: { '/x': { post: { parameters } } } }))
  assert.match(drawn, /one string Example: tea Pattern: \^\[a-z\]\+\$ /)
  assert.match(drawn, /two string\[\] Example: \[&quot;x&quot;,&quot;y&quot;\] /)
  assert.match(text, /- `one` \(`string`\): Example: `tea`\. Pattern: `\^\[a-z\]\+\$`\.\n/)
  assert.match(text, /- `two` \(`string\[\]`\): Example: `\["x","y"\]`\.\n/)
  assert.match(text, /`v199`, \+ 50 …\n/)
})

test('a body known only by a binary media type is shown as binary, and has no example', async () => {
  const content = { 'image/png': { schema: {} } }
  const requestBody = { content: { 'application/zip': {} } }
  const { drawn, text } = await show(
    asSpec({ paths: { '/x': { post: { requestBody, responses: { 200: { description: 'It', content } } } } } }),
  )
  assert.match(
    text,
    /\(`application\/zip`\)\n\n`string \(binary\)`\n.*`200` \(`image\/png`\): It\n\n`string \(binary\)`$/s,
  )
  assert.doesNotMatch(drawn, /\{\}| any /)
})

test('additional methods, query string parameters, streams and examples of OpenAPI 3.2 are shown', async () => {
  const item = object({ at: { type: 'integer' } })
  const find = {
    parameters: [
      {
        name: 'filter',
        in: 'querystring',
        required: true,
        content: {
          'application/x-www-form-urlencoded': { examples: { a: { dataValue: { colour: 'a b', size: 2 } } } },
        },
      },
    ],
    responses: { 200: { description: 'All', content: { 'application/jsonl': { itemSchema: item } } } },
  }
  const paths = { '/x': { additionalOperations: { COPY: { summary: 'Copy it' } }, query: find } }
  const spec = asSpec({ openapi: '3.2.0', paths })
  assert.match((await show(spec, '/x', 'COPY')).drawn, /COPY .*x .*--request COPY/)
  const { drawn, text } = await show(spec, '/x', 'query')
  assert.match(drawn, /Query parameters filter /)
  assert.match(text, /\*\*Query parameters\*\*\n\n- `filter` .*- `at` \(`integer`\)/s)
  assert.match(samplesOf(spec, spec.operation('/x', 'query')!)[0]!.code, /\/x\?colour=a%20b&size=2'/)
})
