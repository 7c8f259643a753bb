import { mock } from 'node:test'
import pg from 'pg'

/** Returns the statements that are sent during `run`, by anything in this process. */
export async function statementsSent(run: () => Promise<unknown>): Promise<string[]> {
  const sent = mock.method(pg.Client.prototype, 'query')
  try {
    await run()
    return sent.mock.calls.map(({ arguments: given }) => {
      const [asked] = given as unknown[] as [string | { text: string }]
      return typeof asked === 'string' ? asked : asked.text
    })
  } finally {
    sent.mock.restore()
  }
}
