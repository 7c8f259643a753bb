import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { Icons } from '../../published/icons/icons.ts'
import { english } from '../../published/words/english.ts'
import { wordsFor } from '../../published/words/words.ts'
import { asSpec } from '../testing/as-spec.ts'
import { petstore } from '../testing/petstore.ts'
import { drawOperation } from './operation.ts'
import { sampleRequest } from './request.ts'
import { drawSchemas } from './schemas.ts'

const shop = asSpec(petstore)

async function draw(path: string, method: string, spec = shop, isWebhook = false): Promise<string> {
  const operation = spec.operation(path, method, isWebhook)
  assert.ok(operation, `${method} ${path}`)
  return String(await drawOperation(spec, operation, { id: 'op1' }, new Icons()))
}

/** A specification with this single operation. */
const specWith = (operation: object, more: object = {}) =>
  asSpec({ openapi: '3.1.0', info: {}, paths: { '/x': { get: operation } }, ...more })

const text = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test('an operation shows its method, its path, its parameters by place, and the limits of each', async () => {
  const markup = await draw('/pets', 'get')
  assert.match(markup, /^<section class="block op" aria-label="List pets"><div class="op-line">/)
  assert.match(markup, /<span class="verb" data-tone="info">GET<\/span><span class="op-path">\/<wbr><b>pets<\/b>/)
  assert.match(markup, /<h3 class="op-h">Query parameters<\/h3>/)
  assert.match(
    markup,
    /<h3 class="op-h">Headers<\/h3><dl class="props"><div><dt><code>X-Trace<\/code><span class="type">string \(uuid\)/,
  )
  assert.match(
    markup,
    /<code>limit<\/code><span class="type">integer<\/span>.*?Default: <code>20<\/code>.*?1 to 100\./s,
  )
  assert.match(
    markup,
    /<span class="type">enum<\/span>.*?Only pets with this <em>status<\/em>.*?<code>available<\/code><code>sold<\/code>/s,
  )
  assert.match(markup, /<code>colour<\/code>.*?<span class="tag" data-tone="warning">Deprecated<\/span>/s)
  assert.match(await draw('/pets/{petId}', 'delete'), /<b>pets<\/b>\/<wbr><i>\{petId\}<\/i>/)
})

test('a limit of one item uses the singular in English, German and Spanish', async () => {
  const said = async (language: string, rules: object) => {
    const spec = specWith({ parameters: [{ name: 'list', in: 'query', schema: { type: 'array', ...rules } }] })
    const operation = spec.operation('/x', 'get')!
    return text(String(await drawOperation(spec, operation, { id: 'op1', words: wordsFor(language) }, new Icons())))
  }
  assert.match(await said('en', { minItems: 1 }), /At least 1 item\./)
  assert.match(await said('en', { minItems: 1, maxItems: 1 }), /1 item\./)
  assert.match(await said('en', { maxItems: 2 }), /At most 2 items\./)
  assert.match(await said('en', { minItems: 1, maxItems: 3 }), /1 to 3 items\./)
  assert.match(await said('de', { minItems: 1 }), /Mindestens 1 Element\./)
  assert.match(await said('es', { maxItems: 1 }), /Como máximo 1 elemento\./)
})

test('a body shows its fields, with nested fields folded and required fields marked', async () => {
  const markup = await draw('/pets', 'post')
  assert.match(markup, /<h3 class="op-h">Body <small>JSON<\/small><\/h3><p>The new pet<\/p>/)
  assert.match(
    markup,
    /<code>name<\/code><span class="type">string<\/span><span class="need">required<\/span>.*?1 to 64 characters\./s,
  )
  assert.match(markup, /<code>tag<\/code><span class="type">string or null<\/span>/)
  assert.match(
    markup,
    /<code>kind<\/code><span class="type">Dog or Cat<\/span>.*?<summary>.*?One of: <code>A dog<\/code><\/summary>/s,
  )
  assert.match(markup, /<code>attributes<\/code><span class="type">map of string<\/span>/)
})

