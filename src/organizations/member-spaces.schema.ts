import { RoleWord } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { Space } from '../spaces/schema.ts'

/** A space that a member can open, and as what. Apart from the member itself, which spaces build upon. */
export const SpaceOfMember = Type.Object({ permission: RoleWord, space: Space }, { $id: 'SpaceOfMember' })
