import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { App, Routes } from '../../http/routes.ts'
import { isDerived } from '../../openapi/generate/expand.ts'
import type { Content } from '../../pages/access.ts'
import { withGenerated } from '../../pages/generated.ts'
import type { PageTree } from '../../pages/tree.ts'
import { type OpenedSpace, openSpace, spacePath, answerNothing } from '../open.ts'
import { drawPage } from './draw.ts'
import { readingPage } from './reading.page.ts'

/** The pages of a space at the addresses that the API names, for members who may read it: what is not published, too. */
export const workspaceReading: Routes = async (app) => {
  app.get(`${spacePath}/*`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const slugs = (request.params as { '*': string })['*'].split('/').filter((slug) => slug !== '')
    if (slugs.length === 0) return leadTo(app, reply, opened.path)
    const { session, caller, path, access } = opened
    const content = await withGenerated(app, contentOf(app, opened), {})
    const found = findPage(content.expanded?.tree, slugs) ?? findPage(await app.content.tree(content.at), slugs)
    if (!found) return answerNothing(app, reply)
    const parts = {
      organization: caller.membership.organization,
      space: access.space,
      path,
      form: formToken(app, { session }),
      ...found,
      body: await drawPage(app, content, found.page),
      mayWrite: spaceRights(access.role).edit && !isDerived(found.page.entry),
    }
    return answerPage(reply, readingPage(placeOf(app), parts))
  })
}

const contentOf = (app: App, { path, access: { space, main } }: OpenedSpace): Content => ({
  space,
  at: main,
  appUrl: `${app.url}${path}/`,
})

/** What is made from a specification stands in a tree of its own, in place of the page that asks for it. */
function findPage(tree: PageTree | undefined, slugs: string[]) {
  const page = tree?.at(slugs)
  return tree && page && { tree, page }
}
