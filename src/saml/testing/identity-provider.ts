import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import samlp, { type Options } from 'samlp'
import { type KeyWithCertificate, makeCertificate } from './certificate.ts'

export interface TestIdentity {
  id: string
  email?: string
  displayName?: string
}

export interface Answering {
  /** Options of the library that creates the response. */
  options?: Partial<Options>
  /** The clock of the provider is off by this much. */
  clockMs?: number
  /** What an attacker does to the response on its way. */
  tamper?: (xml: string) => string
  relayState?: string
}

/** What a provider makes a browser post to us. */
export interface Form {
  action: string
  SAMLResponse: string
  RelayState: string
}

/** A complete identity provider on loopback, at which everyone is already signed in. */
export class IdentityProvider {
  readonly keys: KeyWithCertificate
  readonly #server = createServer()
  #origin = ''
  /** The user of the browser. */
  person: TestIdentity = { id: 'jo', email: 'jo@idp.example', displayName: 'Jo Doe' }

  private constructor(keys: KeyWithCertificate) {
    this.keys = keys
  }

  static async start(keys = makeCertificate()): Promise<IdentityProvider> {
    const provider = new IdentityProvider(keys)
    const server = provider.#server
    server.on('request', (request, response) => {
      provider.answer(new URL(request.url!, provider.#origin)).then(
        (form) =>
          request.headers.accept?.includes('text/html')
            ? response.setHeader('content-type', 'text/html').end(pageWith(form))
            : response.end(JSON.stringify(form)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    provider.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return provider
  }

  stop(): void {
    this.#server.close()
  }

  get entityID(): string {
    return `${this.#origin}/metadata`
  }

  /** What an administrator enters about it in Lectern. */
  get settings() {
    return { entityID: this.entityID, ssoURL: `${this.#origin}/sso`, certificate: this.keys.certificate }
  }

  /** Follows the address that we redirected to, as a browser would. */
  async visit(location: string): Promise<Form> {
    const response = await fetch(location)
    if (response.status !== 200) throw new Error(await response.text())
    return (await response.json()) as Form
  }

  /** The same without the network, for a response that differs from the usual one. */
  async answer(location: URL, { options, clockMs = 0, tamper, relayState }: Answering = {}): Promise<Form> {
    const query = Object.fromEntries(location.searchParams)
    const request = await new Promise<Parameters<Parameters<typeof samlp.parseRequest>[1]>[1]>((resolve, reject) =>
      samlp.parseRequest({ method: 'GET', query }, (error, parsed) => (error ? reject(error) : resolve(parsed))),
    )
    const { id, email, displayName } = this.person
    const user = { id, displayName, emails: [{ value: email }], name: {} }
    const all: Options = {
      issuer: this.entityID,
      cert: this.keys.certificate,
      key: this.keys.key,
      audience: request.issuer,
      recipient: request.assertionConsumerServiceURL,
      destination: request.assertionConsumerServiceURL,
      inResponseTo: request.id,
      lifetimeInSeconds: 300,
      signatureAlgorithm: 'rsa-sha256',
      digestAlgorithm: 'sha256',
      ...options,
    }
    const xml = await atTime(
      clockMs,
      () =>
        new Promise<string>((resolve, reject) =>
          samlp.getSamlResponse(all, user, (error, made) => (error ? reject(error) : resolve(made))),
        ),
    )
    return {
      action: request.assertionConsumerServiceURL,
      SAMLResponse: Buffer.from(tamper ? tamper(xml) : xml).toString('base64'),
      RelayState: relayState ?? query.RelayState ?? '',
    }
  }
}

/** Submits itself, as the pages of providers do. */
const pageWith = ({ action, SAMLResponse, RelayState }: Form) => `<!doctype html><title>Provider</title>
  <form method="post" action="${action}"><input name="SAMLResponse" value="${SAMLResponse}" />
  <input name="RelayState" value="${RelayState}" /></form><script>document.forms[0].submit()</script>`

async function atTime<Result>(shiftMs: number, work: () => Promise<Result>): Promise<Result> {
  if (shiftMs === 0) return work()
  const { mock } = await import('node:test')
  mock.timers.enable({ apis: ['Date'], now: Date.now() + shiftMs })
  try {
    return await work()
  } finally {
    mock.timers.reset()
  }
}
