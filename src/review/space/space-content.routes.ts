import { spaceRights } from '../../access/rights.ts'
import { answerPage } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { findUsers } from '../../pages/told.ts'
import { findEntry, reusable } from '../../revisions/entries.ts'
import { type OpenedSpace, answerNothing, openSpace, spacePath } from '../../workspace/open.ts'
import { drawPage } from '../../workspace/reading/draw.ts'
import { listReusable } from '../reusable-contents/reusable-contents.load.ts'
import { reusableReadingPage, spaceReusablesPage, spaceVariablesPage } from './space-content.page.ts'
import { listUnderWay, ownOf } from './under-way.load.ts'
import { listVariables } from '../variables/variables.load.ts'

const mostListed = 500

/** What a space has besides its pages: reusable contents and variables, for everyone who may read it. */
export const spaceContentPages: Routes = async (app) => {
  app.get(`${spacePath}/~/reusable-contents`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { main } = opened.access
    const [all, users, parts] = await Promise.all([listReusable(app, main), findUsers(app, main), partsOf(app, opened)])
    const contents = all.slice(0, mostListed)
    const listed = { ...parts, contents, more: all.length - contents.length, users }
    return answerPage(reply, spaceReusablesPage(placeOf(app), listed))
  })

  app.get(`${spacePath}/~/reusable-contents/:textId`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { space, main } = opened.access
    const { textId } = request.params as { textId: string }
    const entry = isId(textId) ? await findEntry(app.db, main, textId) : undefined
    if (entry?.kind !== reusable) return answerNothing(app, reply)
    const [body, users, tree, parts] = await Promise.all([
      drawPage(app, { space, at: main, appUrl: `${app.url}${opened.path}/` }, entry),
      findUsers(app, main),
      app.content.tree(main),
      partsOf(app, opened),
    ])
    const shown = { ...parts, entry, body, users: users.get(entry.entry) ?? [], tree }
    return answerPage(reply, reusableReadingPage(placeOf(app), shown))
  })

  app.get(`${spacePath}/~/variables`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const [all, parts] = await Promise.all([listVariables(app, opened.access.main), partsOf(app, opened)])
    const variables = all.slice(0, mostListed)
    const listed = { ...parts, variables, more: all.length - variables.length }
    return answerPage(reply, spaceVariablesPage(placeOf(app), listed))
  })
}

async function partsOf(app: App, { session, caller, path, access: { space, role } }: OpenedSpace) {
  const mayWrite = spaceRights(role).edit
  return {
    organization: caller.membership.organization,
    space,
    path,
    form: formToken(app, { session }),
    mayWrite,
    own: mayWrite ? ownOf((await listUnderWay(app, space)).changes, caller) : [],
  }
}
