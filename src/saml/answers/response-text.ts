import { decrypted, isEncrypted } from './decryption.ts'
import { declaration, isPlainXml, mostElements } from '../xml/plain-xml.ts'
import { LoginRefused } from '../login/refusal.ts'

const maxBytes = 256 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The accepted signature algorithms. SHA-1 is not among them, nor anything that would run a program (XSLT). */
const algorithms = new Set([
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])

/**
 * Returns the XML of a response, checked as text before any parser gets it, because its sender is not known yet.
 * Encrypted content is checked in the same way once it is decrypted.
 */
export function readResponseText(xml: string, privateKeys: string[]): string {
  const opened = isEncrypted(xml) && privateKeys.length > 0 ? plain(decrypted(xml, privateKeys)) : xml
  // Encrypted content has algorithms of its own. Refusing those would point administrators to the wrong problem.
  if (/<[^\s<>/]*Encrypted(?:Assertion|ID|Attribute)[\s/>]/.test(opened)) throw new LoginRefused('encrypted')
  for (const [, double, single] of opened.matchAll(/\bAlgorithm\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (!algorithms.has((double ?? single)!)) throw new LoginRefused('algorithm')
  }
  return opened
}

/** Decodes what was sent to text. */
export function decodeResponse(base64: string): string {
  const compact = base64.replaceAll(/[\r\n\t ]/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw malformed()
  if (compact.length > (maxBytes * 4) / 3 + 4) throw new LoginRefused('too-large')
  return plain(decode(Buffer.from(compact, 'base64')).replace(declaration, ''))
}

function plain(xml: string): string {
  // The person may be in hundreds of groups. The provider's administrator can send fewer, and must be told that this is
  // the reason.
  if ((xml.match(/<[A-Za-z_]/g)?.length ?? 0) > mostElements) throw new LoginRefused('too-large')
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml) || !isPlainXml(xml)) throw malformed()
  // With one of each, nothing can point to an element other than the signed one.
  if (countTags(xml, 'Response') > 1 || countTags(xml, 'Assertion') > 1) throw malformed()
  return xml
}

/**
 * Whether the assertion has a signature of its own, valid or not. Many providers sign only the envelope unless told
 * otherwise.
 */
export function hasSignedAssertion(xml: string): boolean {
  // There is at most one assertion, and it comes last: the signature of the envelope is before it.
  const start = xml.search(/<[^\s<>/]*Assertion[\s/>]/)
  return start !== -1 && countTags(xml.slice(start), 'Signature') > 0
}

/**
 * Returns the destination in the envelope, which may be unsigned: a match proves nothing, but a mismatch is enough to
 * refuse it.
 */
export function destinationOf(xml: string): string | undefined {
  const rootTag = /^\s*<[^<]*/.exec(xml)?.[0] ?? ''
  const [, double, single] = /\sDestination\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(rootTag) ?? []
  return double ?? single
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed()
  }
}

/** Whatever the namespace prefix. `EncryptedAssertion` counts as well, since it becomes an `Assertion`. */
const countTags = (text: string, name: string) => text.match(new RegExp(`<[^\\s<>/]*${name}[\\s/>]`, 'g'))?.length ?? 0

const malformed = () => new LoginRefused('malformed')
