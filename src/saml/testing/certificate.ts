import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface KeyWithCertificate {
  key: string
  certificate: string
}

/** A key and a certificate that it signs itself, as identity providers have them: made anew, and kept nowhere. */
export function makeCertificate(
  options: { bits?: number; from?: Date; until?: Date; type?: 'rsa' | 'ec' } = {},
): KeyWithCertificate {
  const { bits = 2048, from = daysFromNow(-1), until = daysFromNow(365), type = 'rsa' } = options
  const { privateKey, publicKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const certificate = selfSigned(privateKey, publicKey, { from, until, type })
  const lines = certificate.toString('base64').match(/.{1,64}/g)!
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n'),
  }
}

export const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)

function selfSigned(
  key: KeyObject,
  publicKey: KeyObject,
  { from, until, type }: { from: Date; until: Date; type: 'rsa' | 'ec' },
): Buffer {
  // sha256WithRSAEncryption, or ecdsa-with-SHA256.
  const algorithm =
    type === 'rsa' ? der(0x30, objectId('2a864886f70d01010b'), der(0x05)) : der(0x30, objectId('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, objectId('550403'), der(0x0c, Buffer.from('Tests')))))
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(0x30, time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, key)
  return der(0x30, content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
}

const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`))

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
