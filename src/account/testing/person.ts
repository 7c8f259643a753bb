import assert from 'node:assert/strict'

export interface Page {
  status: number
  text: string
  headers: Headers
  location: string | undefined
}

/**
 * A browser without JavaScript: it keeps cookies, does not follow redirects automatically, and can fill in the forms of
 * a page.
 */
export class Person {
  readonly #app: { url: string }
  readonly cookies = new Map<string, string>()
  userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

  constructor(app: { url: string }) {
    this.#app = app
  }

  get = (path: string, headers: Record<string, string> = {}) => this.#send(path, { method: 'GET', headers })

  post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    this.#send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.#app.url, ...headers },
      body: new URLSearchParams(fields).toString(),
    })

  /**
   * Sends the form of a page whose action is `action`, with its hidden fields and the given ones. `elsewhere` is
   * another target, as one of its buttons may have.
   */
  submit = async (
    page: Page,
    action: string,
    fields: Record<string, string> = {},
    headers?: Record<string, string>,
    elsewhere = action,
  ) => this.post(elsewhere, { ...hiddenOf(page, action), ...fields }, headers)

  /** The same for a form with files, as a browser sends it: the hidden fields first. */
  submitFiles = (
    page: Page,
    action: string,
    fields: Record<string, string>,
    files: [name: string, bytes: string | Uint8Array<ArrayBuffer>, field?: string][],
  ) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...hiddenOf(page, action), ...fields })) body.append(name, value)
    for (const [name, bytes, field = 'files'] of files) body.append(field, new Blob([bytes]), name)
    return this.#send(action, { method: 'POST', headers: { origin: this.#app.url }, body })
  }

  /** Follows a redirect. */
  follow = async (page: Page): Promise<Page> => {
    assert.equal(page.status, 303, page.text)
    return this.get(page.location!)
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.#app.url + path, {
      ...init,
      redirect: 'manual',
      headers: { 'user-agent': this.userAgent, ...(cookie && { cookie }), ...init.headers },
    })
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!
      if (value === '') this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    const { status, headers } = response
    return { status, headers, text: await response.text(), location: headers.get('location') ?? undefined }
  }
}

function hiddenOf({ text }: Page, action: string): Record<string, string> {
  const form = text.split('<form ').find((each) => each.includes(`action="${action}"`))
  assert.ok(form, `the page has no form that leads to ${action}`)
  const inside = form.split('</form>')[0]!
  return Object.fromEntries(
    [...inside.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      unescaped(value!),
    ]),
  )
}

/** The form token on a page, which all our forms require. */
export const tokenIn = ({ text }: Page) => ({ form: /name="form" value="([^"]+)"/.exec(text)![1]! })

export const unescaped = (text: string) =>
  text.replace(
    /&(#39|lt|gt|quot|amp);/g,
    (_, name) => ({ '#39': "'", lt: '<', gt: '>', quot: '"', amp: '&' })[name as 'lt'],
  )
