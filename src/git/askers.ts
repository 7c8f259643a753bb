import { findCallerOfToken } from '../access/caller.ts'
import { findSpaceFor, listSpaceRoles } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import type { GitFollowingRow, GitOperationRow } from '../db/tables.ts'
import { findCallerOfSession } from '../sessions/caller.ts'
import { GitFailure } from './repository.ts'

type Asked = Pick<GitFollowingRow, 'organization_id' | 'space_id' | 'asked_by'> &
  Partial<Pick<GitOperationRow, 'token_id' | 'session_id'>>

/**
 * Whether the person who asked for something about a repository is still allowed to. It may have waited, and it runs
 * for minutes at an address of their choice. In that time they may have left or lost the token, or the space may have
 * moved to another organization.
 */
export async function mayStill(db: Db, asked: Asked): Promise<boolean> {
  const role = await roleNow(db, asked)
  return role !== undefined && spaceRights(role).triggerGitSync
}

/** The same for an operation, which fails if they are not. */
export async function requireAsker(db: Db, asked: Asked): Promise<void> {
  if (await mayStill(db, asked)) return
  throw new GitFailure('The person who started this is no longer allowed to sync this space.')
}

async function roleNow(db: Db, asked: Asked): Promise<Role | undefined> {
  const { organization_id, space_id, asked_by, token_id, session_id } = asked
  if (asked_by === null) return undefined
  if (!token_id && !session_id) {
    return (await listSpaceRoles(db, { organization_id, id: space_id }, [asked_by])).get(asked_by)
  }
  const caller = token_id
    ? await findCallerOfToken(db, token_id, organization_id)
    : await findCallerOfSession(db, session_id!, organization_id)
  const found = caller && (await findSpaceFor(db, caller, space_id))
  return found?.space.organization_id === organization_id ? found.role : undefined
}
