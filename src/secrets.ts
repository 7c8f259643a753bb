import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Uses of the instance's secret. Each purpose has a key of its own, derived from it. */
export class Secrets {
  readonly #secret: string
  readonly #keys = new Map<string, Buffer>()

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Shows whether two secrets are the same without revealing either. */
  get fingerprint(): string {
    return this.#key('fingerprint').toString('base64url')
  }

  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.#key(`sign ${purpose}`))
      .update(text)
      .digest('base64url')
  }

  verify(purpose: string, text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(purpose, text))
    const given = Buffer.from(signature)
    return expected.length === given.length && timingSafeEqual(expected, given)
  }

  /** Encrypts what must be readable again: nonce, tag, ciphertext. */
  seal(purpose: string, text: string): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key(`seal ${purpose}`), nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  open(purpose: string, sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#key(`seal ${purpose}`), sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  }

  #key(purpose: string): Buffer {
    let key = this.#keys.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#secret, 'lectern', purpose, 32))
      this.#keys.set(purpose, key)
    }
    return key
  }
}

/** 256 random bits for use in an address or a header. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Takes the same time no matter how similar the secrets are, because it compares their hashes. */
export function sameSecret(given: string | string[] | undefined, expected: string): boolean {
  return typeof given === 'string' && timingSafeEqual(hashOf(given), hashOf(expected))
}

/** The hash by which a secret is looked up. The secret is random, so one round of a plain hash is enough. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
