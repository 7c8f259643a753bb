import Type from '../http/type.ts'
import { Organization } from './schema.ts'

export const OrganizationsOfDomain = Type.Object({ organizations: Type.Array(Organization) })

export const Subdomain = Type.Object(
  {
    object: Type.Literal('subdomain'),
    subdomain: Type.String(),
    target: Type.Object({ type: Type.Literal('organization'), organization: Type.String() }),
    isActive: Type.Boolean(),
  },
  { $id: 'Subdomain' },
)
