import { adminToken } from './server.ts'

/** Benchmarks call the API with the admin token. */
export const headers = { authorization: `Bearer ${adminToken}` }

/** Calls the API and throws if it refuses the request. */
export async function call(url: string, method = 'GET', body?: unknown): Promise<any> {
  const answer = await fetch(url, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Returns the id of the organization that exists from the start. */
export async function organizationAt(url: string): Promise<string> {
  return (await call(`${url}/v1/orgs`)).items[0].id
}
