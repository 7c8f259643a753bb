import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../account/answer.ts'
import { fieldsOf, takeForms } from '../account/forms.ts'
import { requireSession, requireSessionForm } from '../account/who.ts'
import { addressOfChange } from '../audience/preview/change-preview.ts'
import { lockUnmerged } from '../change-requests/access.ts'
import { changeChangeRequest } from '../change-requests/actions.ts'
import { findMerger } from '../change-requests/merging/merge.queries.ts'
import { mergeInTurn } from '../change-requests/merging/merge.ts'
import type { ChangeRequest } from '../change-requests/queries.ts'
import { submitReview } from '../change-requests/reviews/reviews.actions.ts'
import { placeOf as placeOfComment } from '../comments/access.ts'
import { postComment } from '../comments/actions.ts'
import type { Place as CommentPlace } from '../comments/place.ts'
import { wholePlace } from '../comments/target.ts'
import type { Transaction } from '../db/transaction.ts'
import { placeOf } from '../front/place.ts'
import { conflict, asNone } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { write } from '../http/write.ts'
import { fromIn } from './changes/changes.load.ts'
import { keeping } from './editor/hand-back.ts'
import { partIn } from '../workspace/paging.ts'
import { showPage } from '../workspace/reading/reading.routes.ts'
import { doneIn } from '../workspace/said.ts'
import { combinedPage, lookPage } from './look.page.ts'
import { addOnce } from '../workspace/once.ts'
import { mentioning } from './comments/mentioning.ts'
import { type Opened, accessAgain, changePath, openChange } from './open.ts'
import { commentIn, mostBytes } from './comments/said.routes.ts'
import { doneAbout } from './parts.ts'
import { show, trying } from './show.ts'
import { listIn } from './pages/list.ts'
import { soughtIn } from './pages/tree.page.ts'

/** Messages about what was just done. */
const done: Record<string, string> = {
  ...doneAbout,
  approved: 'Approved.',
  'changes-requested': 'Changes requested.',
  merged: 'Merged. It is now part of the main content.',
  saved: 'Saved in this change request. Readers see it once it is merged.',
  combined:
    'Saved in this change request, together with what somebody else has changed since you opened it. Readers see it once it is merged.',
  added: 'Added.',
  moved: 'Page moved.',
  addressed: 'Address changed.',
  copied: 'Page copied.',
  renamed: 'Saved.',
  undone: 'Changes undone.',
  'undone-there': 'Changes undone. The page stays where it is.',
  'brought-back': 'Page restored.',
  opened: 'Ready for review.',
  updated: 'Updated from the main content.',
  settled: 'All conflicts are resolved. It can be merged now.',
  reopened: 'Reopened.',
  told: 'Subject and description saved.',
  asked: 'Review requested.',
  'asked-unmailed': 'Review requested. This server sends no mail, so tell the reviewer yourself.',
  'not-asked': 'Review request withdrawn.',
}

/**
 * The page of a change request in the browser, at the address that mails and the API refer to. Users who are not signed
 * in are asked to sign in, whatever the address names. If it does not exist, or the user may not see it, they get the
 * same page as for all other addresses below `/app`.
 */
