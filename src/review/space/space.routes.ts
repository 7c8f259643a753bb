import { appPath } from '../../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessSpace, findCollectionFor } from '../../access/content.ts'
import { organizationRights, spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { createChangeRequest } from '../../change-requests/actions.ts'
import { type ChangeRequestFilter, listChangeRequests } from '../../change-requests/queries.ts'
import { longestSubject } from '../../change-requests/subject.ts'
import { placeOf as placeOfComments } from '../../comments/access.ts'
import { countIn } from '../../comments/counters.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { findGitSync } from '../../git/queries.ts'
import { invalid, notFound, asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { Revision } from '../../revisions/revision.ts'
import { accessToCopy } from '../../spaces/duplicate.ts'
import { loadText, reusableTexts } from '../editor/edit.texts.ts'
import { pagesSought } from '../pages/first-pages.ts'
import { addOnce } from '../../workspace/once.ts'
import { type OpenedSpace, openSpace, spacePath } from '../../workspace/open.ts'
import { loadPart, partIn } from '../../workspace/paging.ts'
import { isWatching } from '../../mail/watching.ts'
import { type Said, doneIn } from '../../workspace/said.ts'
import { subjectFor, subjectOfNew } from '../begin.ts'
import { refusalIn } from '../open.ts'
import { findPlacesOf } from './places.load.ts'
import { closedPage, spacePage } from './space.page.ts'
import { soughtIn } from '../pages/tree.page.ts'
import { listUnderWay, ownOf } from './under-way.load.ts'
import { pageIn } from '../write.ts'

const done = {
  restored: 'Space restored.',
  watched:
    'You are watching this space. You get a mail when a change request is merged or others edit the main content.',
  unwatched: 'You are no longer watching this space.',
}

/** The pages that lead to change requests in the browser: those under way in a space, and its pages. */
export const spacePages: Routes = async (app) => {
  app.get(spacePath, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, { sought: soughtIn(request), ...doneIn(request, done) }) : reply
  })

  app.get(`${spacePath}/~/closed`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { organization } = opened.caller.membership
    const { space } = opened.access
    const changes = await loadPart(
      app,
      { path: `${opened.path}/~/closed`, page: partIn(request) },
      (asked) => listChangeRequests(app.db, organization.id, space.id, closed, asked),
      ({ updated_at, id }) => [updated_at.toISOString(), id],
    )
    return answerPage(reply, closedPage(placeOf(app), { organization, space, changes }))
  })

  app.post(`${spacePath}/~/changes`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const subject = (fieldsOf(request).subject ?? '').trim()
    try {
      const { space } = await accessSpace(app.db, opened.caller, opened.access.space.id, 'edit')
      if ([...subject].length > longestSubject)
        throw invalid('subject', 'maxLength', `at most ${longestSubject} characters`)
      const number = await write(request, (tx) => begin(tx, request, space, subject))
      return leadTo(app, reply, appPath.change(space.organization_id, space.id, number))
    } catch (error) {
      const { reason, status } = refusalIn(error)
      return show(app, reply, opened, { error: reason, subject }, status)
    }
  })

  app.post(`${spacePath}/~/edits`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const fields = fieldsOf(request)
    try {
      const { space, main } = await accessSpace(app.db, opened.caller, opened.access.space.id, 'edit')
      const { subject, at } = await editIn(app, main, fields)
      const change = fields.change || (await write(request, (tx) => begin(tx, request, space, subject)))
      if (!/^\d{1,9}$/.test(change)) throw notFound('change request')
      return leadTo(app, reply, `${appPath.change(space.organization_id, space.id, change)}/${at}`)
    } catch (error) {
      const { reason, status } = refusalIn(error)
      return show(app, reply, opened, { error: reason }, status)
    }
  })
}

/** Returns a subject for what the user wants to edit, existing or new, and its path below the change request. */
async function editIn(app: App, main: Revision, fields: Fields): Promise<{ subject: string; at: string }> {
  const subjectOf = (title: string) => subjectFor(`Edit ${title}`)
  const { page: pageId, reusable: contentId, variables } = fields
  if (variables !== undefined) return { subject: 'Change variables', at: '~/variables' }
  if (contentId === 'new') return { subject: 'New reusable content', at: '~/reusable-contents' }
  if (contentId !== undefined) {
    const { entry, title } = await loadText(app, reusableTexts, main, contentId)
    return { subject: subjectOf(title), at: `~/reusable-contents/${entry.entry}` }
  }
  if (pageId === 'new') return { subject: subjectOfNew(), at: 'pages/new' }
  const page = pageIn(await app.content.tree(main), pageId)
  if (pageData(page).type !== 'document') throw notFound('page')
  return { subject: subjectOf(pageData(page).title), at: `pages/${page.entry}` }
}

/** A double click begins one change request. */
function begin(tx: Transaction, request: FastifyRequest, space: SpaceRow, subject: string): Promise<string> {
  return addOnce(tx, request, async () =>
    String((await createChangeRequest(tx, space, { subject, description: null })).number),
  )
}

const closed: ChangeRequestFilter = { statuses: ['merged', 'archived'], orderBy: 'updatedAt' }

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, access }: OpenedSpace,
  { sought = '', ...more }: { sought?: string; subject?: string } & Said = {},
  status = 200,
): Promise<FastifyReply> {
  const { space, role, main } = access
  const { collection_id: around } = space
  const rights = spaceRights(role)
  const [{ changes, more: moreChanges }, publishedIn, tree, found, git, copied, comments, watched] = await Promise.all([
    listUnderWay(app, space),
    findPlacesOf(app, caller, space.id),
    app.content.tree(main),
    around === null ? undefined : findCollectionFor(app.db, caller, around),
    findGitSync(app.db, space.organization_id, space.id),
    // Users who may change the settings find copying there.
    rights.admin ? undefined : accessToCopy(app.db, caller, space.id).catch(asNone),
    countIn(app.db, placeOfComments(access, caller)),
    isWatching(app.db, space, caller.user.id),
  ])
  const parts = {
    organization: caller.membership.organization,
    space,
    collection: found?.collection,
    changes,
    more: moreChanges,
    openComments: comments.open,
    mayWrite: rights.edit,
    mayManage: rights.admin,
    mayCopy: copied !== undefined,
    hasGit: rights.triggerGitSync || (git !== undefined && git.url !== null),
    tree,
    pages: pagesSought(tree, sought),
    publishedIn,
    mayPublish: organizationRights(caller.membership).createContent,
    own: ownOf(changes, caller),
    // Without mail, nothing is sent, so watching is only shown to be turned off.
    watching: app.mail.isOn || watched ? { isOn: watched } : undefined,
    form: formToken(app, { session }),
  }
  return answerPage(reply, spacePage(placeOf(app), { ...parts, ...more }), status)
}
