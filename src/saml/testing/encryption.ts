import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'

const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'
const xmlenc11 = 'http://www.w3.org/2009/xmlenc11#'

export interface Encrypting {
  cipher?: 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc' | 'aes-128-gcm' | 'aes-256-gcm' | 'des-ede3-cbc'
  transport?: 'rsa-oaep-mgf1p' | 'rsa-oaep' | 'rsa-1_5'
  /** The hash for both parts of OAEP. */
  hash?: 'sha1' | 'sha256' | 'sha512'
  /** What to encrypt instead of the assertion. */
  plaintext?: (assertion: string) => string
  /** Changes the encrypted bytes. */
  damage?: (bytes: Buffer) => Buffer
  /** Puts the key beside the data that it opens, as some providers do. */
  isKeyBeside?: boolean
  /** Added to the encryption method of the key. */
  extra?: string
}

/**
 * Returns the response with its assertion encrypted after it was signed, as providers do. Uses no library, so that
 * every detail can be made unusual.
 */
export function encryptAssertion(xml: string, certificate: string, how: Encrypting = {}): string {
  const assertion = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0]
  return xml.replace(assertion, () => encrypted(how.plaintext ? how.plaintext(assertion) : assertion, certificate, how))
}

function encrypted(text: string, certificate: string, how: Encrypting): string {
  const { cipher = 'aes-256-gcm', transport = 'rsa-oaep-mgf1p', hash = 'sha1', damage = (bytes) => bytes } = how
  const [, bits = '192', mode] = /^aes-(\d+)-(\w+)$/.exec(cipher) ?? []
  const method =
    mode === 'gcm' ? `${xmlenc11}aes${bits}-gcm` : mode === 'cbc' ? `${xmlenc}aes${bits}-cbc` : `${xmlenc}tripledes-cbc`
  const key = randomBytes(Number(bits) / 8)
  const iv = randomBytes(mode === 'gcm' ? 12 : mode === 'cbc' ? 16 : 8)
  const making = createCipheriv(cipher, key, iv)
  const made = Buffer.concat([iv, making.update(text), making.final()])
  const content = mode === 'gcm' ? Buffer.concat([made, (making as unknown as Tagged).getAuthTag()]) : made
  const padding = transport === 'rsa-1_5' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING
  const locked = publicEncrypt({ key: createPublicKey(certificate), padding, oaepHash: hash }, key)
  const encryptedKey = `<e:EncryptedKey Id="_k" xmlns:e="${xmlenc}"><e:EncryptionMethod Algorithm="${transport === 'rsa-oaep' ? xmlenc11 : xmlenc}${transport}">${digestOf(how)}${how.extra ?? ''}</e:EncryptionMethod><e:CipherData><e:CipherValue>${locked.toString('base64').replaceAll(/.{76}/g, '$&&#13;\n')}</e:CipherValue></e:CipherData></e:EncryptedKey>`
  const info = how.isKeyBeside ? `<ds:RetrievalMethod URI="#_k" Type="${xmlenc}EncryptedKey"/>` : encryptedKey
  const data = `<xenc:EncryptedData xmlns:xenc="${xmlenc}" Type="${xmlenc}Element"><xenc:EncryptionMethod Algorithm="${method}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${info}</ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${damage(content).toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>`
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}${how.isKeyBeside ? encryptedKey : ''}</saml:EncryptedAssertion>`
}

interface Tagged {
  getAuthTag: () => Buffer
}

function digestOf({ transport = 'rsa-oaep-mgf1p', hash = 'sha1' }: Encrypting): string {
  if (transport === 'rsa-1_5') return ''
  const digest = hash === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#sha1' : `${xmlenc}${hash}`
  const mask = transport === 'rsa-oaep' ? `<m:MGF xmlns:m="${xmlenc11}" Algorithm="${xmlenc11}mgf1${hash}"/>` : ''
  return `<d:DigestMethod xmlns:d="http://www.w3.org/2000/09/xmldsig#" Algorithm="${digest}"/>${mask}`
}
