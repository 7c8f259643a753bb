import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import { nameFrom } from '../account/name.ts'
import type { OidcConfig } from '../config.ts'
import { isEmail } from '../http/formats.ts'
import { LoginRefused, type Reason } from './refusal.ts'

/** The values that link the redirect to the provider with the callback. They must be the same on both sides. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
}

/** The claims of a provider about a person, which may be anything. */
type Said = Readonly<Record<string, unknown>>

/** A person as described by the provider. */
export interface Vouched {
  email: string
  name: string | undefined
}

const answerSeconds = 10
const knownMs = 3_600_000

/** The identity provider of this installation. Its metadata is loaded when the first person signs in. */
export class Provider {
  readonly #config: OidcConfig
  readonly #callback: () => string
  #known: { at: number; clients: Promise<Configuration[]> } | undefined

  /** `callback` returns the address that people are sent back to, which is known once the server listens. */
  constructor(config: OidcConfig, callback: () => string) {
    this.#config = config
    this.#callback = callback
  }

  /** Returns the address where people sign in with the provider. */
  async startAddress({ state, nonce, verifier }: Checks): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
    const parameters = {
      redirect_uri: this.#callback(),
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const [client] = await this.#clients()
    return buildAuthorizationUrl(client!, parameters).href
  }

  /** Returns the person who came back, given the query that the provider sent. */
  async vouch(query: string, checks: Checks): Promise<Vouched> {
    const clients = await this.#clients()
    const [client] = clients
    const tokens = await redeem(clients, new URL(this.#callback() + query), checks).catch((error: unknown) => {
      // The provider may have changed how it signs since its metadata was loaded. The next attempt loads it again,
      // instead of waiting until it expires.
      if (error instanceof LoginRefused && error.reason === 'wrong-answer') this.#known = undefined
      throw error
    })
    const claims = tokens.claims()!
    const isSaid = claims.email !== undefined || client!.serverMetadata().userinfo_endpoint === undefined
    return this.#personIn(isSaid ? claims : await ask(client!, tokens.access_token, claims.sub))
  }

  #personIn({ email, email_verified: isVerified, name }: Said): Vouched {
    if (typeof email !== 'string' || !isEmail(email)) throw new LoginRefused('no-address')
    // Some providers send a string instead of a boolean.
    const isProved = isVerified === true || isVerified === 'true'
    if (!isProved && !this.#config.trustsEveryAddress) throw new LoginRefused('unproved-address')
    return { email, name: typeof name === 'string' ? nameFrom(name) : undefined }
  }

  /**
   * Returns the clients as which we talk to the provider: one for each way to authenticate with our secret, in the
   * order in which they are tried.
   */
  async #clients(): Promise<Configuration[]> {
    if (!this.#known || Date.now() - this.#known.at > knownMs) {
      this.#known = { at: Date.now(), clients: this.#discover() }
    }
    try {
      return await this.#known.clients
    } catch (error) {
      this.#known = undefined
      throw new LoginRefused(isAway(error) ? 'unavailable' : 'wrong-address', { cause: error })
    }
  }

  async #discover(): Promise<Configuration[]> {
    const { None, buildAuthorizationUrl } = await import('openid-client')
    const { found, issuer } = await this.#discoverUnderEitherName()
    // Throws if the metadata contains no authorization endpoint, or an unsafe one. Then none of it is cached.
    buildAuthorizationUrl(found, {})
    const { clientSecret } = this.#config
    const ways = clientSecret === undefined ? [None()] : await waysToShow(clientSecret, found.serverMetadata())
    // Each client runs its own discovery: for some providers the library keeps internal knowledge that cannot be
    // copied, such as which issuer a token names.
    return Promise.all(ways.map((way) => this.#discoverAs(issuer, way)))
  }

  /**
   * Some providers have an issuer with a slash at the end, which is easily left out or added. Either form is accepted
   * as the same issuer.
   */
  async #discoverUnderEitherName(): Promise<{ found: Configuration; issuer: string }> {
    const { None } = await import('openid-client')
    const { issuer } = this.#config
    const other = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`
    const as = async (name: string) => ({ found: await this.#discoverAs(name, None()), issuer: name })
    return as(issuer).catch((error: unknown) => {
      if (!hasCode(error, 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) throw error
      return as(other)
    })
  }

  async #discoverAs(issuer: string, way: ClientAuth): Promise<Configuration> {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
    return discovery(new URL(issuer), this.#config.clientId, undefined, way, {
      timeout: answerSeconds,
      // Checks signatures, although the token comes directly from the provider.
      execute: [enableNonRepudiationChecks, ...(this.#isPlain ? [allowInsecureRequests] : [])],
    })
  }

  get #isPlain(): boolean {
    return this.#config.issuer.startsWith('http:')
  }
}

/**
 * Returns the ways to send the secret: first in the header, which is the default, then in the body. Some providers
 * accept only the header. Others do not decode the header, and so reject a secret that contains a character like `-`.
 */
async function waysToShow(secret: string, server: ServerMetadata): Promise<ClientAuth[]> {
  const { ClientSecretBasic, ClientSecretPost } = await import('openid-client')
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
  const isInHeader = methods.includes('client_secret_basic')
  const isInBody = methods.includes('client_secret_post') || !isInHeader
  return [...(isInHeader ? [ClientSecretBasic(secret)] : []), ...(isInBody ? [ClientSecretPost(secret)] : [])]
}

/**
 * Exchanges the code for tokens. A provider that rejects our client has not used up the code, so it can be tried again
 * in another way.
 */
async function redeem([client, ...others]: Configuration[], back: URL, checks: Checks) {
  const { authorizationCodeGrant } = await import('openid-client')
  const { state, nonce, verifier } = checks
  return authorizationCodeGrant(client!, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  }).catch(async (error: unknown): ReturnType<typeof authorizationCodeGrant> => {
    const isUnknown = (await reasonFor(error)) === 'unknown-client'
    return isUnknown && others.length > 0 ? redeem(others, back, checks) : asRefusal(error)
  })
}

/** Asks for the claims separately, because some providers put only an id into the token. */
async function ask(client: Configuration, accessToken: string, id: string): Promise<Said> {
  const { fetchUserInfo } = await import('openid-client')
  return fetchUserInfo(client, accessToken, id).catch(asRefusal)
}

/** Whatever is wrong with a response, the user can only start again. The log contains the cause. */
async function asRefusal(error: unknown): Promise<never> {
  throw new LoginRefused(await reasonFor(error), { cause: error })
}

async function reasonFor(error: unknown): Promise<Reason> {
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client')
  if (error instanceof AuthorizationResponseError) return 'not-let-in'
  if (error instanceof WWWAuthenticateChallengeError) return 'unknown-client'
  if (error instanceof ResponseBodyError && error.error.endsWith('_client')) return 'unknown-client'
  return isAway(error) ? 'unavailable' : 'wrong-answer'
}

/** Whether the provider was unreachable, too slow, or failing itself, so that a later attempt may succeed. */
function isAway(error: unknown): boolean {
  const { message, cause } = error as Error
  if (error instanceof TypeError && message === 'fetch failed') return true
  return hasCode(error, 'OAUTH_TIMEOUT') || (cause instanceof Response && cause.status >= 500)
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code
