import type { Static } from 'typebox'
import type { GitFollowingRow } from '../../../db/tables.ts'
import type { GitHook, GitHookCall } from './schema.ts'

export type ShownHook = Static<typeof GitHook>

/** The hook as it was set up: calls do not change this. Undefined if there is none. */
export function presentHookState(row: GitFollowingRow, url: string): ShownHook | undefined {
  const { hook_id, hook_set_at } = row
  if (hook_id === null) return undefined
  return { url: `${url}/v1/git/hooks/${hook_id}`, setUpAt: hook_set_at!.toISOString() }
}

export function presentHook(row: GitFollowingRow, url: string): ShownHook | undefined {
  const state = presentHookState(row, url)
  const { hook_called_at, hook_result, hook_refused_at } = row
  return (
    state && {
      ...state,
      ...(hook_called_at !== null && { lastCall: { at: hook_called_at.toISOString(), result: hook_result! } }),
      ...(hook_refused_at !== null && { lastRefusedAt: hook_refused_at.toISOString() }),
    }
  )
}

export type CallResult = Static<typeof GitHookCall>['result']

const messages = {
  look: 'The branch will be checked now.',
  'other-branch': 'This is not the branch that is kept in sync. Nothing to do.',
  'no-push': 'URL and secret are correct. This was not a push: nothing to do.',
  stopped: 'URL and secret are correct, but the space is no longer kept in sync. Somebody has to set that up again.',
} satisfies Record<CallResult, string>

export const presentCall = (result: CallResult): Static<typeof GitHookCall> => ({ result, message: messages[result] })
