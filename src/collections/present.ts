import { appPath } from '../app-path.ts'
import type { Static } from 'typebox'
import { collectionRights } from '../access/rights.ts'
import type { CollectionSeen } from './queries.ts'
import type { Collection } from './schema.ts'

export function presentCollection(row: CollectionSeen, url: string): Static<typeof Collection> {
  return {
    object: 'collection',
    id: row.id,
    title: row.title,
    ...(row.description !== null && { description: row.description }),
    organization: row.organization_id,
    ...(row.seen_parent !== null && { parent: row.seen_parent }),
    defaultLevel: row.default_level,
    urls: {
      location: `${url}/v1/collections/${row.id}`,
      app: `${url}${appPath.collection(row.organization_id, row.id)}`,
    },
    permissions: collectionRights(row.role),
  }
}
