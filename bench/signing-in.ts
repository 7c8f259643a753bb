import { IdentityProvider } from '../src/saml/testing/identity-provider.ts'
import { call, organizationAt } from './call.ts'
import { type Figure, atMost, median } from './figures.ts'
import { newFolder, remove, startLectern } from './server.ts'

const logins = 40
const toWarmUp = 5

/** Measures the time a login through an identity provider takes here, excluding the time at the provider itself. */
export async function signingInFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder)
  const idp = await IdentityProvider.start()
  try {
    const startURL = await trust(lectern.url, idp)
    const times: number[] = []
    for (let i = 0; i < logins + toWarmUp; i++) {
      // Each person logs in twice. The first time, an account is created.
      idp.person = { id: `person-${Math.floor(i / 2)}`, email: `person-${Math.floor(i / 2)}@example.com` }
      const ms = await signIn(idp, startURL)
      if (i >= toWarmUp) times.push(ms)
    }
    return [atMost('A login by SAML, without the time at the provider', 100, median(times), ' ms')]
  } finally {
    idp.stop()
    await lectern.stop()
    await remove(folder)
  }
}

async function trust(url: string, idp: IdentityProvider): Promise<string> {
  const provider = { label: 'Bench', defaultRole: 'read', ...idp.settings }
  const { service } = await call(`${url}/v1/orgs/${await organizationAt(url)}/saml`, 'POST', provider)
  return service.startURL
}

/** A full login: three requests to our server, which are timed, and one to the provider, which is not. */
async function signIn(idp: IdentityProvider, startURL: string): Promise<number> {
  const [start, begun] = await timed(() => fetch(startURL, { redirect: 'manual' }))
  const cookie = start.headers.getSetCookie()[0]!.split(';')[0]!
  const { action, SAMLResponse, RelayState } = await idp.visit(start.headers.get('location')!)
  const body = new URLSearchParams({ SAMLResponse, RelayState })
  const [posted, answered] = await timed(() => fetch(action, { method: 'POST', body, redirect: 'manual' }))
  const [done, ended] = await timed(() =>
    fetch(posted.headers.get('location')!, { headers: { cookie }, redirect: 'manual' }),
  )
  if (done.status !== 303) throw new Error(`A login failed: ${done.status}`)
  return begun + answered + ended
}

async function timed(send: () => Promise<Response>): Promise<[Response, number]> {
  const from = performance.now()
  const response = await send()
  await response.arrayBuffer()
  return [response, performance.now() - from]
}
