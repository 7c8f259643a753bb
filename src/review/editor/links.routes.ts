import { answerPage } from '../../account/answer.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { Routes } from '../../http/routes.ts'
import { pagesSought } from '../pages/first-pages.ts'
import { linksPage } from './links.page.ts'
import { changePath } from '../open.ts'
import { soughtIn } from '../pages/tree.page.ts'
import { nameOf, writing } from '../write.ts'

/** Lists pages to link to, for users who write other pages. */
export const linkPages: Routes = async (app) => {
  app.get(`${changePath}/~/links`, async (request, reply) =>
    writing(app, request, reply, requireSession, async ({ opened: { path, access }, head }) => {
      const tree = await app.content.tree(head)
      const name = nameOf(access.changeRequest)
      return answerPage(
        reply,
        linksPage(placeOf(app), { path, name, tree, pages: pagesSought(tree, soughtIn(request)) }),
      )
    }),
  )
}
