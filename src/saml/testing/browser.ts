import type { TestApp } from '../../../test/app.ts'
import type { Form } from './identity-provider.ts'

export interface Seen {
  status: number
  location: string
  text: string
  headers: Headers
}

/** A browser with cookies that the test directs. The address of the instance leads to the server of the test. */
export class Browser {
  readonly #app: TestApp
  readonly cookies = new Map<string, string>()

  constructor(app: TestApp) {
    this.#app = app
  }

  get(address: string, headers: Record<string, string> = {}): Promise<Seen> {
    return this.#send(address, { headers: { ...headers, ...this.#cookieHeader() } })
  }

  /** Sends a form as another website does: without cookies. */
  post({ action, SAMLResponse, RelayState }: Form): Promise<Seen> {
    return this.#send(action, { method: 'POST', body: new URLSearchParams({ SAMLResponse, RelayState }) })
  }

  /** Sends a form of the page itself, with cookies. */
  send(address: string, fields: Record<string, string>): Promise<Seen> {
    return this.#send(address, { method: 'POST', body: new URLSearchParams(fields), headers: this.#cookieHeader() })
  }

  #cookieHeader(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return cookie === '' ? {} : { cookie }
  }

  async #send(address: string, init: RequestInit): Promise<Seen> {
    const response = await fetch(address.replace(this.#app.app.url, this.#app.url), { redirect: 'manual', ...init })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.cookies.set(name!, value!)
    }
    const { status, headers } = response
    return { status, headers, location: headers.get('location') ?? '', text: await response.text() }
  }
}
