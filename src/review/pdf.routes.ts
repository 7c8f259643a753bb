import { answerPage, leadTo } from '../account/answer.ts'
import { formToken } from '../account/forms.ts'
import { requireSession, requireSessionForm } from '../account/who.ts'
import { titleOf } from '../front/refusals.ts'
import { placeOf } from '../front/place.ts'
import type { Routes } from '../http/routes.ts'
import { accessContent } from '../pages/access.ts'
import { loadPdf } from '../workspace/download/pdf.load.ts'
import { insteadPage } from './instead.page.ts'
import { changePath, openChange, refusalIn } from './open.ts'
import { changePdfPage } from './pdf.page.ts'
import { nameOf } from './write.ts'

/** What a space would be with a change request, as a PDF: for all who may read it. */
export const changePdfPages: Routes = async (app) => {
  app.get(`${changePath}/~/pdf`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSession)
    if (!opened) return reply
    const { session, caller, path, access } = opened
    const { space, changeRequest } = access
    try {
      const content = await accessContent(app, caller, { spaceId: space.id, changeRequestId: changeRequest.id })
      const pdf = await loadPdf(app, request, reply, content)
      const around = { path, name: nameOf(changeRequest), form: formToken(app, { session }) }
      return answerPage(reply, changePdfPage(placeOf(app), around, pdf))
    } catch (error) {
      const { reason, status } = refusalIn(error)
      const back = { label: 'Back to the change request', path }
      const said = { title: titleOf(status), tone: 'danger', text: reason, back } as const
      return answerPage(reply, insteadPage(placeOf(app), said), status)
    }
  })

  app.post(`${changePath}/~/pdf`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    return opened ? leadTo(app, reply, `${opened.path}/~/pdf`, { done: 'pdf' }) : reply
  })
}
