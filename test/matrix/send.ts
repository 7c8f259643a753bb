import type { App } from '../../src/http/routes.ts'

export interface Sent {
  status: number
  text: string
  headers: Record<string, string | string[] | number | undefined>
  /** Parsed where there is something to parse. */
  json: any
}

export interface ToSend {
  method: string
  url: string
  /** The whole header: also of kinds that nobody takes. */
  authorization?: string | undefined
  body?: unknown
  /** A body as it stands, with no content type but the one in `headers`. */
  raw?: string
  headers?: Record<string, string>
}

/** One request, straight into the server: tens of thousands of them are no matter of minutes that way. */
export async function send(app: App, { method, url, authorization, body, raw, headers = {} }: ToSend): Promise<Sent> {
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      host: 'lectern.test',
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(raw !== undefined && { payload: raw }),
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  const text = answer.payload
  return {
    status: answer.statusCode,
    text,
    headers: answer.headers,
    get json() {
      return JSON.parse(text)
    },
  }
}
