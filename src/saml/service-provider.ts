import type * as NodeSaml from '@node-saml/node-saml'
import { packageOnFirstUse } from '../on-first-use.ts'
import { serviceOf } from './addresses.ts'
import { type Asserted, readAssertion, skewMs } from './answers/assertion.ts'
import { pemsOf } from './keys/certificate.ts'
import { isEncrypted } from './answers/decryption.ts'
import type { ReadyProvider } from './queries.ts'
import { LoginRefused, type Reason } from './login/refusal.ts'
import { decodeResponse, destinationOf, hasSignedAssertion, readResponseText } from './answers/response-text.ts'

// Parsers and signatures of XML: only who has single sign-on pays for them.
const library = packageOnFirstUse<typeof NodeSaml>('@node-saml/node-saml')

/** How a login is known to the provider. */
export interface Request {
  id: string
  relayState: string
}

/** Where to send a browser that wants to sign in. With a key, the request is signed. */
export async function requestUrl(
  provider: ReadyProvider,
  url: string,
  request: Request,
  privateKey?: string,
): Promise<string> {
  return samlOf(provider, url, request.id, privateKey).getAuthorizeUrlAsync(request.relayState, undefined, {})
}

/** Who signed in, by an answer that the provider has signed for this very request, and perhaps encrypted for one of the keys. */
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

/** The assertion as the library reads it, with its signature verified. */
async function readSigned(saml: NodeSaml.SAML, sent: string, privateKeys: string[]): Promise<unknown> {
  // A signature around it is broken where the assertion was decrypted. It proves nothing that the one inside does not.
  const xml = readResponseText(sent, privateKeys)
  const SAMLResponse = Buffer.from(xml).toString('base64')
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse }).catch((error: unknown) => {
    const reason = reasonOf(error)
    throw new LoginRefused(reason === 'signature' && !hasSignedAssertion(xml) ? 'unsigned' : reason, { cause: error })
  })
  return profile?.getAssertion?.()
}

/**
 * Whoever has an answer that was encrypted for somebody else, changes a byte and sees what is wrong now could read it bit
 * by bit. So whatever it is looks alike, and the record alone has the reason.
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
    // The assertion is what is believed. Whether its envelope is signed as well differs from provider to provider.
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    // How people prove who they are, and what they are called, is up to the provider.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    generateUniqueId: () => requestId,
    // Which login this is was found out before: there is one request that the answer may name.
    validateInResponseTo: ValidateInResponseTo.always,
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? startedAt : null),
      removeAsync: async () => null,
    },
  })
}

/** The library tells its reasons in words alone. */
function reasonOf(error: unknown): Reason {
  if (error instanceof LoginRefused) return error.reason
  if (error instanceof library().SamlStatusError) return 'not-successful'
  const message = error instanceof Error ? error.message : ''
  if (/InResponseTo/i.test(message)) return 'request'
  if (/audience/i.test(message)) return 'audience'
  if (/expired|not yet valid|subject confirmation/i.test(message)) return 'time'
  return /signature|signed/i.test(message) ? 'signature' : 'malformed'
}
