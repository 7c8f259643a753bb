import type { FastifyReply } from 'fastify'
import { answerPage } from '../account/answer.ts'
import { formToken } from '../account/forms.ts'
import { placeOf } from '../front/place.ts'
import { policyOfPages } from '../front/policy.ts'
import type { App } from '../http/routes.ts'
import { type Asked, loadReviewed } from './load.ts'
import { type Opened, refusalIn } from './open.ts'
import { reviewPage } from './page.ts'
import { type Kept, mayWrite } from './parts.ts'

/** What the user entered, and which part of the page they were looking at. */
type Shown = Kept & { asked?: Partial<Omit<Asked, 'path'>> }

/** Shows a refusal on the page itself, with what the user had entered. */
export async function trying(
  app: App,
  reply: FastifyReply,
  opened: Opened,
  kept: Shown,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const { reason, status } = refusalIn(error)
    return show(app, reply, opened, { ...kept, error: reason }, status)
  }
}

export async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, access, path }: Opened,
  { asked, ...more }: Shown & { done?: string; error?: string },
  status = 200,
): Promise<FastifyReply> {
  const reviewed = await loadReviewed(app, access, caller, { path, sought: '', ...asked })
  const form = formToken(app, { session })
  const parts = { ...reviewed, path, form, ...more }
  // The script that moves pages sends requests to our server.
  const policy = policyOfPages("'self'", mayWrite(parts) ? "'self'" : "'none'")
  return answerPage(reply, reviewPage(placeOf(app), parts), status, policy)
}
