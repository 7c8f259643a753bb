import { RefusedLogin } from '../../sessions/refused-login.ts'

/** Why a login was refused. The key goes into the record, the message to the user. */
const reasons = {
  'unknown-login': {
    status: 400,
    message: 'This sign-in was not started here, was started too long ago, or was already used. Please start again.',
  },
  repeated: {
    status: 400,
    message: 'This response was already used. If you came here with the back button, you are signed in.',
  },
  'too-many-tries': { status: 400, message: 'This sign-in failed too often. Please start again.' },
  'other-browser': {
    status: 400,
    message: 'This sign-in was started in another browser, or cookies are turned off. Please start again in this one.',
  },
  malformed: { status: 400, message: 'The response of the identity provider cannot be read.' },
  'too-large': {
    status: 400,
    message: 'The response of the identity provider is too large: it must send fewer groups and attributes.',
  },
  'not-successful': { status: 403, message: 'The identity provider did not sign you in.' },
  encrypted: {
    status: 400,
    message: 'The identity provider encrypts its response, or a part of it, and there is no key here to decrypt it.',
  },
  'weak-encryption': {
    status: 400,
    message:
      'The identity provider encrypts its response in a way that is not accepted: it must be AES, with RSA-OAEP for the key.',
  },
  decryption: {
    status: 400,
    message:
      'The response of the identity provider was not encrypted for one of Lectern’s keys, or was not signed before that.',
  },
  unsigned: {
    status: 400,
    message:
      'The identity provider did not sign the assertion in its response. Signing only the response around it is not enough.',
  },
  algorithm: {
    status: 400,
    message:
      'The identity provider signs its response in a way that is not accepted: it must be RSA with SHA-256 or SHA-512.',
  },
  signature: {
    status: 400,
    message: 'The response of the identity provider is not signed with the certificate that is set here.',
  },
  issuer: {
    status: 400,
    message: 'The response comes from a different identity provider than the one you were sent to.',
  },
  audience: { status: 400, message: 'The response of the identity provider is meant for another service.' },
  recipient: { status: 400, message: 'The response of the identity provider is meant for another address.' },
  request: { status: 400, message: 'The response of the identity provider belongs to another sign-in.' },
  time: {
    status: 400,
    message: 'The response of the identity provider has expired, or is not valid yet. Are both clocks right?',
  },
  'no-name': {
    status: 400,
    message: 'The identity provider does not say who you are: it must send a name ID that stays the same.',
  },
  'no-address': { status: 400, message: 'The identity provider did not send your e-mail address.' },
  disabled: { status: 403, message: 'Your account is suspended. An administrator can reactivate it.' },
  'too-many-logins': {
    status: 429,
    message: 'Too many sign-ins were started, or failed, in your network. Wait a few minutes, then try again.',
  },
} as const

export type Reason = keyof typeof reasons

interface More extends ErrorOptions {
  toldAs?: Reason
  /** The person, if the provider has named them and its response is trusted. */
  userId?: string
}

export class LoginRefused extends RefusedLogin<Reason> {
  readonly userId: string | undefined

  constructor(reason: Reason, { toldAs = reason, userId, ...options }: More = {}) {
    super(reason, reasons[toldAs], options)
    this.userId = userId
  }
}
