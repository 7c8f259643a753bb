import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import { nameFrom } from '../account/name.ts'
import type { OidcConfig } from '../config.ts'
import { isEmail } from '../http/formats.ts'
import { LoginRefused, type Reason } from './refusal.ts'

/** What stands between leaving for the provider and coming back, and must be the same at both ends. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
}

/** What a provider says of somebody, whatever it is. */
type Said = Readonly<Record<string, unknown>>

/** Somebody, as the provider knows them. */
export interface Vouched {
  email: string
  name: string | undefined
}

const answerSeconds = 10
const knownMs = 3_600_000

/** The identity provider of this installation. Whatever it says about itself is asked for when somebody first comes. */
export class Provider {
  readonly #config: OidcConfig
  readonly #callback: () => string
  #known: { at: number; clients: Promise<Configuration[]> } | undefined

  /** `callback` answers the address that people come back to, which is known once the server listens. */
  constructor(config: OidcConfig, callback: () => string) {
    this.#config = config
    this.#callback = callback
  }

  /** Where people go to show who they are. */
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

  /** Who came back, with the query that the provider sent along. */
  async vouch(query: string, checks: Checks): Promise<Vouched> {
    const clients = await this.#clients()
    const [client] = clients
    const tokens = await redeem(clients, new URL(this.#callback() + query), checks).catch((error: unknown) => {
      // It may have changed how it signs since it was asked: whoever tries again is not to wait until it is next.
      if (error instanceof LoginRefused && error.reason === 'wrong-answer') this.#known = undefined
      throw error
    })
    const claims = tokens.claims()!
    const isSaid = claims.email !== undefined || client!.serverMetadata().userinfo_endpoint === undefined
    return this.#personIn(isSaid ? claims : await ask(client!, tokens.access_token, claims.sub))
  }

  #personIn({ email, email_verified: isVerified, name }: Said): Vouched {
    if (typeof email !== 'string' || !isEmail(email)) throw new LoginRefused('no-address')
    // Some send the word instead of the value.
    const isProved = isVerified === true || isVerified === 'true'
    if (!isProved && !this.#config.trustsEveryAddress) throw new LoginRefused('unproved-address')
    return { email, name: typeof name === 'string' ? nameFrom(name) : undefined }
  }

  /** As what we come to it: one for each way to show our secret, in the order in which they are tried. */
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
    // Throws where it names no place to go to, or one that is not safe: then nothing of it is kept.
    buildAuthorizationUrl(found, {})
    const { clientSecret } = this.#config
    const ways = clientSecret === undefined ? [None()] : await waysToShow(clientSecret, found.serverMetadata())
    // Each asks for itself: the library knows more of some providers than it tells, such as whose name stands in a token.
    return Promise.all(ways.map((way) => this.#discoverAs(issuer, way)))
  }

  /** Some call themselves with a slash at the end, which is left out as easily as it is added: either is the same one. */
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
      // Signatures are checked although the token comes from the provider itself.
      execute: [enableNonRepudiationChecks, ...(this.#isPlain ? [allowInsecureRequests] : [])],
    })
  }

  get #isPlain(): boolean {
    return this.#config.issuer.startsWith('http:')
  }
}

/**
 * In the header, as it is meant to be where nothing is said, then in the body. Some take it nowhere else; others do not
 * decode what stands in the header, and know no secret with a sign like `-` in it.
 */
async function waysToShow(secret: string, server: ServerMetadata): Promise<ClientAuth[]> {
  const { ClientSecretBasic, ClientSecretPost } = await import('openid-client')
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
  const isInHeader = methods.includes('client_secret_basic')
  const isInBody = methods.includes('client_secret_post') || !isInHeader
  return [...(isInHeader ? [ClientSecretBasic(secret)] : []), ...(isInBody ? [ClientSecretPost(secret)] : [])]
}

/** What the code is worth. A provider that does not know us has not looked at it, so it is good for another try. */
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

/** Some say no more than an id in the token itself. */
async function ask(client: Configuration, accessToken: string, id: string): Promise<Said> {
  const { fetchUserInfo } = await import('openid-client')
  return fetchUserInfo(client, accessToken, id).catch(asRefusal)
}

/** Whatever is wrong with an answer, the person can only begin again; the log tells what it was. */
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

/** Not reached, too slow, or out of order itself: whoever comes later may find it. */
function isAway(error: unknown): boolean {
  const { message, cause } = error as Error
  if (error instanceof TypeError && message === 'fetch failed') return true
  return hasCode(error, 'OAUTH_TIMEOUT') || (cause instanceof Response && cause.status >= 500)
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code
