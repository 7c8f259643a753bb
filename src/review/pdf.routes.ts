import type { FastifyReply } from 'fastify'
import { answerPage, leadTo } from '../account/answer.ts'
import { formToken } from '../account/forms.ts'
import { requireSession, requireSessionForm } from '../account/who.ts'
import { titleOf } from '../front/refusals.ts'
import { placeOf } from '../front/place.ts'
import type { App, Routes } from '../http/routes.ts'
import { accessContent } from '../pages/access.ts'
import { beginPdf, loadPdfs } from '../workspace/download/pdf.load.ts'
import { insteadPage } from './instead.page.ts'
import { type Opened, changePath, openChange, refusalIn } from './open.ts'
import { changePdfPage } from './pdf.page.ts'
import { nameOf } from './write.ts'

/** The content of a space with a change request applied, as a PDF, for everyone who may read it. */
export const changePdfPages: Routes = async (app) => {
  app.get(`${changePath}/~/pdf`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSession)
    if (!opened) return reply
    const { session, path, access } = opened
    return trying(app, reply, opened, async () => {
      const pdfs = await loadPdfs(app, request, await contentOf(app, opened))
      const around = { path, name: nameOf(access.changeRequest), form: formToken(app, { session }) }
      return answerPage(reply, changePdfPage(placeOf(app), around, pdfs))
    })
  })

  app.post(`${changePath}/~/pdf`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    return trying(app, reply, opened, async () => {
      const begun = await beginPdf(app, request, reply, await contentOf(app, opened))
      return leadTo(app, reply, `${opened.path}/~/pdf`, begun)
    })
  })
}

const contentOf = (app: App, { caller, access: { space, changeRequest } }: Opened) =>
  accessContent(app, caller, { spaceId: space.id, changeRequestId: changeRequest.id })

async function trying(app: App, reply: FastifyReply, { path }: Opened, work: () => Promise<FastifyReply>) {
  try {
    return await work()
  } catch (error) {
    const { reason, status } = refusalIn(error)
    const back = { label: 'Back to the change request', path }
    const said = { title: titleOf(status), tone: 'danger', text: reason, back } as const
    return answerPage(reply, insteadPage(placeOf(app), said), status)
  }
}
