import { createHmac } from 'node:crypto'

/**
 * Proves to a receiver who knows the secret that a body was sent from here, and when: `t=<unix seconds>,v1=<hex>`,
 * where v1 is HMAC-SHA256 of `<t>.<body>`. With several secrets there are several v1 values, and one match is enough.
 */
export function sign(secrets: readonly string[], body: string, now = Date.now()): string {
  const seconds = Math.floor(now / 1000)
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',')
}
