import { RefusedLogin } from '../sessions/refused-login.ts'

/** Reasons why a sign-in was refused. The key is recorded, and the message is shown to the user. */
const reasons = {
  'unknown-login': {
    status: 400,
    message: 'This sign-in was not started in this browser, or was started too long ago. Please start again.',
  },
  'not-let-in': { status: 403, message: 'The identity provider did not sign you in.' },
  'wrong-answer': {
    status: 400,
    message: 'The response of the identity provider cannot be trusted. Please start again.',
  },
  'unknown-client': {
    status: 503,
    message: 'The identity provider does not know this installation. Its operator has to check its settings.',
  },
  'no-address': { status: 400, message: 'The identity provider did not send your e-mail address.' },
  'unproved-address': {
    status: 403,
    message: 'The identity provider does not confirm that your e-mail address is verified. Ask its administrator.',
  },
  'no-account': { status: 403, message: 'There is no account with your e-mail address. Ask for an invite.' },
  disabled: { status: 403, message: 'Your account is suspended. An administrator can reactivate it.' },
  'wrong-address': {
    status: 503,
    message:
      'No identity provider responds at the configured address. The operator of this installation has to check its settings.',
  },
  unavailable: { status: 503, message: 'The identity provider does not respond. Try again in a moment.' },
} as const

export type Reason = keyof typeof reasons

export class LoginRefused extends RefusedLogin<Reason> {
  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, reasons[reason], options)
  }
}
