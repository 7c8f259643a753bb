import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { prepareBatch } from '../../editing/prepare.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { changesBetween } from '../../pages/changes.ts'
import { pageData } from '../../pages/entry-data.ts'
import { type RevisionWithCounts, findPageOnceThere, listRevisionsOfPage } from '../../pages/queries.ts'
import { changesOfPageIn } from '../../pages/revision-changes.ts'
import { findEntry } from '../../revisions/entries.ts'
import { findRevision } from '../../revisions/lines.ts'
import { type Revision, asRevision } from '../../revisions/revision.ts'
import { addressOf } from '../../workspace/reading/reading.page.ts'
import { type OpenedSpace, answerNothing, openSpace, spacePath } from '../../workspace/open.ts'
import { loadPart, partIn } from '../../workspace/paging.ts'
import type { Said } from '../../workspace/said.ts'
import { beginWith } from '../begin.ts'
import { refusalIn } from '../open.ts'
import { freshTexts } from './fresh-texts.ts'
import { chosenIn, revisionIn, spaceOf } from './history.routes.ts'
import { type Back, pageHistoryPage, pageVersionPage } from './page-history.page.ts'

const historyPath = `${spacePath}/~/pages/:pageId(^[0-9a-f-]{36}$)/history`
export const versionPath = `${historyPath}/:revisionId(^[0-9a-f-]{36}$)`

/** Shows the history of one page, and restores earlier states of it. */
export const pageHistoryPages: Routes = async (app) => {
  app.get(historyPath, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const page = await pageIn(app, request, opened)
    if (!page) return answerNothing(app, reply)
    const { access, path } = opened
    const chosen = await chosenIn(app, request, opened)
    const revisions = await loadPart(
      app,
      { path: `${path}/~/pages/${page.entry}/history`, filter: { with: chosen?.id }, page: partIn(request) },
      (asked) => listRevisionsOfPage(app.db, access.main.lineId, access.space, page.entry, asked),
      ({ seq }) => [seq],
    )
    const tree = await app.content.tree(access.main)
    const here = tree.byId.get(page.entry)
    const at = here && addressOf(path, tree, here)
    return answerPage(reply, pageHistoryPage(placeOf(app), { ...spaceOf(opened), page, at, revisions, chosen }))
  })

  app.get(versionPath, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    const version = opened && (await versionIn(app, request, opened))
    if (!opened) return reply
    return version ? show(app, reply, opened, version, {}) : answerNothing(app, reply)
  })

  app.post(`${versionPath}/restore`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    const version = opened && (await versionIn(app, request, opened))
    if (!opened) return reply
    if (!version) return answerNothing(app, reply)
    try {
      const number = await restore(app, request, opened, version)
      return leadTo(app, reply, `${opened.path}/~/changes/${number}`)
    } catch (error) {
      const { reason, status } = refusalIn(error)
      return show(app, reply, opened, version, { error: reason }, status)
    }
  })
}

interface Version {
  page: Entry
  revision: RevisionWithCounts
}

async function versionIn(app: App, request: FastifyRequest, opened: OpenedSpace): Promise<Version | undefined> {
  const [page, revision] = await Promise.all([pageIn(app, request, opened), revisionIn(app, request, opened)])
  return page && revision && { page, revision }
}

/** Finds a page that exists, or that existed once. */
export async function pageIn(app: App, { params }: FastifyRequest, { access: { main, space } }: OpenedSpace) {
  const { pageId } = params as { pageId: string }
  return isId(pageId) ? findPageOnceThere(app.db, main.lineId, space, pageId) : undefined
}

/**
 * Returns the newest state of a page to which a revision leads back. For a revision that deleted the page, that is the
 * one before.
 */
async function stateToRestore({ db }: App, { page, revision }: Version, main: Revision): Promise<Back> {
  const then = asRevision(revision)
  const [former] = revision.parents
  const isThere = async (at: Revision) => (await findEntry(db, at, page.entry)) !== undefined
  if (await isThere(then)) {
    const { changes } = await changesBetween(db, then, main, [page.entry], 1)
    return changes.length > 0 ? { to: revision.id, isFormer: false } : undefined
  }
  const before = former !== undefined && (await findRevision(db, main.organizationId, revision.space_id, former))
  if (!before || !(await isThere(asRevision(before))) || (await isThere(main))) return undefined
  return { to: before.id, isFormer: true }
}

/** Restores the page in a new change request. What came after the restored state stays in the history. */
async function restore(app: App, request: FastifyRequest, opened: OpenedSpace, version: Version) {
  const { caller } = opened
  const { page, revision } = version
  const { space, main } = await accessSpace(app.db, caller, opened.access.space.id, 'edit')
  const back = await stateToRestore(app, version, main)
  if (!back) throw conflict('There is nothing to restore: the page is the same as then, or did not exist yet.')
  const prepared = await prepareBatch(app, [{ operation: 'revert_page', page: page.entry, revision: back.to }])
  const subject = `Restore ${pageData(page).title} of ${revision.created_at.toISOString().slice(0, 10)}`
  const edit = { prepared, caller, store: app.store, url: app.url, requireHead: () => {} }
  return beginWith(request, space, edit, { subject })
}

async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedSpace,
  version: Version,
  said: Said,
  status = 200,
): Promise<FastifyReply> {
  const { main, role } = opened.access
  const { page, revision } = version
  const [changes, back] = await Promise.all([
    changesOfPageIn(app.db, revision, page.entry),
    spaceRights(role).edit ? stateToRestore(app, version, main) : undefined,
  ])
  const parts = {
    ...spaceOf(opened),
    ...version,
    changes,
    fresh: await freshTexts(app, revision.organization_id, changes),
    back,
    form: formToken(app, { session: opened.session }),
    ...said,
  }
  return answerPage(reply, pageVersionPage(placeOf(app), parts), status)
}
