import type { Secrets } from './secrets.ts'

/** Something of ours that goes out into the world and must come back as it was: what it says, and a signature. */
export function writeSigned(secrets: Secrets, purpose: string, value: object): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${text}.${secrets.sign(purpose, text)}`
}

/** What it said, or undefined where it is not ours. */
export function readSigned<Value extends object>(secrets: Secrets, purpose: string, signed: string): Value | undefined {
  const [, text, signature] = /^([\w-]+)\.([\w-]+)$/.exec(signed) ?? []
  if (text === undefined || signature === undefined || !secrets.verify(purpose, text, signature)) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Value
}
