import type { Role } from '../access/roles.ts'
import type { Revision } from '../revisions/revision.ts'

/** Where people talk, a space or a change request of it, and who is asking. */
export interface Place {
  organizationId: string
  spaceId: string
  changeRequestId: string | null
  /** The content there, as it is now. */
  at: Revision
  userId: string
  role: Role
}
