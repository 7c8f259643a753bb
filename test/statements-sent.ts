import { mock } from 'node:test'
import pg from 'pg'

/** The statements that are sent while something is done, in this process and by whomever. */
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
