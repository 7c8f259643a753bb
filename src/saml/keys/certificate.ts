import { type KeyObject, X509Certificate } from 'node:crypto'
import { invalid } from '../../http/errors.ts'

const pem = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g
/** Included if a whole line of metadata was copied. */
const tagAround = /<\/?(?:\w+:)?X509Certificate>/g
const mostCertificates = 5
const fewestBits = 2048

export interface Certificates {
  /** Each as PEM. */
  pems: string[]
  /** When the first of them expires. */
  expiresAt: Date
}

/** Checks a certificate when it is saved, so that errors are reported then, and not to users who want to sign in. */
export function readCertificate(text: string): Certificates {
  const certificates = split(text).map(parse)
  for (const certificate of certificates) check(certificate, Date.now())
  const expiries = certificates.map(({ validTo }) => Date.parse(validTo))
  return { pems: certificates.map(String), expiresAt: new Date(Math.min(...expiries)) }
}

/** Returns the PEM of each certificate in a saved text. */
export function pemsOf(text: string): string[] {
  return split(text).map((each) => parse(each).toString())
}

/** Returns the base64 of each certificate. Providers offer PEM for download; in their metadata it is bare. */
function split(text: string): string[] {
  if (/PRIVATE KEY/.test(text)) throw wrong('is a private key. Keep it secret, and send the certificate instead')
  const blocks = [...text.matchAll(pem)].map(([, base64]) => base64!)
  const rest = text.replaceAll(pem, '').replaceAll(tagAround, '').replaceAll(/\s/g, '')
  const isBare = /^[A-Za-z0-9+/=]+$/.test(rest) && isStartOfOne(rest)
  if (blocks.length === 0 && !isBare) throw wrong('must be an X.509 certificate as PEM, or its base64')
  if (rest !== '' && !isBare) throw wrong('has text outside of its PEM blocks')
  const all = [...blocks, ...bareIn(rest)]
  if (all.length > mostCertificates) throw wrong(`must not contain more than ${mostCertificates} certificates`)
  return all
}

/** Splits certificates that follow each other with nothing in between: the first bytes of each contain its length. */
function bareIn(base64: string): string[] {
  if (base64 === '') return []
  if (!isStartOfOne(base64)) throw incomplete()
  const bytes = 4 + firstBytes(base64).readUInt16BE(2)
  const length = Math.ceil(bytes / 3) * 4
  return [base64.slice(0, length), ...bareIn(base64.slice(length))]
}

/** A sequence whose length takes two bytes, as with every key that is strong enough. */
const isStartOfOne = (base64: string) => firstBytes(base64).length > 4 && firstBytes(base64).readUInt16BE(0) === 0x3082

const firstBytes = (base64: string) => Buffer.from(base64.slice(0, 8), 'base64')

function parse(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64.replaceAll(/\s/g, ''), 'base64'))
  } catch {
    throw incomplete()
  }
}

function check(certificate: X509Certificate, now: number): void {
  const key = keyOf(certificate)
  if (key?.asymmetricKeyType !== 'rsa') throw wrong('must have an RSA key: no other signatures are understood')
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < fewestBits) throw wrong(`has a key of ${bits} bits, and must have ${fewestBits} at least`)
  const expiry = Date.parse(certificate.validTo)
  if (Number.isNaN(expiry)) throw wrong('does not say when it expires')
  if (expiry <= now) throw wrong(`has expired on ${new Date(expiry).toISOString().slice(0, 10)}`)
}

/** Throws for unknown kinds of keys. */
function keyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey
  } catch {
    return undefined
  }
}

const incomplete = () => wrong('is not a whole X.509 certificate. Copy it again, with all of its lines')

const wrong = (message: string) => invalid('body.certificate', 'certificate', message)
