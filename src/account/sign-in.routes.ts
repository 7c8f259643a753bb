import type { FastifyReply, FastifyRequest } from 'fastify'
import { transaction } from '../db/transaction.ts'
import { placeOf } from '../front/place.ts'
import { isEmail } from '../http/formats.ts'
import type { App, Routes } from '../http/routes.ts'
import { authorOf } from '../http/write.ts'
import { findOrganizationByName } from '../organizations/queries.ts'
import { type TooOften, makeMailedCode, tryCode } from '../sessions/codes.ts'
import {
  type Session,
  clearSessionCookie,
  findSession,
  hasArrived,
  isMereClaim,
  readCookie,
  setCookie,
  setSessionCookie,
} from '../sessions/cookie.ts'
import { readNext } from '../sessions/next.ts'
import { endSession } from '../sessions/open.ts'
import { signInWithCode } from '../sessions/sign-in.ts'
import { shortened } from '../shortened.ts'
import { answerPage, leadTo } from './answer.ts'
import { fieldsOf, formToken, isOvertaken, overtaken, requireOwnForm } from './forms.ts'
import { openOnce } from './open-once.ts'
import { codePage, loginPage } from './login.page.ts'
import { noteRefusedSignIn } from './refused.ts'
import { findWaysIn } from './ways-in.ts'
import { authorWith, knowBrowser, requireSessionForm } from './who.ts'

/** What is passed from page to page until a person is signed in. */
interface Along {
  next: string | undefined
  org: string | undefined
  email: string
}

const wrongCode = 'The code is wrong or has expired. Check it, or request a new one.'
const noAddress = 'That is not an e-mail address.'

export const signInRoutes: Routes = async (app) => {
  app.get('/login', async (request, reply) => {
    const along = readAlong(request.query as object)
    if (isIn(await findSession(request), along)) return lead(app, reply, along)
    const isOut = 'out' in (request.query as object)
    return showLogin(app, request, reply, along, isOut ? { tone: 'success', text: 'You have signed out.' } : undefined)
  })

  app.post('/login', async (request, reply) => {
    const along = readAlong(fieldsOf(request))
    const browser = readCookie(request, 'sign-in')
    // Already signed in, in another tab.
    if (await hasArrived(request)) return lead(app, reply, along)
    if (isOvertaken(app, request, browser))
      return showLogin(app, request, reply, along, { tone: 'danger', text: overtaken }, 403)
    requireOwnForm(app, request, browser === undefined ? undefined : { browser })
    if (!isEmail(along.email)) return showLogin(app, request, reply, along, { tone: 'danger', text: noAddress }, 400)

    const refused = app.mail.isOn ? await mailCode(app, request, along, browser!) : undefined
    if (refused) {
      reply.header('retry-after', String(refused.seconds))
      return showLogin(app, request, reply, along, { tone: 'danger', text: tooOftenText(refused) }, 429)
    }
    return leadTo(app, reply, '/login/code', { ...along })
  })

  app.get('/login/code', async (request, reply) => {
    const along = readAlong(request.query as object)
    if (isIn(await findSession(request), along)) return lead(app, reply, along)
    if (!isEmail(along.email)) return leadTo(app, reply, '/login', { ...along, email: undefined })
    return showCode(app, request, reply, along)
  })

  app.post('/login/code', async (request, reply) => {
    const fields = fieldsOf(request)
    const along = readAlong(fields)
    const browser = readCookie(request, 'sign-in')
    // On a double click, the first request may have been answered before the second was sent.
    if (await hasArrived(request)) return lead(app, reply, along)
    const isShown = isEmail(along.email)
    if (isShown && isOvertaken(app, request, browser)) return showCode(app, request, reply, along, overtaken, 403)
    requireOwnForm(app, request, browser === undefined ? undefined : { browser })
    if (!isShown) return leadTo(app, reply, '/login')

    const { tooOften, secret, seconds } = await trySignIn(app, request, {
      email: along.email,
      code: (fields.code ?? '').slice(0, 32),
      browser: browser!,
    })
    if (tooOften) {
      reply.header('retry-after', String(seconds))
      return showCode(app, request, reply, along, tooOftenText({ tooOften, seconds }), 429)
    }
    if (secret === undefined) return showCode(app, request, reply, along, wrongCode, 400)
    setSessionCookie(reply, request, secret)
    setCookie(reply, request, 'sign-in', '', 0)
    return lead(app, reply, along)
  })

  app.post('/logout', { config: { page: '/account' } }, async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    await transaction(app.db, authorWith(request, session), (tx) => endSession(tx, session.user.id, session.id))
    clearSessionCookie(reply, request)
    const next = readNext(fieldsOf(request).next)
    return next === undefined ? leadTo(app, reply, '/login', { out: '' }) : leadTo(app, reply, next)
  })
}

