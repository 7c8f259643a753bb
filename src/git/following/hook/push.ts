import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from './signature.ts'

/** The names that hosts use for a push to a branch. Gitea and Forgejo use the same one as GitHub. */
const pushes = new Set(['push', 'Push Hook', 'repo:push', 'repo:refs_changed'])

/**
 * Returns whether a call is a reason to look at this branch. A body that cannot be read is one: a look costs little,
 * and finds out.
 */
export function whatCame({ headers, body }: Call, ref: string): 'look' | 'other-branch' | 'no-push' {
  const event = headers['x-github-event'] ?? headers['x-gitlab-event'] ?? headers['x-event-key']
  if (typeof event === 'string' && !pushes.has(event)) return 'no-push'
  const refs = refsIn(readJson(headers, body))
  return refs === undefined || refs.includes(ref) ? 'look' : 'other-branch'
}

/** GitHub sends the JSON as a form field, unless it is configured otherwise. */
function readJson({ 'content-type': type = '' }: IncomingHttpHeaders, body: Buffer): unknown {
  try {
    const text = body.toString()
    return JSON.parse(
      /^application\/x-www-form-urlencoded/i.test(type) ? new URLSearchParams(text).get('payload')! : text,
    )
  } catch {
    return undefined
  }
}

/** The full names of the pushed refs; undefined if not all of them are known. */
function refsIn(said: unknown): string[] | undefined {
  const { ref, changes, push } = fieldsOf(said)
  if (typeof ref === 'string') return [ref]
  const list = changes ?? fieldsOf(push).changes
  if (!Array.isArray(list) || list.length === 0) return undefined
  const refs = list.map(refOfChange)
  return refs.every((each) => each !== undefined) ? refs : undefined
}

/**
 * Bitbucket Data Center names the ref itself. Bitbucket Cloud names the new state, or the old one if the ref was
 * deleted.
 */
function refOfChange(change: unknown): string | undefined {
  const { ref, new: now, old: before } = fieldsOf(change)
  const { id } = fieldsOf(ref)
  if (typeof id === 'string') return id
  const { type, name } = fieldsOf(now ?? before)
  if (typeof type !== 'string' || typeof name !== 'string') return undefined
  return type === 'branch' || type === 'named_branch' ? `refs/heads/${name}` : `refs/tags/${name}`
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
