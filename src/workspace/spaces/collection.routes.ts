import { appPath } from '../../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CollectionAccess, accessCollection } from '../../access/content.ts'
import { collectionRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { accessCollectionToChange } from '../../collections/access.ts'
import { changeCollection, moveCollection, removeCollection } from '../../collections/actions.ts'
import { listTree } from '../../collections/queries.ts'
import { lockTree } from '../../collections/tree.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, notFound, asNone } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import {
  type KeptSettings,
  collectionPage,
  collectionSettingsPage,
  descriptionOf,
  longestDescription,
  namesOf,
} from './collection.page.ts'
import { contentTitleIn } from './content-title.ts'
import { makeIn, titleTyped } from './making.ts'
import type { Typed } from './making.page.ts'
import { destinationIn, destinationsIn } from './moving.ts'
import { positionIn } from './ordering.ts'
import { addOnce } from '../once.ts'
import { type OpenedCollection, collectionPath, openCollection, openOrganization } from '../open.ts'
import { changedTo } from '../overtaken.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { inOrder, mostRows } from './tree.ts'

/** Messages about what was just done. */
const done = { saved: 'Saved.', moved: 'Moved, with everything in it.' }

/** The page that contains the forms, for routes with another path. */
const onSettings = { config: { page: `${collectionPath}/settings` } }