test('responses are listed by status, the first success open, with headers and fields', async () => {
  const markup = await draw('/pets', 'post')
  const responses = markup.slice(markup.indexOf('>Responses<'), markup.indexOf('op-aside'))
  assert.match(
    responses,
    /data-tone="success"><span class="dot"><\/span>201<\/span>.*?<details open>.*?<code>Location<\/code>/s,
  )
  assert.match(responses, /data-tone="danger"><span class="dot"><\/span>400<\/span>.*?What went wrong.*?<details ?>/s)
  assert.match(responses, /<code>id<\/code><span class="type">integer \(int64\)<\/span>.*?Read-only/s)
})

test('read-only fields are hidden in the request, and write-only fields in the response', async () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } },
  }
  const content = { 'application/json': { schema } }
  const markup = await draw('/x', 'get', specWith({ requestBody: { content }, responses: { 200: { content } } }))
  const [body, responses] = [markup.split('>Responses<')[0]!, markup.split('>Responses<')[1]!]
  assert.ok(body.includes('<code>secret</code>') && !body.includes('<code>id</code>'))
  assert.ok(responses.includes('<code>id</code>') && !responses.includes('<code>secret</code>'))
})

test('a recursive schema ends with its name, also through lists, maps and other schemas', async () => {
  const markup = await draw('/pets', 'post')
  assert.match(markup, /<code>parents<\/code><span class="type">Pet\[\]<\/span>.*?The same as <code>Pet<\/code> above/s)
  const schemas = {
    A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
    B: { type: 'object', additionalProperties: { $ref: '#/components/schemas/A' } },
    List: { type: 'array', items: { $ref: '#/components/schemas/List' } },
    Either: { oneOf: [{ $ref: '#/components/schemas/Either' }, { $ref: '#/components/schemas/A' }] },
    All: { allOf: [{ $ref: '#/components/schemas/All' }], properties: { all: { $ref: '#/components/schemas/All' } } },
    Circle: { $ref: '#/components/schemas/Circle' },
  }
  const spec = asSpec({ openapi: '3.1.0', paths: {}, components: { schemas } })
  const all = String(await drawSchemas(spec, Object.keys(schemas), { id: 'x' }, new Icons()))
  assert.match(all, /The same as <code>A<\/code>/)
  assert.ok(all.length < 20_000, `${all.length}`)
})

test('a nullable schema or one with alternatives still shows its values, rules and fields', async () => {
  const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
  const level = { type: 'string', enum: ['read', 'edit'], description: 'Weakest first.' }
  const size = { type: 'object', properties: { width: { type: 'integer' } } }
  const properties = {
    level: orNull({ $ref: '#/components/schemas/Level' }),
    name: orNull({ type: 'string', maxLength: 10, pattern: '^a' }),
    size: orNull(size),
    font: { oneOf: [{ enum: ['Inter', 'Lato'] }, { const: 'Ubuntu' }, size] },
    parent: orNull({ $ref: '#/components/schemas/Node' }),
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } }
  const schemas = { Level: level, Node: { type: 'object', properties } }
  const markup = await draw('/x', 'get', specWith({ responses: { 200: { content } } }, { components: { schemas } }))
  const field = (name: string) => markup.split(`<dt><code>${name}</code>`)[1]!
  assert.match(
    field('level'),
    /^<span class="type">enum or null<.*?Weakest first\..*?<code>read<\/code><code>edit<\/code>/s,
  )
  assert.match(field('name'), /^<span class="type">string or null<.*?<code>\^a<\/code>.*?At most 10 characters\./s)
  assert.match(field('size'), /<summary>.*?Fields of <code>size<\/code><\/summary>\s*<dl class="props">/s)
  assert.match(
    field('font'),
    /<code>Inter<\/code><code>Lato<\/code><code>Ubuntu<\/code>.*?One of: <code>object<\/code>/s,
  )
  assert.match(
    field('parent'),
    /^<span class="type">Node or null<[^]*?<dd>\s*<div class="vals">The same as <code>Node<\/code>/,
  )
})

