import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Icons } from '../../published/icons/icons.ts'
import { asSpec } from '../testing/as-spec.ts'
import { drawOperation } from './operation.ts'
import { roomFor } from './room.ts'
import { Spec } from './spec.ts'
import { writeOperation } from './text.ts'

const content = (type: string, schema: object) => ({ content: { [type]: { schema } } })

async function bothOf(spec: Spec, blocks = 1): Promise<[markup: string, text: string]> {
  const operation = spec.operation('/orders', 'post')!
  const room = roomFor(blocks)
  const markup = await drawOperation(spec, operation, { id: 'op1', room }, new Icons())
  return [String(markup), writeOperation(spec, operation, { room })]
}

test('an operation shows its callbacks: their address, what is sent, and the expected answer', async () => {
  const paid = {
    '{$request.body#/callbackUrl}': {
      post: {
        description: 'Sent once it is paid.',
        requestBody: content('application/json', { type: 'object', properties: { amount: { type: 'integer' } } }),
        responses: { 204: { description: 'It arrived' } },
        // Refers to itself.
        callbacks: { paid: { $ref: '#/components/callbacks/Paid' } },
      },
    },
  }
  const spec = asSpec({
    openapi: '3.1.0',
    info: {},
    paths: { '/orders': { post: { callbacks: { paid: { $ref: '#/components/callbacks/Paid' } }, responses: {} } } },
    components: { callbacks: { Paid: paid } },
  })
  const [markup, text] = await bothOf(spec)
  assert.match(markup, /<h3 class="op-h">Callbacks<\/h3>.*>POST<.*<b>\{\$request\.body#\/callbackUrl\}<\/b>/s)
  assert.match(markup, /Sent once it is paid\..*Payload.*<code>amount<\/code>.*It arrived/s)
  assert.match(text, /\*\*Callbacks\*\*\n\n`POST \{\$request\.body#\/callbackUrl\}`\n\nSent once it is paid\./)
  assert.match(text, /`amount` \(`integer`\)[\s\S]*`204`: It arrived/)
  for (const shown of [markup, text]) assert.equal(shown.split('Sent once it is paid.').length, 2)
  // On a page with very many operations, only the address of a callback is shown.
  for (const shown of await bothOf(spec, 1_000)) {
    assert.ok(shown.includes('{$request.body#/callbackUrl}') && !shown.includes('Sent once it is paid.'), shown)
  }
})

test('an authentication scheme shows where to get tokens', async () => {
  const flows = {
    authorizationCode: {
      authorizationUrl: 'https://id.example/authorize',
      tokenUrl: 'https://id.example/token',
      scopes: { read: 'Read' },
    },
    clientCredentials: { tokenUrl: 'https://id.example/token', scopes: {} },
  }
  const [markup, text] = await bothOf(
    asSpec({
      openapi: '3.1.0',
      info: {},
      security: [{ oauth: ['read'] }, { oidc: [] }],
      paths: { '/orders': { post: { responses: {} } } },
      components: {
        securitySchemes: {
          oauth: { type: 'oauth2', flows },
          oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
        },
      },
    }),
  )
  assert.match(markup, /authorizationUrl: <code>https:\/\/id\.example\/authorize<\/code>/)
  assert.match(markup, /openIdConnectUrl: <code>https:\/\/id\.example\/\.well-known\/openid-configuration<\/code>/)
  assert.equal(markup.split('tokenUrl').length, 2)
  assert.match(text, /`OAuth 2` authorizationUrl: `https:\/\/id\.example\/authorize` tokenUrl: .* `read`/)
})

test('where only XML is accepted, examples and samples are XML', async () => {
  const book = {
    type: 'object',
    xml: { name: 'book', prefix: 'b', namespace: 'https://books.example/ns' },
    properties: {
      id: { type: 'integer', example: 7, xml: { attribute: true } },
      title: { type: 'string', example: 'Tea & <cake>' },
      authors: {
        type: 'array',
        xml: { wrapped: true },
        items: { type: 'string', example: 'Ann', xml: { name: 'author' } },
      },
      tags: { type: 'array', items: { type: 'string', example: 'food' } },
    },
  }
  const written = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<b:book xmlns:b="https://books.example/ns" id="7">',
    '  <title>Tea &amp; &lt;cake&gt;</title>',
    '  <authors>',
    '    <author>Ann</author>',
    '  </authors>',
    '  <tags>food</tags>',
    '</b:book>',
  ].join('\n')
  const xml = content('application/xml', { $ref: '#/components/schemas/Book' })
  const list = content('text/xml', { type: 'array', items: { $ref: '#/components/schemas/Book' } })
  const [, text] = await bothOf(
    asSpec({
      openapi: '3.1.0',
      info: {},
      paths: { '/orders': { post: { requestBody: xml, responses: { 200: { description: 'Made', ...xml } } } } },
      components: { schemas: { Book: book } },
    }),
  )
  assert.ok(text.includes(`\`\`\`xml\n${written}\n\`\`\``), text)
  assert.ok(text.includes('<title>Tea &amp; &lt;cake&gt;</title>'), text)
  const [markup] = await bothOf(
    asSpec({
      openapi: '3.1.0',
      info: {},
      paths: { '/orders': { post: { responses: { 200: { description: 'Made', ...list } } } } },
      components: { schemas: { Book: book } },
    }),
  )
  assert.match(markup.replaceAll(/<[^>]*>/g, ''), /&lt;root&gt;\s+&lt;b:book/)
})
