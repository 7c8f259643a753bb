import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import type { Answer, Client } from './api-client.ts'
import type { TestApp } from './app.ts'
import { type EditedSpace, aLiveSpace, newPage } from './editing.ts'
import { type TestOrganization, anOrganization } from './factories.ts'

export interface Page {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
  location: string | undefined
}

interface Asked {
  host?: string
  /** The address of this machine that the request comes from. */
  from?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** A browser that keeps cookies, and follows no redirect on its own. */
export class Browser {
  readonly #url: URL
  readonly #cookies = new Map<string, string>()

  constructor(url: string) {
    this.#url = new URL(url)
  }

  get cookies(): string[] {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`)
  }

  /** `path` is sent unchanged. `host` is the host that the browser believes it talks to. */
  get(path: string, options: Asked = {}): Promise<Page> {
    const { host = 'lectern.test', from, method = 'GET', headers = {}, body } = options
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          hostname: this.#url.hostname,
          port: this.#url.port,
          localAddress: from,
          path,
          method,
          headers: { host, ...(this.#cookies.size > 0 && { cookie: this.cookies.join('; ') }), ...headers },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            for (const cookie of response.headers['set-cookie'] ?? []) this.#take(cookie)
            resolve({
              status: response.statusCode!,
              text: Buffer.concat(chunks).toString(),
              headers: response.headers,
              location: response.headers.location,
            })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  /** Sends a form, as a page of the same host does. */
  post(
    path: string,
    fields: Record<string, string>,
    { host = 'lectern.test', headers = {} }: Asked = {},
  ): Promise<Page> {
    const form = { origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    return this.get(path, { host, method: 'POST', headers: { ...form, ...headers }, body })
  }

  /** Follows all redirects on the same host, and returns the last page. */
  async follow(path: string, options: { host?: string } = {}): Promise<Page> {
    let page = await this.get(path, options)
    for (let hops = 0; page.location?.startsWith('/') && hops < 10; hops++)
      page = await this.get(page.location, options)
    return page
  }

  #take(cookie: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
    if (/; Max-Age=0/.test(cookie)) this.#cookies.delete(name!)
    else this.#cookies.set(name!, value!)
  }
}

/** A published site in an organization of its own, with one live space in it. */
export interface TestSite {
  id: string
  /** The path in the API. */
  path: string
  /** The path for readers on the main address, with a slash at its end. */
  address: string
  org: TestOrganization
  who: Client
  space: EditedSpace
  siteSpaceId: string
  browser(): Browser
  change(body: object): Promise<void>
}

export async function aSite(
  test: TestApp,
  options: { visibility?: string; pages?: object[]; published?: boolean } = {},
): Promise<TestSite> {
  const org = await anOrganization(test)
  const who = org.admin.client
  const space = await aLiveSpace(test, org)
  const made = await space.edit(...(options.pages ?? [newPage('Welcome'), newPage('Guide')]))
  assert.equal(made.status, 200, made.text)
  const created = await who.post(`/v1/orgs/${org.id}/sites`, {
    title: `Site ${org.canary}`,
    visibility: options.visibility ?? 'public',
    spaces: [space.id],
  })
  assert.equal(created.status, 201, created.text)
  const path = `/v1/orgs/${org.id}/sites/${created.body.id}`
  if (options.published !== false) expect(await who.post(`${path}/publish`), 200)
  const siteSpaces = await who.get(`${path}/site-spaces`)
  return {
    id: created.body.id,
    path,
    address: `/sites/${org.row.hostname}/${created.body.basename}/`,
    org,
    who,
    space,
    siteSpaceId: siteSpaces.body.items[0].id,
    browser: () => new Browser(test.url),
    change: async (body) => void expect(await who.patch(path, body), 200),
  }
}

export function expect(answer: Answer, status: number): any {
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

/** Removes the marks around the words of a search from a page of results. */
export const withoutMarks = (text: string) => text.replace(/<\/?mark>/g, '')

/** Signs a token as a customer's own sign-in does. */
export function signToken(key: string, claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