test('a body with alternatives has a fold for each of them, in a list like other folds', async () => {
  const either = {
    oneOf: [
      { title: 'Cat', properties: { purrs: {} } },
      { title: 'Dog', properties: { barks: {} } },
    ],
  }
  const content = { 'application/json': { schema: either } }
  const markup = await draw('/x', 'get', specWith({ requestBody: { content } }))
  const [, folds] = /<div class="props others">(.*)<\/div>/s.exec(markup)!
  assert.deepEqual(
    [...folds!.matchAll(/One of: <code>(\w+)<\/code>/g)].map(([, name]) => name),
    ['Cat', 'Dog'],
  )
})

test('samples call the operation in cURL, JavaScript and Python, with all that it needs', async () => {
  const markup = await draw('/pets', 'post')
  const [curl, javaScript, python] = [...markup.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, code]) =>
    text(code!),
  )
  assert.equal(
    curl,
    `curl 'https://eu.pets.example/v1/pets' \\
  --request POST \\
  --header 'Authorization: Bearer YOUR_TOKEN' \\
  --header 'Content-Type: application/json' \\
  --data '{
  "name": "text",
  "tag": "dog",
  "kind": {
    "barks": true
  },
  "attributes": {
    "name": "text"
  }
}'
`,
  )
  assert.match(
    javaScript!,
    /^const response = await fetch\("https:\/\/eu\.pets\.example\/v1\/pets", \{\n {2}method: "POST",/,
  )
  assert.match(javaScript!, /body: JSON\.stringify\(\{\n {4}"name": "text",/)
  assert.match(python!, /^import requests\n\nresponse = requests\.post\(\n {4}"https:\/\/eu/)
  assert.match(python!, /json=\{\n {8}"name": "text",\n {8}"tag": "dog",\n {8}"kind": \{\n {12}"barks": True,/)
  assert.deepEqual(
    [...markup.matchAll(/role="tab"[^>]*>(cURL|JavaScript|Python)</g)].map(([, title]) => title),
    ['cURL', 'JavaScript', 'Python'],
  )
  assert.match(text(await draw('/pets/{petId}', 'delete')), /curl 'https:\/\/eu\.pets\.example\/v1\/pets\/42'/)
  assert.doesNotMatch(await draw('/pets/{petId}', 'delete'), /YOUR_TOKEN/)
})

test('a quote in a value of a specification cannot end a string in a sample', async () => {
  const evil = `it's "over"; rm -rf $(x) \`y\``
  const body = { required: true, content: { 'application/json': { example: { name: evil, nothing: null } } } }
  const markup = text(await draw('/x', 'get', specWith({ requestBody: body })))
  assert.ok(markup.includes(String.raw`it'\''s \"over\"; rm -rf $(x)`))
  assert.ok(markup.includes(`"name": ${JSON.stringify(evil)}`))
  assert.match(markup, /"nothing": None/)
})

test('samples send forms, files and texts in the format of each', async () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, photo: { type: 'string', format: 'binary' } },
  }
  const sent = async (type: string) =>
    text(
      await draw(
        '/x',
        'post',
        asSpec({ paths: { '/x': { post: { requestBody: { content: { [type]: { schema } } } } } } }),
      ),
    )
  assert.match(await sent('application/x-www-form-urlencoded'), /--data-urlencode 'name=text'/)
  assert.match(
    await sent('multipart/form-data'),
    /--form 'photo=@file'.*form\.append\("photo", file\).*"photo": open\("file", "rb"\)/s,
  )
  assert.match(await sent('text/csv'), /--header 'Content-Type: text\/csv'/)
})

test('samples given in the specification replace ours, and samples can be switched off', async () => {
  const own = await draw('/x', 'get', specWith({ 'x-codeSamples': [{ lang: 'Go', source: 'call()' }] }))
  assert.ok(text(own).includes('call()') && !own.includes('curl'))
  assert.doesNotMatch(await draw('/x', 'get', specWith({ 'x-codeSamples': false })), /op-aside/)
})

test('a response shows its given example, or else one made from its schema', async () => {
  const markup = text(await draw('/pets', 'post'))
  assert.ok(markup.includes('{\n  "id": 7,\n  "name": "Rex",\n  "tag": null\n}'))
  assert.ok(text(await draw('/pets', 'get')).includes('"born": "2026-01-31T12:00:00Z"'))
  assert.match(await draw('/pets', 'get'), /aria-label="Response 200"/)
})

test('an operation shows the authorization it needs, and its own overrides that of the specification', async () => {
  assert.match(
    await draw('/pets', 'get'),
    /Authorization <\/h3>.*?<code>Bearer token<\/code>.*?A token of your account/s,
  )
  assert.doesNotMatch(await draw('/pets/{petId}', 'delete'), />Authorization/)
  assert.match(await draw('/pets/{petId}', 'delete'), /data-tone="warning" role="note">.*This operation is deprecated/s)
  const choices = specWith(
    { security: [{}, { key: [], oauth: ['read', 'write'] }] },
    {
      components: {
        securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' }, oauth: { type: 'oauth2', flows: {} } },
      },
    },
  )
  const markup = await draw('/x', 'get', choices)
  assert.match(
    markup,
    /Authorization <small>optional<\/small>.*API key in the query k<\/code> and <code>OAuth 2.*Scopes: <code>read<\/code><code>write/s,
  )
  assert.match(text(markup), /\?k=YOUR_API_KEY' \\\n {2}--header 'Authorization: Bearer YOUR_ACCESS_TOKEN/)
})

test('a webhook shows its payload, and no samples', async () => {
  const markup = await draw('petSold', 'post', shop, true)
  assert.match(markup, /<b>petSold<\/b>.*?Payload <small>JSON/s)
  assert.match(markup, /aria-label="Payload"/)
  assert.doesNotMatch(markup, /curl|Authorization/)
})

test('operations that are hidden in the specification do not exist', () => {
  assert.equal(shop.operation('/secret', 'get'), undefined)
  assert.ok(shop.operation('/health', 'GET'))
})

test('nothing in a specification becomes markup, a script address, or an id of the page', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'<script>'
  const operation = {
    summary: evil,
    description: `${evil}\n\n# Title\n\n[a](javascript:alert(1)) [b](/relative) [c](https://example.com)`,
    deprecated: true,
    parameters: [
      { name: evil, in: 'query', description: evil, schema: { type: evil, format: evil, enum: [evil], default: evil } },
    ],
    requestBody: {
      description: evil,
      content: { [`text/${evil}`]: { schema: { title: evil, pattern: evil }, example: evil } },
    },
    responses: { 200: { description: evil, headers: { [evil]: {} } }, [evil]: {} },
    security: [{ [evil]: [evil] }],
  }
  const spec = asSpec({
    openapi: '3.1.0',
    servers: [{ url: evil }],
    paths: { [`/${evil}/{${evil}}`]: { get: operation } },
  })
  const markup = await draw(`/${evil}/{${evil}}`, 'get', spec)
  const tags = markup.match(/<[a-z][^>]*>/gi) ?? []
  for (const tag of tags) {
    assert.doesNotMatch(tag, /^<(script|style|iframe)|javascript:/i)
    assert.doesNotMatch(tag.replaceAll(/"[^"]*"/g, '""'), /\s(on\w+|src|style)=/i)
    assert.match(tag, /^<[a-z][a-z0-9]*(\s+[a-z-]+(="[^"]*")?)*\s*\/?>$/)
  }
  assert.doesNotMatch(markup, /<h1|id="title"|href="\/relative"/)
  assert.match(markup, /<a href="https:\/\/example\.com"/)
})

test('malformed parts of a specification are ignored without an error', async () => {
  const odd = [null, 7, 'text', [], [[]], true, { $ref: 7 }, { $ref: '#/nowhere' }, { $ref: '#/paths/~1x/get' }]
  for (const value of odd) {
    for (const part of ['parameters', 'requestBody', 'responses', 'security', 'tags', 'x-codeSamples', 'servers']) {
      await draw('/x', 'get', specWith({ [part]: value }, { servers: value, security: value, components: value }))
    }
    const media = {
      'application/json': { schema: { type: 'object', properties: { a: value }, allOf: value, oneOf: [value] } },
    }
    await draw('/x', 'get', specWith({ requestBody: { content: media }, responses: { 200: { content: media } } }))
    await draw(
      '/x',
      'get',
      specWith({ parameters: [value, { name: 'a', in: 'query', schema: value }], responses: { 200: value } }),
    )
  }
})

test('a schema that expands to millions of fields is cut, in little time', async () => {
  const level = (n: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `f${at}`,
        n === 0 ? { type: 'string' } : { $ref: `#/components/schemas/L${n - 1}` },
      ]),
    ),
  })
  const schemas = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`L${n}`, level(n)]))
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/L8' } } }
  const markup = await draw('/x', 'get', specWith({ responses: { 200: { content } } }, { components: { schemas } }))
  assert.ok(markup.includes('12 more fields'))
  assert.ok(markup.length < 2_000_000)
})

