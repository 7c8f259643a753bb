declare module 'samlp' {
  import type { IncomingMessage } from 'node:http'

  export interface Options {
    issuer: string
    cert: string
    key: string
    audience?: string
    recipient?: string
    destination?: string
    inResponseTo?: string
    lifetimeInSeconds?: number
    signAssertion?: boolean
    signResponse?: boolean
    signatureAlgorithm: string
    digestAlgorithm: string
    encryptionCert?: string
    encryptionPublicKey?: string | Buffer
    encryptionAlgorithm?: string
    disallowEncryptionWithInsecureAlgorithm?: boolean
    warnOnInsecureEncryptionAlgorithm?: boolean
    samlStatusCode?: string
    nameIdentifierFormat?: string
    nameIdentifierProbes?: string[]
  }

  export interface SamlpUser {
    id: string
    displayName: string | undefined
    emails: { value: string | undefined }[]
    name: { givenName?: string; familyName?: string }
  }

  export interface ParsedRequest {
    id: string
    issuer: string
    assertionConsumerServiceURL: string
    destination: string
  }

  interface Exports {
    parseRequest(
      request: Pick<IncomingMessage, 'method'> & { query: Record<string, string> },
      callback: (error: Error | null, request: ParsedRequest) => void,
    ): void
    getSamlResponse(options: Options, user: SamlpUser, callback: (error: Error | null, xml: string) => void): void
  }

  const samlp: Exports
  export default samlp
}
