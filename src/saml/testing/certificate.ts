import { generateKeyPairSync } from 'node:crypto'
import { selfSigned } from '../keys/self-signed.ts'

export interface KeyWithCertificate {
  key: string
  certificate: string
}

/**
 * Creates a key and a self-signed certificate, as identity providers have them. They are new each time and stored
 * nowhere.
 */
export function makeCertificate(
  options: { bits?: number; from?: Date; until?: Date; type?: 'rsa' | 'ec' } = {},
): KeyWithCertificate {
  const { bits = 2048, from = daysFromNow(-1), until = daysFromNow(365), type = 'rsa' } = options
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  // A kind of key that is not accepted, whoever signed the certificate.
  const certified = type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey : publicKey
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: selfSigned({ privateKey, publicKey: certified }, { name: 'Tests', from, until }),
  }
}

export const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)
