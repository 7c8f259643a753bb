import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type CollectionAccess, type SpaceAccess, accessCollection, accessSpace } from '../../access/content.ts'
import type { Level } from '../../access/levels.ts'
import type { Role } from '../../access/roles.ts'
import type { requireSession } from '../../account/who.ts'
import { accessCollectionToChange } from '../../collections/access.ts'
import { changeCollection } from '../../collections/actions.ts'
import type { Db } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { ThingAccess } from '../../grants/access.ts'
import type { App } from '../../http/routes.ts'
import { type SiteAccess, accessSite, accessSiteToChange } from '../../sites/access.ts'
import { asThing } from '../../sites/permissions/access.ts'
import { accessSpaceToChange } from '../../spaces/access.ts'
import { changeSpace } from '../../spaces/actions.ts'
import {
  type OpenedOrganization,
  collectionPath,
  openCollection,
  openSite,
  openSpace,
  sitePath,
  spacePath,
} from '../open.ts'

/** An object whose roles the current user can manage. */
export interface Managed extends ThingAccess {
  title: string
  /** The level of everybody else. Sites have none. */
  everybody?: Level & {
    /** The id of the collection around it. */
    up: string | null
    change: (tx: Transaction, level: Role | null | 'inherit') => Promise<void>
  }
}

/** A kind of object to give roles on, and how to load it. */
export interface Manageable {
  /** The path of the object, the path of its access page below that, and the name of its id in the path. */
  at: string
  below: string
  idName: string
  open(
    app: App,
    request: FastifyRequest,
    reply: FastifyReply,
    require: typeof requireSession,
  ): Promise<OpenedOrganization | undefined>
  /** Refuses callers who may not manage roles there. */
  see(db: Db, caller: Caller, id: string): Promise<Managed>
  /** The same, with the object locked. */
  hold(tx: Transaction, caller: Caller, id: string): Promise<Managed>
}

export const manageable: readonly Manageable[] = [
  {
    at: spacePath,
    below: '/~/access',
    idName: 'spaceId',
    open: openSpace,
    see: async (db, caller, id) => ofSpace(await accessSpace(db, caller, id, 'admin')),
    hold: async (tx, caller, id) => ofSpace(await accessSpaceToChange(tx, caller, id)),
  },
  {
    at: collectionPath,
    below: '/access',
    idName: 'collectionId',
    open: openCollection,
    see: async (db, caller, id) => ofCollection(await accessCollection(db, caller, id, 'admin')),
    hold: async (tx, caller, id) => ofCollection(await accessCollectionToChange(tx, caller, id)),
  },
  {
    at: sitePath,
    below: '/access',
    idName: 'siteId',
    open: openSite,
    see: async (db, caller, id) => ofSite(await accessSite(db, caller, id, 'admin')),
    hold: async (tx, caller, id) => ofSite(await accessSiteToChange(tx, caller, id, 'admin')),
  },
]

export const idOf = ({ idName }: Manageable, { params }: FastifyRequest): string =>
  (params as Record<string, string>)[idName]!

const ofSpace = ({ space, role, organizationRole }: SpaceAccess): Managed => ({
  thing: { organizationId: space.organization_id, type: 'space', id: space.id },
  role,
  organizationRole,
  title: space.title,
  everybody: {
    inherits: space.inherits,
    level: space.level,
    up: space.collection_id,
    change: (tx, defaultLevel) => changeSpace(tx, space, { defaultLevel }, role),
  },
})

const ofCollection = ({ collection, role, organizationRole }: CollectionAccess): Managed => ({
  thing: { organizationId: collection.organization_id, type: 'collection', id: collection.id },
  role,
  organizationRole,
  title: collection.title,
  everybody: {
    inherits: collection.inherits,
    level: collection.level,
    up: collection.parent_id,
    change: (tx, defaultLevel) => changeCollection(tx, collection, { defaultLevel }, role),
  },
})

const ofSite = (access: SiteAccess): Managed => ({ ...asThing(access), title: access.site.title })
