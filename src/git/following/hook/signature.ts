import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { sameSecret } from '../../../secrets.ts'

/** A call as it was received. The body is kept byte for byte, since that is what was signed. */
export interface Call {
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * Whether the caller knows the secret. GitHub, Gitea and Forgejo sign the body in one header. Bitbucket does so in
 * another, whose name GitHub uses for a weaker signature. GitLab sends the secret itself.
 */
export function isSigned(secret: string, { headers, body }: Call): boolean {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const { 'x-hub-signature-256': signed, 'x-hub-signature': alsoSigned, 'x-gitlab-token': token } = headers
  const fits = [sameSecret(signed, signature), sameSecret(alsoSigned, signature), sameSecret(token, secret)]
  return fits.includes(true)
}