test('allOf and oneOf that repeat the same schema many times are not expanded over and over', async () => {
  const many = (n: number, word: string) => ({
    [word]: Array.from({ length: 40 }, () =>
      n === 0 ? { type: 'string' } : { $ref: `#/components/schemas/${word}${n - 1}` },
    ),
  })
  const schemas = Object.fromEntries(
    ['allOf', 'oneOf'].flatMap((word) => Array.from({ length: 9 }, (_, n) => [`${word}${n}`, many(n, word)])),
  )
  for (const name of ['allOf8', 'oneOf8']) {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
    const markup = await draw('/x', 'get', specWith({ responses: { 200: { content } } }, { components: { schemas } }))
    assert.ok(markup.length < 2_000_000)
  }
})

test("labels around a specification are in the site's language, and one specification can be shown in several", async () => {
  const operation = shop.operation('/pets', 'post', false)!
  const said = async (language: string) =>
    String(await drawOperation(shop, operation, { id: 'op1', words: wordsFor(language) }, new Icons()))
  const german = await said('de')
  for (const word of [/Antworten/, /erforderlich/, /1 bis 64 Zeichen\./, /string oder null/, /Zuordnung von string/])
    assert.match(german, word)
  assert.match(await said('en'), /string or null.*1 to 64 characters\./s)
  assert.match(await said('ja'), /レスポンス/)
  const schemas = String(await drawSchemas(shop, ['Dog'], { id: 'op1', words: wordsFor('fr') }, new Icons()))
  assert.match(schemas, /aria-label="Exemple de Dog"/)

  // Texts of ours, not of the specification: none of them may stay English.
  const ours = Object.entries(english).filter(
    ([name, word]) => /^[A-Z]\w+ \w/.test(word) && wordsFor('de')[name as 'body'] !== word,
  )
  for (const language of ['de', 'ru', 'ar']) {
    const markup = await said(language)
    for (const [name, word] of ours) assert.ok(!markup.includes(`>${word}<`), `${language} ${name}`)
  }
})

test('the time to read a server address is linear in its slashes', () => {
  const request = (length: number) => {
    const spec = specWith({}, { servers: [{ url: `https://x.test/a${'/'.repeat(length)}b/` }] })
    return sampleRequest(spec, spec.operation('/x', 'get', false)!)
  }
  assert.equal(request(2).url, 'https://x.test/a//b/x')
  assertLinear(request, 100_000)
})

test('an address in a sample has a limited length, however often it contains a long value', () => {
  const variables = { v: { default: 'y'.repeat(100_000) } }
  const parameters = [{ name: 'p', in: 'path', example: 'z'.repeat(100_000) }]
  const path = `/${'{p}'.repeat(50_000)}`
  const document = {
    servers: [{ url: `https://x.test/${'{v}'.repeat(50_000)}`, variables }],
    paths: { [path]: { get: { parameters } } },
  }
  const spec = specWith({}, document)
  const { url } = sampleRequest(spec, spec.operation(path, 'get', false)!)
  assert.match(url, /^https:\/\/x\.test\/y{200}/)
  assert.ok(url.length < 500_000, `${url.length}`)
})
