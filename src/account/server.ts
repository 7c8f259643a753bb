import { placeOf } from '../front/place.ts'
import { titleOf } from '../front/refusals.ts'
import { type ApiError, inSentence, readError } from '../http/errors.ts'
import { refuseUntilReady } from '../http/health.ts'
import type { Routes } from '../http/routes.ts'
import { oidcRoutes } from '../oidc/routes.ts'
import { aboutPages } from '../review/about.routes.ts'
import { conflictPages } from '../review/conflicts.routes.ts'
import { editPages } from '../review/edit.routes.ts'
import { filePages } from '../review/files.routes.ts'
import { placePages } from '../review/place.routes.ts'
import { reviewerPages } from '../review/reviewers.routes.ts'
import { reviewPages } from '../review/routes.ts'
import { saidPages } from '../review/said.routes.ts'
import { spacePages } from '../review/space.routes.ts'
import { workspaceImports } from '../workspace/imports.routes.ts'
import { workspaceReading } from '../workspace/reading.routes.ts'
import { workspaceSearch } from '../workspace/search.routes.ts'
import { workspaceShareLinks } from '../workspace/share-links.routes.ts'
import { workspaceSiteSpaces } from '../workspace/site-spaces.routes.ts'
import { workspaceSite } from '../workspace/site.routes.ts'
import { workspaceSites } from '../workspace/sites.routes.ts'
import { workspaceInvites } from '../workspace/invites.routes.ts'
import { workspacePeople } from '../workspace/people.routes.ts'
import { workspaceSpaces } from '../workspace/spaces.routes.ts'
import { workspaceTeams } from '../workspace/teams.routes.ts'
import { answerPage } from './answer.ts'
import { takeForms } from './forms.ts'
import { invitePageRoutes } from './invite.routes.ts'
import { unsubscribeRoutes } from './mail.routes.ts'
import { noticePage } from './notice.page.ts'
import { accountRoutes } from './routes.ts'
import { signInRoutes } from './sign-in.routes.ts'

/** The pages for people with an account: signing in, what is theirs, joining. They take forms, and answer with pages. */
export const personalPages: Routes = async (app) => {
  takeForms(app)
  app.setErrorHandler((error, request, reply) => {
    const known = readError(error, request)
    return answerPage(reply.headers(known.headers), noticePage(placeOf(app), noticeOf(known)), known.status)
  })
  app.addHook('onRequest', async () => refuseUntilReady(app.health))
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST') app.limit?.count(request, reply)
  })

  app.register(signInRoutes)
  if (app.config.oidc) app.register(oidcRoutes(app.config.oidc))
  app.register(accountRoutes)
  app.register(invitePageRoutes)
  app.register(reviewPages)
  app.register(saidPages)
  app.register(reviewerPages)
  app.register(aboutPages)
  app.register(editPages)
  app.register(conflictPages)
  app.register(placePages)
  app.register(filePages)
  app.register(spacePages)
  app.register(workspaceSpaces)
  app.register(workspaceReading)
  app.register(workspaceSearch)
  app.register(workspaceImports)
  app.register(workspaceSites)
  app.register(workspaceSite)
  app.register(workspaceSiteSpaces)
  app.register(workspaceShareLinks)
  app.register(workspacePeople)
  app.register(workspaceInvites)
  app.register(workspaceTeams)
  app.register(unsubscribeRoutes)
}

function noticeOf(error: ApiError) {
  const { status } = error
  const title = titleOf(status)
  const message = inSentence(error)
  if (status === 404) return { title, text: `${message} It may have been used, taken back or expired.` }
  if (status === 503) return { title, text: 'We cannot answer right now. Try again in a moment.' }
  return { title, text: message }
}
