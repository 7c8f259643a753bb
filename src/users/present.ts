import type { Static } from 'typebox'
import type { UserRow } from '../db/tables.ts'
import type { User } from './schema.ts'

/** The part of a user's row that others see. */
export type Person = Pick<UserRow, 'id' | 'email' | 'display_name' | 'photo_url'>

export function presentUser(row: Person, url: string): Static<typeof User> {
  return {
    object: 'user',
    id: row.id,
    displayName: row.display_name,
    email: row.email,
    ...(row.photo_url !== null && { photoURL: row.photo_url }),
    urls: { location: `${url}/v1/users/${row.id}` },
  }
}
