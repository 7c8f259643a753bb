import type { TestApp } from '../../../test/app.ts'
import { Person } from '../../account/testing/person.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { type OpenedSession, type SignIn, openSession } from '../open.ts'
import { sessionCookie } from './signing-in.ts'

/** Returns a browser in which a user is signed in, without going through the sign-in, which has tests of its own. */
export async function signedIn(app: TestApp, someone: { id: string }, more?: Partial<SignIn>): Promise<Person> {
  const person = new Person(app)
  const { secret } = await aSession(app, someone, { userAgent: person.userAgent, ...more })
  person.cookies.set(sessionCookie, secret)
  return person
}

/** Opens a session as signing in with a code does. */
export function aSession(app: TestApp, { id }: { id: string }, more?: Partial<SignIn>): Promise<OpenedSession> {
  const signIn = { userId: id, organizationId: null, method: 'code', address: '::1', userAgent: 'x', ...more } as const
  return transaction(app.db, nobody, (tx) => openSession(tx, signIn))
}
