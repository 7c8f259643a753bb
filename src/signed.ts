import type { Secrets } from './secrets.ts'

/** Encodes a value that is handed out and must come back unchanged, followed by a signature. */
export function writeSigned(secrets: Secrets, purpose: string, value: object): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${text}.${secrets.sign(purpose, text)}`
}

/** Returns the value, or undefined if we did not sign it. */
export function readSigned<Value extends object>(secrets: Secrets, purpose: string, signed: string): Value | undefined {
  const [, text, signature] = /^([\w-]+)\.([\w-]+)$/.exec(signed) ?? []
  if (text === undefined || signature === undefined || !secrets.verify(purpose, text, signature)) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Value
}
