import type { App } from '../../src/http/routes.ts'

export interface Sent {
  status: number
  text: string
  headers: Record<string, string | string[] | number | undefined>
  /** Parsed on access, because not every answer is JSON. */
  json: any
}

export interface ToSend {
  method: string
  url: string
  /** The whole header, so that unsupported schemes can be sent as well. */
  authorization?: string | undefined
  body?: unknown
  /** A body that is sent unchanged, with no content type except for one in `headers`. */
  raw?: string
  headers?: Record<string, string>
}

/** Sends one request directly to the server, so that tens of thousands of them do not take minutes. */
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
