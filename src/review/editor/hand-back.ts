import type { FastifyRequest } from 'fastify'
import { answerPage, pathWith } from '../../account/answer.ts'
import { comesFromElsewhere, requireOwnForm, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { App } from '../../http/routes.ts'
import { findSession } from '../../sessions/cookie.ts'
import { insteadPage } from '../instead.page.ts'
import { refusalIn } from '../open.ts'

/** For requests of users who are not signed in, or no longer. */
const mostOfOthers = 256 * 1024

/** Reads longer forms only for users who are signed in. Others do not even learn that a form is too long. */
export function takeLongForms(app: App, mostBytes: number): void {
  takeForms(app, mostBytes)
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST' || isShort(request)) return
    if (!(await requireSession(app, request, reply))) return reply
  })
}

function isShort({ headers }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': inChunks } = headers
  return inChunks === undefined && Number(length ?? 0) <= mostOfOthers
}

/**
 * The same as `requireSessionForm`, for texts that may have taken an hour to write: a user who was signed out in the
 * meantime gets their text back. Only what this very request contained is shown, and only if a page of ours sent it.
 */
export const keeping =
  (text: string): typeof requireSession =>
  async (app, request, reply) => {
    if (text === '' || comesFromElsewhere(app, request)) return requireSessionForm(app, request, reply)
    const handBack = (reason: string, back: { label: string; path: string }) => {
      const said = { title: 'Your text was not saved', tone: 'danger', text: reason, left: text } as const
      answerPage(reply, insteadPage(placeOf(app), { ...said, back: { ...back, inNewTab: true } }), 403)
      return undefined
    }
    const session = await findSession(request)
    if (!session) {
      const back = { label: 'Sign in in a new tab', path: pathWith('/login', { next: request.url }) }
      return handBack('You are no longer signed in. Copy your text, sign in, and paste it into the page.', back)
    }
    try {
      requireOwnForm(app, request, { session })
      return session
    } catch (error) {
      refusalIn(error)
      // The form belongs to a session that has ended, and the user has signed in again since.
      const back = { label: 'Open the page in a new tab', path: request.url }
      return handBack('You have signed in again since you opened the page. Copy your text and paste it there.', back)
    }
  }
