import type { UserRow } from '../db/tables.ts'
import { forbidden } from '../http/errors.ts'

/** Whether the user may create organizations, besides the one that exists from the beginning. */
export const mayCreateOrganizations = ({ instance_admin }: Pick<UserRow, 'instance_admin'>): boolean => instance_admin

export const cannotCreateOrganizations = () =>
  forbidden('create organizations: only administrators of this instance may')
