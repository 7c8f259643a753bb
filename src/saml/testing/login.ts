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

/** Runs until the test file is done. */
export async function anIdentityProvider(): Promise<IdentityProvider> {
  const idp = await IdentityProvider.start()
  after(() => idp.stop())
  return idp
}

/** Creates an organization that trusts this identity provider. */
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

/** Begins a login, and returns the provider's response to it. */
export async function begin(
  browser: Browser,
  idp: IdentityProvider,
  startURL: string,
  answering?: Answering,
): Promise<Form> {
  const { location } = await browser.get(startURL)
  return answering ? idp.answer(new URL(location), answering) : idp.visit(location)
}

/**
 * Goes through a whole login: there, back, and in. `seen` is the last response: where the login ends, or why it is
 * refused.
 */
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
