import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { send } from '../client.ts'
import { ensure } from '../drill.ts'
import { must } from '../setting.ts'
import { Installation } from './installation.ts'

const preload = pathToFileURL(new URL('clock-preload.js', import.meta.url).pathname).href

/** The server's clock jumps by more than a year and back under load. Expiry is judged by the database's clock. */
export async function clockJumps(seed: number): Promise<string> {
  const it = await Installation.start(seed, { environment: { NODE_OPTIONS: `--import=${preload}` } })
  const { url } = it.server
  it.startLoad()
  await it.untilAnswered(10)
  for (let jump = 0; jump < 4; jump++) {
    const { body: token } = await must(url, {
      method: 'POST',
      path: '/v1/user/tokens',
      body: { label: `Jump ${jump}` },
    })
    const secret = token.token ?? token.secret
    const ask = async () => (await send(url, { method: 'GET', path: '/v1/user', token: secret })).status
    ensure((await ask()) === 200, 'A new token is refused')
    it.server.child.kill('SIGUSR2')
    await sleep(300)
    ensure((await ask()) === 200, `A token is refused after the clock jumped (${jump})`)
    await must(url, { method: 'DELETE', path: `/v1/user/tokens/${token.id}` })
    ensure((await ask()) === 401, `A revoked token is taken after the clock jumped (${jump})`)
    await it.untilAnswered(25)
  }
  ensure(it.server.log().includes('clock 0'), 'The clock did not jump')
  await it.settle()
  await it.end()
  return `four jumps, ${it.ledger.answered} writes, 0 refused or lost; tokens were taken and refused as before`
}
