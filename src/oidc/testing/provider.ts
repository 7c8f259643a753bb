import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, after, mock } from 'node:test'
import Provider from 'oidc-provider'
import type { Browser } from '../../saml/testing/browser.ts'

export const client = { id: 'lectern', secret: 'a secret that both sides know' }

export interface Claims {
  email?: string
  email_verified?: boolean
  name?: string
}

/** A local identity provider that signs in everybody, with their claims from `people`. */
export async function aProvider(
  callback: string,
  people: Record<string, Claims>,
  { isAsked = false, decodesSecrets = true } = {},
) {
  const server = createServer()
  const issuer = await listen(server)
  const provider = quietly(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Most providers include all claims in the token; others have to be asked for them.
    conformIdTokenClaims: isAsked,
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people[id] }) }),
    jwks: { keys: [aKey().private] },
    cookies: { keys: ['a key for cookies'] },
  })
  const answer = provider.callback()
  const wrong = { keys: false, algorithms: false }
  server.on('request', (request, response) => {
    // Simulates a provider that does not decode the header before it compares the secret, and so rejects secrets with
    // special characters.
    if (!decodesSecrets && request.headers.authorization?.startsWith('Basic ')) {
      return void response
        .writeHead(401, { 'www-authenticate': 'Basic', 'content-type': 'application/json' })
        .end('{"error":"invalid_client"}')
    }
    // The metadata does not match the behaviour.
    if (wrong.algorithms && request.url!.startsWith('/.well-known/')) {
      const at = {
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      }
      const said = { issuer, ...at, id_token_signing_alg_values_supported: ['ES256'] }
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(said))
    }
    if (!wrong.keys || request.url !== '/jwks') return void answer(request, response)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [aKey().public] }))
  })
  return { issuer, wrong }
}

function aKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const named = { use: 'sig', alg: 'RS256', kid: 'one' }
  return {
    private: { ...privateKey.export({ format: 'jwk' }), ...named },
    public: { ...publicKey.export({ format: 'jwk' }), ...named },
  }
}

/** Suppresses warnings about settings that are unsuitable for production. */
function quietly(...parts: ConstructorParameters<typeof Provider>): Provider {
  const warn = mock.method(console, 'warn', () => {})
  try {
    return new Provider(...parts)
  } finally {
    warn.mock.restore()
  }
}

/**
 * Simulates the responses of Microsoft for a client that is open to all tenants: the metadata contains an issuer with a
 * placeholder, while tokens contain the issuer of one tenant. No request leaves this machine. `token` contains the
 * claims of the next token in addition to `claims`.
 */
export async function manyTenants(t: TestContext, claims: object) {
  const origin = 'https://login.microsoftonline.com'
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const tenants = { token: {}, issuerOf: (tid: string) => `${origin}/${tid}/v2.0` }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = () => {
    const now = Math.floor(Date.now() / 1000)
    const text = `${part({ alg: 'RS256', kid: 'one' })}.${part({ sub: 'x', iat: now, exp: now + 60, ...claims, ...tenants.token })}`
    return `${text}.${createSign('sha256').update(text).sign(privateKey, 'base64url')}`
  }
  const at = { authorization_endpoint: `${origin}/auth`, token_endpoint: `${origin}/token`, jwks_uri: `${origin}/keys` }
  const answers: Record<string, () => object> = {
    '/organizations/v2.0/.well-known/openid-configuration': () => ({ issuer: tenants.issuerOf('{tenantid}'), ...at }),
    '/token': () => ({ access_token: 'x', token_type: 'Bearer', id_token: signed() }),
    '/keys': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] }),
  }
  const real = globalThis.fetch
  t.mock.method(globalThis, 'fetch', async (...[address, options]: Parameters<typeof fetch>) => {
    const url = new URL(address instanceof Request ? address.url : address)
    return url.origin === origin ? Response.json(answers[url.pathname]!()) : real(address, options)
  })
  return tenants
}

/** A server with these responses. Returns its address. */
export const aServer = (answer: (response: ServerResponse, path: string) => void) =>
  listen(createServer((request, response) => answer(response, request.url!)))

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Does what a user does at the provider: signs in and consents. Returns the address that they are sent back to. */
export async function showWhoYouAre(browser: Browser, address: string, login: string, back: string): Promise<string> {
  let at = address
  for (let steps = 0; steps < 12; steps++) {
    const seen = await browser.get(at)
    if (seen.status >= 300 && seen.status < 400) {
      at = new URL(seen.location, at).href
      if (at.startsWith(back)) return at
      continue
    }
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(seen.text) ?? []
    if (action === '') throw new Error(`no form: ${seen.status} ${seen.text}`)
    const prompt = seen.text.includes('name="login"') ? 'login' : 'consent'
    const sent = await browser.send(new URL(action, at).href, { prompt, login, password: 'any' })
    at = new URL(sent.location, at).href
  }
  throw new Error('the provider never sent them back')
}
