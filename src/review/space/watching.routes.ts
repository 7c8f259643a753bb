import { fieldsOf } from '../../account/forms.ts'
import { leadTo } from '../../account/answer.ts'
import { requireSessionForm } from '../../account/who.ts'
import type { Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { watch } from '../../mail/watching.ts'
import { openSpace, spacePath } from '../../workspace/open.ts'

/** Users who can read a space may get mails about what is merged and written there. */
export const watchingPages: Routes = async (app) => {
  app.post(`${spacePath}/~/watch`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { caller, access, path } = opened
    const wanted = fieldsOf(request).watch === 'on'
    await write(request, (tx) => watch(tx, access.space, caller.user.id, wanted))
    return leadTo(app, reply, path, { done: wanted ? 'watched' : 'unwatched' })
  })
}
