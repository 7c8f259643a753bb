import assert from 'node:assert/strict'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { inSeconds, signToken } from '../../../test/visitor.ts'
import { readVisitorToken } from './visitor-token.ts'

const key = 'the key of one site, long enough to sign with'
const read = (token: string) => readVisitorToken(token, key)
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a visitor token signed by the site brings its claims until it expires', () => {
  const exp = inSeconds(60)
  assert.deepEqual(read(signToken(key, { plan: 'pro', exp })), { claims: { plan: 'pro', exp }, expires: exp })
  assert.ok(read(signToken(key, { exp }, { alg: 'HS256' })))
  // Clocks differ a little.
  assert.ok(read(signToken(key, { exp: inSeconds(-20), iat: inSeconds(20), nbf: inSeconds(20) })))
})

test('a visitor token that is not signed with the key of the site in the right way is refused', () => {
  const claims = { admin: true, exp: inSeconds(60) }
  const [header, payload, signature] = signToken(key, claims).split('.') as [string, string, string]
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rsaText = `${part({ alg: 'RS256' })}.${payload}`
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const forged = {
    'signed with another key': signToken('the key of another site, long enough too', claims),
    'signed with an empty key': signToken('', claims),
    'other claims under the same signature': `${header}.${part({ ...claims, plan: 'pro' })}.${signature}`,
    'another header under the same signature': `${part({ alg: 'HS256', kid: 'x' })}.${payload}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'no signature at all': `${header}.${payload}`,
    'alg none': `${part({ alg: 'none' })}.${payload}.`,
    'alg none with a signature': signToken(key, claims, { alg: 'none' }),
    'alg None, signed': signToken(key, claims, { alg: 'None' }),
    'no alg': signToken(key, claims, { typ: 'JWT' }),
    'another hash': `${part({ alg: 'HS512' })}.${payload}.${createHmac('sha512', key)
      .update(`${part({ alg: 'HS512' })}.${payload}`)
      .digest('base64url')}`,
    'HS512 that is HS256': signToken(key, claims, { alg: 'HS512' }),
    'RS256 with a key of its own': `${rsaText}.${createSign('sha256').update(rsaText).sign(privateKey, 'base64url')}`,
    'a public key as the secret': signToken(publicPem, claims),
    'a key in the header': signToken('k', claims, {
      alg: 'HS256',
      jwk: { kty: 'oct', k: Buffer.from('k').toString('base64url') },
    }),
    'an extension that must be understood': signToken(key, claims, { alg: 'HS256', crit: ['b64'], b64: false }),
    'another type': signToken(key, claims, { alg: 'HS256', typ: 'at+jwt' }),
    'a signature with rubbish behind it': `${header}.${payload}.${signature}A`,
    'a signature in another spelling': `${header}.${payload}.${signature}=`,
    'a signature that is cut off': `${header}.${payload}.${signature.slice(0, -2)}`,
    'four parts': `${header}.${payload}.${signature}.x`,
    'five parts': 'a.b.c.d.e',
    nothing: '',
    dots: '..',
    'not JSON': `${Buffer.from('no').toString('base64url')}.${payload}.${signature}`,
  }
  for (const [what, token] of Object.entries(forged)) assert.equal(read(token), undefined, what)
})

test('a visitor token that has expired, never expires or is not valid yet is refused', () => {
  const wrong = {
    'ended a minute ago': { exp: inSeconds(-60) },
    'never ends': {},
    'ends at no number': { exp: String(inSeconds(60)) },
    'ends at null': { exp: null },
    'ends in infinity': { exp: Number.MAX_VALUE * 2 },
    'not before later': { exp: inSeconds(600), nbf: inSeconds(120) },
    'made later': { exp: inSeconds(600), iat: inSeconds(120) },
    'made at no time': { exp: inSeconds(600), iat: 'now' },
  }
  for (const [what, claims] of Object.entries(wrong)) assert.equal(read(signToken(key, claims)), undefined, what)
  assert.equal(read(signToken(key, [] as object)), undefined, 'no object')
  assert.equal(read(signToken(key, { exp: inSeconds(60), much: 'x'.repeat(4000) })), undefined, 'too long for a cookie')
})
