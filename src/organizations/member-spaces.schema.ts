import { RoleWord } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Space } from '../spaces/schema.ts'

/** A space that a member can open, and with which permission. In a file of its own, because spaces build on members. */
export const SpaceOfMember = Type.Object({ permission: RoleWord, space: Space }, { $id: 'SpaceOfMember' })
