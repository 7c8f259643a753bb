import { type KeyObject, X509Certificate } from 'node:crypto'
import { invalid } from '../http/errors.ts'

const pem = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g
const mostCertificates = 5
const fewestBits = 2048

export interface Certificates {
  /** Each as PEM. */
  pems: string[]
  /** When the first of them runs out. */
  expiresAt: Date
}

/** Looks at a certificate when it is saved: what is wrong with it is told now, not to people who want to sign in. */
export function readCertificate(text: string, now = Date.now()): Certificates {
  const certificates = split(text).map(parse)
  for (const certificate of certificates) check(certificate, now)
  const expiries = certificates.map(({ validTo }) => Date.parse(validTo))
  return { pems: certificates.map(String), expiresAt: new Date(Math.min(...expiries)) }
}

/** Of one that was saved. */
export function pemsOf(text: string): string[] {
  return split(text).map((each) => parse(each).toString())
}

/** The base64 of each certificate. What providers offer for download is PEM, in their metadata it stands bare. */
function split(text: string): string[] {
  if (/PRIVATE KEY/.test(text)) throw wrong('is a private key. Keep it secret, and send the certificate instead')
  const blocks = [...text.matchAll(pem)].map(([, base64]) => base64!)
  if (blocks.length > mostCertificates) throw wrong(`must not hold more than ${mostCertificates} certificates`)
  const rest = text.replaceAll(pem, '').trim()
  if (blocks.length > 0) {
    if (rest !== '') throw wrong('has text outside of its PEM blocks')
    return blocks
  }
  if (!/^[A-Za-z0-9+/=\s]+$/.test(rest)) throw wrong('must be an X.509 certificate as PEM, or its base64')
  return [rest]
}

function parse(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64.replaceAll(/\s/g, ''), 'base64'))
  } catch {
    throw wrong('is not a whole X.509 certificate. Copy it again, with all of its lines')
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

/** Reading a kind of key that nobody here knows fails. */
function keyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey
  } catch {
    return undefined
  }
}

const wrong = (message: string) => invalid('body.certificate', 'certificate', message)
