import { isPlainXml } from './plain-xml.ts'
import { LoginRefused } from './refusal.ts'

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

/** The XML of an answer, looked at as text before any parser gets it: whoever sent it is not known yet. */
export function readResponseText(base64: string): string {
  const compact = base64.replaceAll(/[\r\n\t ]/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length > (maxBytes * 4) / 3 + 4) throw malformed()
  const xml = decode(Buffer.from(compact, 'base64')).replace(/^<\?xml [^<>]{1,200}\?>/, '')
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml) || !isPlainXml(xml)) throw malformed()
  // With one of each, nobody can point at another than the one that was signed.
  if (countTags(xml, 'Response') > 1 || countTags(xml, 'Assertion') > 1) throw malformed()
  for (const [, double, single] of xml.matchAll(/\bAlgorithm\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (!algorithms.has((double ?? single)!)) throw new LoginRefused('signature')
  }
  return xml
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

/** However their namespace is called: `EncryptedAssertion` counts, too, since nobody here has a key for it. */
const countTags = (text: string, name: string) => text.match(new RegExp(`<[^\\s<>/]*${name}[\\s/>]`, 'g'))?.length ?? 0

const malformed = () => new LoginRefused('malformed')
