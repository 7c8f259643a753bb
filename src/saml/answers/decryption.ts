import { constants, createDecipheriv, privateDecrypt } from 'node:crypto'
import { type Element, elementsIn, spelledOut } from '../xml/elements.ts'
import { declaration } from '../xml/plain-xml.ts'
import { LoginRefused } from '../login/refusal.ts'

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'

/**
 * How the content is encrypted. If a provider can choose, our metadata asks for GCM. CBC is also accepted, since many
 * support nothing else. With CBC, only the signature reveals that the content was changed, and it is checked
 * afterwards.
 */
const ciphers = new Map<string, { name: 'cbc' | 'gcm'; bits: 128 | 192 | 256 }>([
  [`${xmlenc}aes128-cbc`, { name: 'cbc', bits: 128 }],
  [`${xmlenc}aes192-cbc`, { name: 'cbc', bits: 192 }],
  [`${xmlenc}aes256-cbc`, { name: 'cbc', bits: 256 }],
  [`${xmlenc11}aes128-gcm`, { name: 'gcm', bits: 128 }],
  [`${xmlenc11}aes192-gcm`, { name: 'gcm', bits: 192 }],
  [`${xmlenc11}aes256-gcm`, { name: 'gcm', bits: 256 }],
])

/** The algorithms that our metadata asks for, the best first. */
export const preferredAlgorithms = [`${xmlenc11}aes256-gcm`, `${xmlenc11}aes128-gcm`, `${xmlenc}rsa-oaep-mgf1p`]

const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const hashes = new Map([
  [sha1, 'sha1'],
  [`${xmlenc}sha256`, 'sha256'],
  [`${xmlenc}sha512`, 'sha512'],
  [`${xmlenc11}mgf1sha1`, 'sha1'],
  [`${xmlenc11}mgf1sha256`, 'sha256'],
  [`${xmlenc11}mgf1sha512`, 'sha512'],
])

export const isEncrypted = (xml: string): boolean => /<[^\s<>/]*EncryptedAssertion[\s/>]/.test(xml)

/**
 * Returns the response with its assertion decrypted. The text is plain XML, and no more trustworthy than before, since
 * anyone can encrypt for us. This is not left to the library, which accepts RSA 1.5, takes only one key, and hands
 * decrypted content to its parsers unchecked.
 */
export function decrypted(xml: string, privateKeys: string[]): string {
  const around = elementIn(xml, 'EncryptedAssertion')
  const key = elementIn(around.inside, 'EncryptedKey')
  // The key is inside the data that it opens, or beside it.
  const data = elementIn(around.inside.replace(key.whole, ''), 'EncryptedData').inside
  const cipher = ciphers.get(algorithmOf(data, 'EncryptionMethod') ?? '')
  if (!cipher) throw new LoginRefused('weak-encryption')
  const oaepHash = oaepHashOf(key.inside)
  const [lockedKey, content] = [key.inside, data].map((each) => bytesOf(elementIn(each, 'CipherValue').inside))
  for (const privateKey of privateKeys) {
    const assertion = tryKey({ privateKey, oaepHash, cipher }, lockedKey!, content!)
    if (assertion !== undefined) return xml.slice(0, around.start) + assertion + xml.slice(around.end)
  }
  throw new LoginRefused('decryption')
}

/**
 * Refuses RSA 1.5, which reveals keys to an attacker who can try often enough. For OAEP, Node takes one hash for both
 * of its parts.
 */
function oaepHashOf(key: string): string {
  const method = algorithmOf(key, 'EncryptionMethod')
  const digest = hashes.get(algorithmOf(key, 'DigestMethod') ?? sha1)
  const isOld = method === `${xmlenc}rsa-oaep-mgf1p`
  const mask = isOld ? 'sha1' : hashes.get(algorithmOf(key, 'MGF') ?? `${xmlenc11}mgf1sha1`)
  if (!isOld && method !== `${xmlenc11}rsa-oaep`) throw new LoginRefused('weak-encryption')
  if (digest === undefined || digest !== mask || /<[^\s<>/]*OAEPparams[\s/>]/.test(key)) {
    throw new LoginRefused('weak-encryption')
  }
  return digest
}

interface Opening {
  privateKey: string
  oaepHash: string
  cipher: { name: 'cbc' | 'gcm'; bits: number }
}

/** Returns undefined whatever fails. Knowing which step failed would tell an attacker something about the content. */
function tryKey({ privateKey, oaepHash, cipher }: Opening, lockedKey: Buffer, content: Buffer): string | undefined {
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    const key = privateDecrypt({ key: privateKey, oaepHash, padding }, lockedKey)
    const opened = cipher.name === 'gcm' ? openGcm(cipher.bits, key, content) : openCbc(cipher.bits, key, content)
    return utf8.decode(opened).replace(declaration, '')
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function openGcm(bits: number, key: Buffer, content: Buffer): Buffer {
  if (content.length < 12 + 16) throw new Error('too short')
  const decipher = createDecipheriv(`aes-${bits as 256}-gcm`, key, content.subarray(0, 12), { authTagLength: 16 })
  decipher.setAuthTag(content.subarray(-16))
  return Buffer.concat([decipher.update(content.subarray(12, -16)), decipher.final()])
}

/** The last byte is the number of padding bytes. The values of the others are not defined. */
function openCbc(bits: number, key: Buffer, content: Buffer): Buffer {
  const decipher = createDecipheriv(`aes-${bits}-cbc`, key, content.subarray(0, 16)).setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(content.subarray(16)), decipher.final()])
  const padding = padded.at(-1) ?? 0
  if (padding < 1 || padding > 16) throw new Error('no padding')
  return padded.subarray(0, -padding)
}

/** Returns the only element with this name. */
function elementIn(xml: string, name: string): Element {
  const [element, ...others] = elementsIn(xml, name) ?? []
  if (!element || others.length > 0) throw new LoginRefused('malformed')
  return element
}

/** Returns the algorithm of the only element with this name; undefined if there is none. */
function algorithmOf(xml: string, name: string): string | undefined {
  if (elementsIn(xml, name)?.length === 0) return undefined
  const algorithm = elementIn(xml, name).attribute('Algorithm')
  if (algorithm === undefined) throw new LoginRefused('malformed')
  return algorithm
}

/** Some providers write line ends as numeric character references. */
function bytesOf(base64: string): Buffer {
  const compact = spelledOut(base64).replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new LoginRefused('malformed')
  return Buffer.from(compact, 'base64')
}
