import { adminToken } from './lectern.ts'

export interface Answer {
  status: number
  body: any
  headers: Headers
}

/** The connection broke or could not be opened, so it is unknown whether the request was carried out. */
export class Unanswered extends Error {}

export interface Sent {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  token?: string | null
  timeoutMs?: number
}

/** Sends one request. Absolute URLs of uploads and downloads go to the current server, whichever server issued them. */
export async function send(url: string, request: Sent): Promise<Answer> {
  const { method, path, body, headers = {}, token = adminToken, timeoutMs = 60_000 } = request
  const isBytes = body instanceof Uint8Array
  const target = /^https?:/.test(path) ? url + path.slice(new URL(path).origin.length) : url + path
  try {
    const response = await fetch(target, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
  } catch (error) {
    throw new Unanswered(`${method} ${path}: ${String((error as Error).cause ?? error)}`)
  }
}

export const describe = ({ status, body }: Answer) => `${status} ${JSON.stringify(body).slice(0, 500)}`
