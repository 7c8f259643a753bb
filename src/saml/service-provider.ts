import type * as NodeSaml from '@node-saml/node-saml'
import { packageOnFirstUse } from '../on-first-use.ts'
import { serviceOf } from './addresses.ts'
import { type Asserted, readAssertion, skewMs } from './answers/assertion.ts'
import { pemsOf } from './keys/certificate.ts'
import { isEncrypted } from './answers/decryption.ts'
import type { ReadyProvider } from './queries.ts'
import { LoginRefused, type Reason } from './login/refusal.ts'
import { decodeResponse, destinationOf, hasSignedAssertion, readResponseText } from './answers/response-text.ts'

// XML parsers and signatures are loaded only if single sign-on is used.
const library = packageOnFirstUse<typeof NodeSaml>('@node-saml/node-saml')

/** What identifies a login to the provider. */
export interface Request {
  id: string
  relayState: string
}

/** Returns where to send a browser that wants to sign in. With a key, the request is signed. */
export async function requestUrl(
  provider: ReadyProvider,
  url: string,
  request: Request,
  privateKey?: string,
): Promise<string> {
  return samlOf(provider, url, request.id, privateKey).getAuthorizeUrlAsync(request.relayState, undefined, {})
}

/**
 * Returns who signed in, from a response that the provider signed for this very request, and may have encrypted for one
 * of the keys.
 */
export async function verifyResponse(
  provider: ReadyProvider,
  url: string,
  requestId: string,
  base64: string,
  privateKeys: string[],
): Promise<{ asserted: Asserted; id: string; expiresAt: Date }> {
  const sent = decodeResponse(base64)
  const { entityID: audience, acsURL: recipient } = serviceOf(url, provider)
  if ((destinationOf(sent) ?? recipient) !== recipient) throw new LoginRefused('recipient')
  const saml = samlOf(provider, url, requestId)
  const signed = await readSigned(saml, sent, privateKeys).catch((error: unknown) => {
    throw isEncrypted(sent) && privateKeys.length > 0 ? tellingNothing(error) : error
  })
  return readAssertion(signed, { issuer: provider.entity_id, audience, recipient, requestId })
}

/** Returns the assertion as the library reads it, with its signature verified. */
async function readSigned(saml: NodeSaml.SAML, sent: string, privateKeys: string[]): Promise<unknown> {
  // If the assertion was decrypted, a signature around it is broken. It proves nothing beyond the one inside.
  const xml = readResponseText(sent, privateKeys)
  const SAMLResponse = Buffer.from(xml).toString('base64')
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown) => {
    const reason = reasonOf(error)
    throw new LoginRefused(reason === 'signature' && !hasSignedAssertion(xml) ? 'unsigned' : reason, { cause: error })
  })
  return profile?.getAssertion?.()
}

/**
 * An attacker with a response that was encrypted for someone else could change a byte, see what is wrong then, and read
 * the response bit by bit. So all failures look alike, and only the record contains the reason.
 */
const tellingNothing = (error: unknown) =>
  error instanceof LoginRefused && error.reason !== 'weak-encryption'
    ? new LoginRefused(error.reason, { cause: error, toldAs: 'decryption' })
    : error

function samlOf(provider: ReadyProvider, url: string, requestId: string, privateKey?: string): NodeSaml.SAML {
  const { SAML, ValidateInResponseTo } = library()
  const { entityID, acsURL } = serviceOf(url, provider)
  const startedAt = new Date().toISOString()
  return new SAML({
    issuer: entityID,
    audience: entityID,
    callbackUrl: acsURL,
    entryPoint: provider.sso_url,
    ...(privateKey !== undefined && { privateKey, signatureAlgorithm: 'sha256' as const }),
    idpCert: pemsOf(provider.certificate),
    // Only the assertion is trusted. Whether its envelope is signed as well differs between providers.
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    // How people authenticate, and in which format they are named, is up to the provider.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    generateUniqueId: () => requestId,
    // The login has already been identified, so there is only one request that the response may name.
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? startedAt : null),
      removeAsync: async () => null,
    },
  })
}

/** The library gives its reasons only as text. */
function reasonOf(error: unknown): Reason {
  if (error instanceof LoginRefused) return error.reason
  if (error instanceof library().SamlStatusError) return 'not-successful'
  const message = error instanceof Error ? error.message : ''
  if (/InResponseTo/i.test(message)) return 'request'
  if (/audience/i.test(message)) return 'audience'
  if (/expired|not yet valid|subject confirmation/i.test(message)) return 'time'
  return /signature|signed/i.test(message) ? 'signature' : 'malformed'
}
