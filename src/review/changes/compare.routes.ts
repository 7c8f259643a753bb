import type { FastifyRequest } from 'fastify'
import { answerPage } from '../../account/answer.ts'
import { requireSession } from '../../account/who.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { downloadUrl } from '../../files/download.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import type { LoadedChanges } from '../../pages/changes.ts'
import { changesOfPageSince, changesSince } from '../../pages/revision-changes.ts'
import { type OpenedSpace, answerNothing, openSpace } from '../../workspace/open.ts'
import { changesOnPage, fromIn } from './changes.load.ts'
import { type Both, comparePage, comparePageVersions } from './compare.page.ts'
import { freshTexts } from './fresh-texts.ts'
import { inOrder } from './history.page.ts'
import { revisionIn, revisionNamed, revisionPath, spaceOf } from './history.routes.ts'
import { pageIn, versionPath } from './page-history.routes.ts'

const since = 'since/:formerId(^[0-9a-f-]{36}$)'

/** Shows what changed between any two revisions of the main content, for a whole space or for one page. */
export const comparingPages: Routes = async (app) => {
  app.get(`${revisionPath}/${since}`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const both = await bothIn(app, request, opened)
    if (!both) return answerNothing(app, reply)
    const changes = await changesSince(app.db, both, changesOnPage, fromIn(request))
    return answerPage(reply, comparePage(placeOf(app), await partsOf(app, opened, both, changes)))
  })

  app.get(`${versionPath}/${since}`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const [both, page] = await Promise.all([bothIn(app, request, opened), pageIn(app, request, opened)])
    if (!both || !page) return answerNothing(app, reply)
    const changes = await changesOfPageSince(app.db, both, page.entry)
    const parts = await partsOf(app, opened, both, changes)
    return answerPage(reply, comparePageVersions(placeOf(app), { ...parts, page }))
  })
}

/** The older one first, regardless of the order in the address. */
async function bothIn(app: App, request: FastifyRequest, opened: OpenedSpace): Promise<Both | undefined> {
  const { formerId } = request.params as { formerId: string }
  const [one, other] = await Promise.all([revisionIn(app, request, opened), revisionNamed(app, formerId, opened)])
  return one && other && inOrder([one, other])
}

async function partsOf(app: App, opened: OpenedSpace, both: Both, changes: LoadedChanges) {
  const { space } = opened.access
  return {
    ...spaceOf(opened),
    both,
    changes,
    fresh: await freshTexts(app, space.organization_id, changes),
    openFile: (file: Entry) => downloadUrl(app, space.id, file),
  }
}
