import { leadTo } from '../../account/answer.ts'
import { fieldsOf, takeForms } from '../../account/forms.ts'
import { lockUnmerged } from '../../change-requests/access.ts'
import { placeOf } from '../../comments/access.ts'
import { postComment } from '../../comments/actions.ts'
import { readPages } from '../../comments/pages.ts'
import type { Place } from '../../comments/place.ts'
import { placeOnPage } from '../../comments/place-on-page.ts'
import { type Target, findTarget } from '../../comments/target.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { addOnce } from '../../workspace/once.ts'
import { type ChangedLine, blockWith, lineNamed, quoteOf } from './changed-lines.ts'
import { fromAgain, fromIn } from '../changes/changes.load.ts'
import { keeping } from '../editor/hand-back.ts'
import { mentioning } from './mentioning.ts'
import { accessAgain, changePath, openChange } from '../open.ts'
import { commentIn, mostBytes } from './said.routes.ts'
import { trying } from '../show.ts'

/** Adds comments on a page of a change request, or a line of it, from the forms beside what changed there. */
export const besidePages: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.post(`${changePath}/comments`, async (request, reply) => {
    const { page = '', line = '', text = '' } = fieldsOf(request)
    const opened = await openChange(app, request, reply, keeping(text), text)
    if (!opened) return reply
    const from = fromIn(request)
    return trying(app, reply, opened, { beside: { page, line, text }, asked: { from } }, async () => {
      const typed = commentIn(text)
      const about = lineNamed(line)
      const access = await accessAgain(app, opened, 'comment')
      const words = await mentioning(app.db, access, opened.caller, typed)
      const id = await write(request, async (tx) => {
        const { changeRequest } = await lockUnmerged(tx, access.changeRequest)
        return addOnce(tx, request, async () => {
          const place = placeOf({ ...access, changeRequest }, opened.caller)
          const target = await targetOf(app, tx, place, page, about)
          const markdown = about ? `${quoteOf(about)}\n\n${words}` : words
          const row = await postComment(tx, place, { markdown, target })
          app.mail.tell(tx, { kind: 'said', organizationId: place.organizationId, about: { comment: row.id } })
          return row.id
        })
      })
      return leadTo(app, reply, opened.path, { done: 'said', from: fromAgain({ from }) }, placeOnPage(id))
    })
  })
}

/** Returns the page, and the block that contains the line. If the line no longer exists, only the page. */
async function targetOf(
  app: App,
  tx: Transaction,
  place: Place,
  page: string,
  line: ChangedLine | undefined,
): Promise<Target> {
  const entry = line && isId(page) ? (await readPages(app, tx, place.at, [page])).byId.get(page) : undefined
  const node = entry && blockWith(await app.content.document(place.organizationId, entry.doc), line!)
  return findTarget(app, tx, place, { page, ...(node !== undefined && { node }) })
}