function readAlong(from: object): Along {
  const { next, org, email } = from as Record<string, unknown>
  return {
    next: readNext(next),
    org: typeof org === 'string' && /^[a-z0-9-]{3,36}$/.test(org) ? org : undefined,
    email: typeof email === 'string' ? shortened(email.trim(), 320) : '',
  }
}

const lead = (app: App, reply: FastifyReply, { next }: Along) => leadTo(app, reply, next ?? '/account')

/**
 * Whether the person counts as signed in. A person who has not yet verified their address does so by signing in again,
 * with a code mailed there.
 */
const isIn = (session: Session | undefined, { email }: Along): boolean =>
  session !== undefined && !(isMereClaim(session) && email === session.user.email)

type Said = NonNullable<Parameters<typeof loginPage>[1]['said']>

async function showLogin(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  along: Along,
  said?: Said,
  status = 200,
) {
  const form = formToken(app, { browser: knowBrowser(request, reply) })
  const waysIn = await findWaysIn(app, placeOf(app).link(''), { org: along.org })
  const { oidc } = app.config
  const welcoming = oidc?.role && oidc.name
  return answerPage(
    reply,
    loginPage(placeOf(app), { form, ...along, waysIn, welcoming, ...(said && { said }) }),
    status,
  )
}

async function showCode(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  along: Along,
  error?: string,
  status = 200,
) {
  const form = formToken(app, { browser: knowBrowser(request, reply) })
  const waysIn = await findWaysIn(app, placeOf(app).link(''), along)
  const page = codePage(placeOf(app), {
    form,
    ...along,
    waysIn,
    isMailed: app.mail.isOn,
    ...(error !== undefined && { error }),
  })
  return answerPage(reply, page, status)
}

/** Returns what prevents sending, if anything. Does not wait for the mail itself. */
async function mailCode(
  app: App,
  request: FastifyRequest,
  { email, org }: Along,
  browser: string,
): Promise<TooOften | undefined> {
  const made = await transaction(app.db, authorOf(request), async (tx) => {
    tx.leaveMain()
    const organizationId = org === undefined ? undefined : (await findOrganizationByName(tx, org))?.id
    const made = await makeMailedCode(tx, app.secrets, { email, organizationId, address: request.ip, browser })
    if (made.tooOften) return made
    // Also done if nobody has the address, so that it takes the same time. The mail then goes to nobody.
    const sealed = app.secrets.seal('mail', made.code)
    app.mail.tell(tx, { kind: 'sign-in-code', sealed, ...(made.user && { address: made.user.email }) })
    return undefined
  })
  if (made) noteRefusedSignIn(app, request, undefined, 'too-often')
  return made
}

interface Attempt {
  tooOften: boolean
  seconds: number
  /** The secret of the new session. */
  secret?: string
}

async function trySignIn(
  app: App,
  request: FastifyRequest,
  tried: { email: string; code: string; browser: string },
): Promise<Attempt> {
  const former = await findSession(request)
  let attempt: Attempt = { tooOften: false, seconds: 0 }
  const secret = await transaction(app.db, authorOf(request), (tx) =>
    openOnce(tx, request, former, async (browser) => {
      const verdict = await tryCode(tx, app.secrets, { ...tried, address: request.ip })
      if (verdict.tooOften) attempt = verdict
      if (verdict.tooOften || !verdict.holder) return undefined
      const { holder } = verdict
      return { holder, opened: await signInWithCode(tx, holder, verdict.kind!, browser) }
    }),
  )
  if (secret !== undefined) attempt = { ...attempt, secret }
  if (attempt.tooOften) noteRefusedSignIn(app, request, undefined, 'too-often')
  else if (attempt.secret === undefined) noteRefusedSignIn(app, request, tried.email, 'wrong-code')
  return attempt
}

function tooOftenText({ seconds }: TooOften): string {
  const minutes = Math.ceil(seconds / 60)
  return `That was tried too often. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
}
