import { RefusedLogin } from '../sessions/refused-login.ts'

/** Why somebody was not signed in. The word goes into the record, the sentence to the person. */
const reasons = {
  'unknown-login': {
    status: 400,
    message: 'This login was not begun in this browser, or was begun too long ago. Please begin again.',
  },
  'not-let-in': { status: 403, message: 'The identity provider did not sign you in.' },
  'wrong-answer': {
    status: 400,
    message: 'The answer of the identity provider cannot be trusted. Please begin again.',
  },
  'unknown-client': {
    status: 503,
    message: 'The identity provider does not know this installation. Whoever runs it has to look at its settings.',
  },
  'no-address': { status: 400, message: 'The identity provider sent no e-mail address of yours.' },
  'unproved-address': {
    status: 403,
    message: 'The identity provider does not say that your e-mail address was verified. Ask whoever runs it.',
  },
  'no-account': { status: 403, message: 'There is no account for your e-mail address here. Ask for an invite.' },
  disabled: { status: 403, message: 'Your account is suspended. An administrator can reactivate it.' },
  'wrong-address': {
    status: 503,
    message:
      'No identity provider answers as the settings here say. Whoever runs this installation has to look at its settings.',
  },
  unavailable: { status: 503, message: 'The identity provider does not answer. Try again in a moment.' },
} as const

export type Reason = keyof typeof reasons

export class LoginRefused extends RefusedLogin<Reason> {
  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, reasons[reason], options)
  }
}
