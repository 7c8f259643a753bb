import { type KeyObject, generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** A private key and the certificate by which others know it, both as PEM. */
export interface KeyPair {
  privateKey: string
  certificate: string
  expiresAt: Date
}

const bits = 3072
const years = 10

let before: Promise<unknown> = Promise.resolve()

/**
 * Creates a key pair of ours. It takes a second or more, so never within a transaction. It also occupies one of few
 * threads that are needed for files and compression, so pairs are created one after the other.
 */
export function makeKeyPair(name: string): Promise<KeyPair> {
  const made = before.then(() => make(name, new Date()))
  before = made.catch(() => undefined)
  return made
}

async function make(name: string, now: Date): Promise<KeyPair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: bits })
  // Valid from the day before, because the clock of a provider may be behind.
  const from = new Date(Math.floor(now.getTime() / 1000) * 1000 - 86_400_000)
  const expiresAt = new Date(from)
  expiresAt.setUTCFullYear(from.getUTCFullYear() + years)
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: selfSigned({ privateKey, publicKey }, { name, from, until: expiresAt }),
    expiresAt,
  }
}

/** Returns a self-signed X.509 certificate, with RSA and SHA-256. Node can read certificates, but not create them. */
export function selfSigned(
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  { name, from, until }: { name: string; from: Date; until: Date },
): string {
  const sha256WithRsa = der(sequence, objectId('2a864886f70d01010b'), der(0x05))
  const commonName = der(sequence, objectId('550403'), der(0x0c, Buffer.from(name)))
  const called = der(sequence, der(0x31, commonName))
  const content = der(
    sequence,
    der(0xa0, der(integer, Buffer.from([2]))),
    // The first byte keeps the number positive.
    der(integer, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    sha256WithRsa,
    called,
    der(sequence, time(from), time(until)),
    called,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]))
  const lines = der(sequence, content, sha256WithRsa, signature)
    .toString('base64')
    .match(/.{1,64}/g)!
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')
}

const sequence = 0x30
const integer = 0x02

const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

/** Uses two digits for the year until 2049, as the standard requires. */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
