import { after } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import { type TestOrganization, anOrganization } from '../../../test/factories.ts'
import { Browser, type Seen } from './browser.ts'
import { type Answering, type Form, IdentityProvider } from './identity-provider.ts'

export interface TestLogin {
  org: TestOrganization
  provider: { id: string; service: { startURL: string; acsURL: string; entityID: string } }
  path: string
}

/** Until the file is done. */
export async function anIdentityProvider(): Promise<IdentityProvider> {
  const idp = await IdentityProvider.start()
  after(() => idp.stop())
  return idp
}

/** An organization that trusts this identity provider. */
export async function anOrganizationWith(
  app: TestApp,
  idp: IdentityProvider,
  settings: Record<string, unknown> = {},
): Promise<TestLogin> {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}/saml`
  const { body } = await org.admin.client.post(path, { label: 'Company', ...idp.settings, ...settings })
  return { org, provider: body, path: `${path}/${body.id}` }
}

/** Begins a login, and gets the provider's answer to it. */
export async function begin(
  browser: Browser,
  idp: IdentityProvider,
  startURL: string,
  answering?: Answering,
): Promise<Form> {
  const { location } = await browser.get(startURL)
  return answering ? idp.answer(new URL(location), answering) : idp.visit(location)
}

/** All of a login: there, back, and in. What is seen last is where it ends, or why it does not. */
export async function logIn(
  app: TestApp,
  idp: IdentityProvider,
  startURL: string,
  { browser = new Browser(app), ...answering }: Answering & { browser?: Browser } = {},
): Promise<{ browser: Browser; seen: Seen }> {
  const form = await begin(browser, idp, startURL, Object.keys(answering).length > 0 ? answering : undefined)
  const posted = await browser.post(form)
  return { browser, seen: posted.status === 303 ? await browser.get(posted.location) : posted }
}
