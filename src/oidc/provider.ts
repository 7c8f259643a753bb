import type { ClientAuth, Configuration } from 'openid-client'
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
  #known: { at: number; client: Promise<Configuration> } | undefined

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
    return buildAuthorizationUrl(await this.#client(), parameters).href
  }

  /** Who came back, with the query that the provider sent along. */
  async vouch(query: string, { state, nonce, verifier }: Checks): Promise<Vouched> {
    const { authorizationCodeGrant } = await import('openid-client')
    const client = await this.#client()
    const tokens = await authorizationCodeGrant(client, new URL(this.#callback() + query), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    }).catch(asRefusal)
    const claims = tokens.claims()!
    const isSaid = claims.email !== undefined || client.serverMetadata().userinfo_endpoint === undefined
    return this.#personIn(isSaid ? claims : await ask(client, tokens.access_token, claims.sub))
  }

  #personIn({ email, email_verified: isVerified, name }: Said): Vouched {
    if (typeof email !== 'string' || !isEmail(email)) throw new LoginRefused('no-address')
    // Some send the word instead of the value.
    const isProved = isVerified === true || isVerified === 'true'
    if (!isProved && !this.#config.trustsEveryAddress) throw new LoginRefused('unproved-address')
    return { email, name: typeof name === 'string' ? nameFrom(name) : undefined }
  }

  async #client(): Promise<Configuration> {
    if (!this.#known || Date.now() - this.#known.at > knownMs) {
      this.#known = { at: Date.now(), client: this.#discover() }
    }
    try {
      return await this.#known.client
    } catch (error) {
      this.#known = undefined
      throw new LoginRefused('unavailable', { cause: error })
    }
  }

  async #discover(): Promise<Configuration> {
    const { allowInsecureRequests, buildAuthorizationUrl, discovery, enableNonRepudiationChecks } =
      await import('openid-client')
    const { issuer, clientId } = this.#config
    const isPlain = issuer.startsWith('http:')
    const client = await discovery(new URL(issuer), clientId, undefined, await this.#authentication(), {
      timeout: answerSeconds,
      // Signatures are checked although the token comes from the provider itself.
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    })
    // Throws where it names no place to go to, or one that is not safe: then nothing of it is kept.
    buildAuthorizationUrl(client, {})
    return client
  }

  /** In the header, as it is meant to be where nothing is said; in the body for those who take it nowhere else. */
  async #authentication(): Promise<ClientAuth> {
    const { ClientSecretBasic, ClientSecretPost, None } = await import('openid-client')
    const { clientSecret } = this.#config
    if (clientSecret === undefined) return None()
    const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
    return (server, ...request) => {
      const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...request)
    }
  }
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
  const { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } =
    await import('openid-client')
  if (error instanceof AuthorizationResponseError) return 'not-let-in'
  if (error instanceof WWWAuthenticateChallengeError) return 'unknown-client'
  if (error instanceof ResponseBodyError && error.error.endsWith('_client')) return 'unknown-client'
  const isAway = error instanceof TypeError && error.message === 'fetch failed'
  const isTimeout = error instanceof ClientError && error.code === 'OAUTH_TIMEOUT'
  return isAway || isTimeout ? 'unavailable' : 'wrong-answer'
}
