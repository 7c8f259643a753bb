import assert from 'node:assert/strict'
import { type ErrorType, errorTypes } from '../src/http/errors.ts'
import type { Answer } from './api-client.ts'
import type { TestApp } from './app.ts'
import type { TestOrganization } from './factories.ts'
import { type RawAnswer, sendRaw } from './raw.ts'
import { stateOf } from './state.ts'

/**
 * Helpers for tests to send what must be refused, and to check that it was, with the single error shape and without any
 * effect.
 */
export function refusing(app: TestApp, org: TestOrganization) {
  const { client } = org.admin
  const here = `/v1/orgs/${org.id}`
  const members = `${here}/members`

  /** Sends something that is refused, and checks for the status of `type`, the place of the fault, and no change. */
  async function refuses(
    type: ErrorType,
    where: string | undefined,
    send: () => Promise<Answer>,
    what: string,
  ): Promise<Answer> {
    const before = await stateOf(app.db)
    const refused = await send()
    const { error } = refused.body ?? {}
    assert.deepEqual([refused.status, error?.type], [errorTypes[type], type], `${what}: ${refused.text}`)
    assert.equal(error.details?.[0].path, where, `${what}: ${refused.text}`)
    if (where)
      assert.ok(error.message.length > 0 && error.details.every((detail: object) => Object.keys(detail).length === 3))
    assert.equal(await stateOf(app.db), before, `${what} has changed something`)
    return refused
  }

  /** The same, for bytes that no client would send. */
  async function refusesRaw(type: ErrorType, bytes: string | Buffer, what: string): Promise<RawAnswer> {
    const before = await stateOf(app.db)
    const refused = await sendRaw(app.url, bytes)
    assert.deepEqual(
      [refused.status, refused.body?.error.code, refused.body?.error.type],
      [errorTypes[type], errorTypes[type], type],
      `${what}: ${refused.text}`,
    )
    assert.match(refused.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, what)
    assert.match(refused.headers.get('content-type') ?? '', /^application\/json/, what)
    assert.equal(await stateOf(app.db), before, `${what} has changed something`)
    return refused
  }

  const rawRequest = (line: string, headers: string[] = [], body = '') =>
    [line, 'Host: lectern.test', `Authorization: Bearer ${client.token}`, ...headers, '', body].join('\r\n')

  async function sendBytes(
    method: string,
    path: string,
    body: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(app.url + path, {
      method,
      body: body as string,
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json', ...headers },
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  return { refuses, refusesRaw, rawRequest, sendBytes, client, here, members }
}
