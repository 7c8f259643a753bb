import { decrypted, isEncrypted } from './decryption.ts'
import { declaration, isPlainXml, mostElements } from '../xml/plain-xml.ts'
import { LoginRefused } from '../login/refusal.ts'

const maxBytes = 256 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Algorithms of signatures that count. SHA-1 does not any more, and nothing that would run a program (XSLT) ever did. */
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
 * The XML of an answer, looked at as text before any parser gets it: whoever sent it is not known yet. What was encrypted is
 * looked at in the same way once it is not any more.
 */
export function readResponseText(xml: string, privateKeys: string[]): string {
  const opened = isEncrypted(xml) && privateKeys.length > 0 ? plain(decrypted(xml, privateKeys)) : xml
  // It has algorithms of its own: whoever reads that those do not count would look at the wrong thing.
  if (/<[^\s<>/]*Encrypted(?:Assertion|ID|Attribute)[\s/>]/.test(opened)) throw new LoginRefused('encrypted')
  for (const [, double, single] of opened.matchAll(/\bAlgorithm\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (!algorithms.has((double ?? single)!)) throw new LoginRefused('algorithm')
  }
  return opened
}

/** What was sent, as text. */
export function decodeResponse(base64: string): string {
  const compact = base64.replaceAll(/[\r\n\t ]/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw malformed()
  if (compact.length > (maxBytes * 4) / 3 + 4) throw new LoginRefused('too-large')
  return plain(decode(Buffer.from(compact, 'base64')).replace(declaration, ''))
}

function plain(xml: string): string {
  // Somebody in hundreds of groups: whoever runs the provider can send fewer, and has to hear that it is this.
  if ((xml.match(/<[A-Za-z_]/g)?.length ?? 0) > mostElements) throw new LoginRefused('too-large')
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml) || !isPlainXml(xml)) throw malformed()
  // With one of each, nobody can point at another than the one that was signed.
  if (countTags(xml, 'Response') > 1 || countTags(xml, 'Assertion') > 1) throw malformed()
  return xml
}

/** Whether the assertion has any signature of its own, good or not: many providers sign the envelope alone unless told. */
export function hasSignedAssertion(xml: string): boolean {
  // There is one at most, and it comes last: the signature of the envelope stands before it.
  const start = xml.search(/<[^\s<>/]*Assertion[\s/>]/)
  return start !== -1 && countTags(xml.slice(start), 'Signature') > 0
}

/** Where the envelope says that it goes. It may be unsigned: that it fits proves nothing, that it does not is enough. */
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

/** However their namespace is called: `EncryptedAssertion` counts, too, since it becomes one. */
const countTags = (text: string, name: string) => text.match(new RegExp(`<[^\\s<>/]*${name}[\\s/>]`, 'g'))?.length ?? 0

const malformed = () => new LoginRefused('malformed')
