import type { FastifyReply } from 'fastify'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { lockUnmerged } from '../../change-requests/access.ts'
import { updateFromMain } from '../../change-requests/merging/update.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { findMatter, loadConflicts } from './conflicts.load.ts'
import { nextIn } from './conflicts.next.ts'
import { conflictsPage } from './conflicts.page.ts'
import { type Matter, type Side, changeTaking, firstOf, isSide, stateOf } from './decisions.ts'
import { doneIn } from '../../workspace/said.ts'
import { type Opened, accessAgain, changePath, openChange, refusalIn } from '../open.ts'
import { isOpen } from '../parts.ts'
import { change, requireStill, writing } from '../write.ts'

/** What was just done, as the page reports it. */
const done: Record<string, string> = {
  updated: 'Updated from the main content, except for what both sides changed. Resolve that here.',
  decided: 'Resolved.',
  saved: 'Your text is saved.',
  torn: 'Your text is saved, but still in conflict: lines that begin with <<<<<<<, ======= or >>>>>>> are left in it.',
}

/** Shows and resolves the conflicts between a change request and the main content, for people with a browser. */
export const conflictPages: Routes = async (app) => {
  takeForms(app)

  app.get(`${changePath}/conflicts`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSession)
    if (!opened) return reply
    return show(app, reply, opened, doneIn(request, done))
  })

  app.post(`${changePath}/update`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async ({ opened }) => {
      const access = await accessAgain(app, opened, 'edit')
      const { result } = await write(request, async (tx) => {
        const { changeRequest, branch } = await lockUnmerged(tx, access.changeRequest)
        return updateFromMain(tx, changeRequest, branch)
      })
      if (result === 'update') return leadTo(app, reply, opened.path, { done: 'updated' })
      return leadTo(app, reply, `${opened.path}/conflicts`, { done: 'updated' })
    }),
  )

  app.post(`${changePath}/conflicts/:conflictId`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { opened } = written
      const { conflictId } = request.params as { conflictId: string }
      const { side, seen } = fieldsOf(request)
      try {
        if (!isSide(side)) throw conflict('Choose one of the buttons.')
        const matter = await findMatter(app, opened.access.changeRequest, conflictId)
        const asked = decided(matter, side, seen)
        await change(app, request, written, asked, requireStill(written))
        return leadTo(app, reply, ...(await nextIn(app, opened, 'decided')))
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, opened, { error: `${reason} Nothing was changed.` }, status)
      }
    }),
  )
}

/** Refuses a decision if it is not about what the user has read. */
function decided(matter: Matter, side: Side, seen: string | undefined) {
  if (stateOf(matter) !== seen) throw conflict('Somebody has changed this since you opened the page. Reload it.')
  if (firstOf(matter).length > 0) throw conflict('Something else about this page must be resolved first.')
  const asked = changeTaking(matter, side)
  if (!asked) throw conflict('This side cannot be used here.')
  return asked
}

async function show(
  app: App,
  reply: FastifyReply,
  opened: Opened,
  more: { done?: string; error?: string },
  status = 200,
): Promise<FastifyReply> {
  const { session, path } = opened
  const access = await accessAgain(app, opened, 'view')
  const parts = {
    ...(await loadConflicts(app, access)),
    path,
    form: formToken(app, { session }),
    mayDecide: spaceRights(access.role).edit && isOpen({ access }),
  }
  return answerPage(reply, conflictsPage(placeOf(app), { ...parts, ...more }), status)
}
