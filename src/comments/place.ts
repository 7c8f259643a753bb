import type { Role } from '../access/roles.ts'
import type { Revision } from '../revisions/revision.ts'

/** Where comments are posted, which is a space or a change request of it, and who is asking. */
export interface Place {
  organizationId: string
  spaceId: string
  changeRequestId: string | null
  /** The current content of the place. */
  at: Revision
  userId: string
  role: Role
}
