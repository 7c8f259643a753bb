import assert from 'node:assert/strict'
import type { TestApp } from '../../../test/app.ts'
import type { TestPerson } from '../../../test/factories.ts'
import { pathWith } from '../../account/answer.ts'
import { type Page, Person } from '../../account/testing/person.ts'
import { sql } from '../../db/sql.ts'
import type { MailServer } from '../../mail/testing/mail-server.ts'

/** Helpers for tests about signing in. */
export function signingIn(app: TestApp, mailServer: MailServer) {
  /** All tests come from one address, so each resets the hourly counts. */
  const forgetCounts = () => app.db.run(sql`delete from sign_in_counts`)

  /** `org`: the organization whose sign-in page it is. */
  async function askForCode(person: Person, email: string, next?: string, org?: string): Promise<Page> {
    const login = await person.get(pathWith('/login', { next, org }))
    return person.follow(await person.submit(login, '/login', { email }))
  }

  async function mailedCode(email: string): Promise<string> {
    const { text } = await mailServer.next(email)
    return /^(\d{4} \d{4})$/m.exec(text)![1]!
  }

  async function signIn(someone: TestPerson, person = new Person(app)): Promise<Person> {
    await forgetCounts()
    const page = await askForCode(person, someone.user.email)
    const answer = await person.submit(page, '/login/code', { code: await mailedCode(someone.user.email) })
    assert.equal(answer.location, '/account', answer.text)
    return person
  }

  return { forgetCounts, askForCode, mailedCode, signIn }
}

export const sessionCookie = 'lectern-session'
