import Type from '../http/type.ts'
import { Token } from './schema.ts'

const { revokedAt: _revokedAt, urls: _urls, ...shared } = Token.properties

/** A token as an administrator of an organization sees it: without its address, which works only for its owner. */
export const MemberToken = Type.Object(
  { ...shared, barred: Type.Boolean({ description: 'Blocked in this organization.' }) },
  { $id: 'MemberToken' },
)