/** A collection: its content, adding to it, its title and description, its place, and deleting it. */
export const workspaceCollections: Routes = async (app) => {
  app.get(collectionPath, async (request, reply) => {
    const opened = await openCollection(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, {}) : reply
  })

  app.post(`${collectionPath}/spaces`, async (request, reply) => making(app, request, reply, 'space'))

  app.post(`${collectionPath}/collections`, async (request, reply) => making(app, request, reply, 'collection'))

  app.get(`${collectionPath}/settings`, async (request, reply) => {
    const opened = await openCollection(app, request, reply, requireSession)
    if (!opened) return reply
    if (!collectionRights(opened.access.role).admin) return leadTo(app, reply, opened.path)
    return showSettings(app, reply, opened, doneIn(request, done))
  })

  app.post(`${collectionPath}/settings`, async (request, reply) => {
    const title = titleTyped(request)
    const { description: typed = '', seen } = fieldsOf(request)
    const description = typed.trim()
    return changing(app, request, reply, { title, description }, async (tx, { collection, role }) => {
      const changes = {
        ...(contentTitleIn(title, 'collection') !== collection.title && { title }),
        ...(descriptionIn(description) !== descriptionOf(collection) && { description }),
      }
      const isNew = Object.keys(changes).length > 0
      if (isNew && namesOf(collection) !== seen) throw changedTo(`“${collection.title}”`)
      if (isNew) await changeCollection(tx, collection, changes, role)
      return 'saved'
    })
  })

  app.post(`${collectionPath}/move`, onSettings, async (request, reply) => {
    const { into = '' } = fieldsOf(request)
    return changing(app, request, reply, { into }, async (tx, { collection, organizationRole }, { caller }) => {
      const parent = await destinationIn(tx, request, caller, { from: collection.parent_id, organizationRole })
      if (parent !== undefined) await moveCollection(tx, collection, { parent })
      return 'moved'
    })
  })

  app.post(`${collectionPath}/order`, onSettings, async (request, reply) => {
    const { near = '' } = fieldsOf(request)
    return changing(app, request, reply, { near }, async (tx, { collection, organizationRole }, { caller }) => {
      const placed = { id: collection.id, parent: collection.parent_id }
      const position = await positionIn(tx, request, caller, { ...placed, organizationRole })
      if (position) await moveCollection(tx, collection, { position })
      return 'moved'
    })
  })

  app.post(`${collectionPath}/delete`, onSettings, async (request, reply) => {
    const home = await openOrganization(app, request, reply, requireSessionForm)
    if (!home) return reply
    const { caller, path } = home
    const { organizationId, collectionId: id } = request.params as { organizationId: string; collectionId: string }
    try {
      await write(request, (tx) =>
        addOnce(tx, request, async () => {
          if (!isId(id)) throw notFound('collection')
          const { collection } = await accessCollectionToChange(tx, caller, id)
          if (collection.organization_id !== organizationId) throw notFound('collection')
          await removeCollection(tx, collection)
          return id
        }),
      )
      return leadTo(app, reply, path, { done: 'emptied' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      const opened = await openCollection(app, request, reply, requireSessionForm)
      return opened ? showSettings(app, reply, opened, { error: reason }, status) : reply
    }
  })
}

function descriptionIn(text: string): string {
  if ([...text].length > longestDescription || (text !== '' && !formats['one-line']!(text)))
    throw conflict(`A description is one line of at most ${longestDescription} characters.`)
  return text
}

/** Creates a space or a collection in this one. */
async function making(app: App, request: FastifyRequest, reply: FastifyReply, what: 'space' | 'collection') {
  const opened = await openCollection(app, request, reply, requireSessionForm)
  if (!opened) return reply
  const { caller, access } = opened
  const { organization_id, id } = access.collection
  try {
    const made = await makeIn(request, caller, what, id)
    return leadTo(app, reply, appPath[what](organization_id, made))
  } catch (error) {
    const { reason, status } = refusalOf(error)
    const title = titleTyped(request)
    return show(app, reply, opened, { error: reason, ...(what === 'space' ? { title } : { named: title }) }, status)
  }
}

/** Makes one change to a collection, in one transaction. */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptSettings,
  work: (tx: Transaction, access: CollectionAccess, opened: OpenedCollection) => Promise<keyof typeof done>,
): Promise<FastifyReply> {
  const opened = await openCollection(app, request, reply, requireSessionForm)
  if (!opened) return reply
  const { caller, path } = opened
  const { id, organization_id } = opened.access.collection
  await accessCollection(app.db, caller, id, 'admin')
  try {
    const what = await write(request, async (tx) => {
      // To move something, the tree has to be locked before anything in it.
      if ('into' in kept || 'near' in kept) await lockTree(tx, organization_id)
      return work(tx, await accessCollectionToChange(tx, caller, id), opened)
    })
    const isManaged = await accessCollection(app.db, caller, id, 'admin').catch(asNone)
    if (isManaged) return leadTo(app, reply, `${path}/settings`, { done: what })
    return leadTo(app, reply, appPath.organization(organization_id), { done: 'access' })
  } catch (error) {
    const { reason, status } = refusalOf(error)
    return showSettings(app, reply, opened, { error: reason, ...kept }, status)
  }
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access: { collection, role } }: OpenedCollection,
  more: Said & Typed,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const { rows } = await listTree(app.db, membership.organization.id, membership.userId, mostRows)
  const parent = rows.find(({ id }) => id === collection.id)?.parent
  const up = rows.find(({ id }) => id === parent)
  const branches = inOrder(rows, collection.id)
  const parts = { membership, path, collection, role, up, branches, form: formToken(app, { session }) }
  return answerPage(reply, collectionPage(placeOf(app), { ...parts, ...more }), status)
}

/** Shows the current state, to users who may change it. */
async function showSettings(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access: { collection: before } }: OpenedCollection,
  more: Said & KeptSettings,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const [{ collection }, { rows }] = await Promise.all([
    accessCollection(app.db, caller, before.id, 'admin'),
    listTree(app.db, membership.organization.id, membership.userId, mostRows),
  ])
  const destinations = destinationsIn(rows, caller, { id: collection.id, parent: collection.parent_id })
  const isEmpty = !rows.some(({ parent }) => parent === collection.id)
  const parts = { membership, path, collection, destinations, isEmpty, form: formToken(app, { session }) }
  return answerPage(reply, collectionSettingsPage(placeOf(app), { ...parts, ...more }), status)
}