export const reviewPages: Routes = async (app) => {
  const base = changePath
  takeForms(app, mostBytes)

  app.get(base, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSession)
    return opened ? showAsked(app, request, reply, opened) : reply
  })

  // Its pages are below it, at the addresses that the API names. All other addresses there lead to the change request
  // itself.
  app.get(`${base}/*`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSession)
    if (!opened) return reply
    const { number } = opened.access.changeRequest
    const { '*': address } = request.params as { '*': string }
    const inSpace = { ...opened, path: opened.path.replace(/\/~\/.*/, '') }
    const shown = await showPage(app, reply, inSpace, { change: number }, address)
    return shown?.reply ?? showAsked(app, request, reply, opened)
  })

  app.get(`${base}/preview`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSession)
    if (!opened) return reply
    return trying(app, reply, opened, {}, async () => {
      const { page, done: what } = request.query as { page?: unknown; done?: unknown }
      const location = await addressOf(app, opened, page)
      if (what === 'saved') return answerPage(reply, lookPage(placeOf(app), location))
      if (what === 'combined') return answerPage(reply, combinedPage(placeOf(app), location))
      return reply
        .code(303)
        .headers({ location, 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
        .send('')
    })
  })

  app.post(`${base}/review`, async (request, reply) => {
    const { status = '', comment = '', revision = '' } = fieldsOf(request)
    const opened = await openChange(app, request, reply, keeping(comment), comment)
    if (!opened) return reply
    return trying(app, reply, opened, { comment }, async () => {
      if (!isVerdict(status) && status !== 'said') throw conflict('Choose one of the buttons.')
      const typed = status === 'said' ? commentIn(comment) : comment.trim() === '' ? null : commentIn(comment)
      const access = await accessAgain(app, opened, status === 'said' ? 'comment' : 'review')
      const text = typed && (await mentioning(app.db, access, opened.caller, typed))
      await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        await addOnce(tx, request, async () => {
          const place = placeOfComment({ ...access, changeRequest }, opened.caller)
          const about: Record<string, string> = isVerdict(status)
            ? { review: (await review(tx, place, changeRequest, { status, comment: text }, revision)).id }
            : { comment: (await postComment(tx, place, { markdown: text!, target: wholePlace })).id }
          app.mail.tell(tx, { kind: 'said', organizationId: place.organizationId, about })
        })
      })
      return leadTo(app, reply, opened.path, { done: status })
    })
  })

  app.post(`${base}/open`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    return trying(app, reply, opened, {}, async () => {
      const access = await accessAgain(app, opened, 'edit')
      await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        await changeChangeRequest(tx, changeRequest, { status: 'open' })
      })
      return leadTo(app, reply, opened.path, {
        done: access.changeRequest.status === 'archived' ? 'reopened' : 'opened',
      })
    })
  })

  app.post(`${base}/merge`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { revision = '' } = fieldsOf(request)
    return trying(app, reply, opened, {}, async () => {
      const { caller, path } = opened
      const { changeRequest } = await accessAgain(app, opened, 'merge')
      const merging = {
        mergerId: caller.user.id,
        requireHead: (row: ChangeRequest) => requireSeen(row, revision),
        mail: app.mail,
      }
      const { result } = await mergeInTurn(request, changeRequest, merging).catch(async (error: unknown) => {
        // On a double click, the first click has already merged it.
        if ((await findMerger(app.db, changeRequest))?.id === caller.user.id) return { result: 'merge' }
        throw error
      })
      if (result === 'conflicts') throw conflict('Nothing was merged: there are conflicts with the main content.')
      return leadTo(app, reply, path, { done: 'merged' })
    })
  })
}

const showAsked = (app: App, request: FastifyRequest, reply: FastifyReply, opened: Opened) =>
  show(app, reply, opened, {
    ...doneIn(request, done),
    asked: { sought: soughtIn(request), inList: listIn(request), page: partIn(request), from: fromIn(request) },
  })

/** Returns the preview address of a page, or else of the space. */
async function addressOf(app: App, { caller, access }: Opened, page: unknown): Promise<string> {
  const names = { spaceId: access.space.id, changeRequestId: access.changeRequest.id }
  const at =
    typeof page === 'string' ? await addressOfChange(app, caller, names, { page, claims: {} }).catch(asNone) : undefined
  return at ?? addressOfChange(app, caller, names, { claims: {} })
}

const isVerdict = (status: string) => status === 'approved' || status === 'changes-requested'

function review(
  tx: Transaction,
  place: CommentPlace,
  changeRequest: ChangeRequest,
  verdict: Parameters<typeof submitReview>[3],
  revision: string,
) {
  requireSeen(changeRequest, revision)
  return submitReview(tx, place, changeRequest, verdict)
}

/** Users decide only about the revision that they have read. */
function requireSeen({ head_id }: ChangeRequest, revision: string): void {
  if (head_id !== revision) throw conflict('It has changed since you opened this page. Reload it.')
}
