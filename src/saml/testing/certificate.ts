import { generateKeyPairSync } from 'node:crypto'
import { selfSigned } from '../keys/self-signed.ts'

export interface KeyWithCertificate {
  key: string
  certificate: string
}

/** A key and a certificate that it signs itself, as identity providers have them: made anew, and kept nowhere. */
export function makeCertificate(
  options: { bits?: number; from?: Date; until?: Date; type?: 'rsa' | 'ec' } = {},
): KeyWithCertificate {
  const { bits = 2048, from = daysFromNow(-1), until = daysFromNow(365), type = 'rsa' } = options
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  // Of a kind that is not taken, whoever signed it.
  const certified = type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey : publicKey
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: selfSigned({ privateKey, publicKey: certified }, { name: 'Tests', from, until }),
  }
}

export const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)
