import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Transaction, transaction } from '../db/transaction.ts'
import { placeOf } from '../front/place.ts'
import type { App, Routes } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { type MailKind, mailKinds } from '../mail/kinds.ts'
import { chooseMail } from '../mail/preferences.ts'
import { listMuted } from '../mail/queries.ts'
import { listConcerning } from '../change-requests/concerning.queries.ts'
import { type Session, clearSessionCookie } from '../sessions/cookie.ts'
import { endSession, endSessions } from '../sessions/open.ts'
import { listPlacesOfSession, listSessionsOf } from '../sessions/queries.ts'
import { createToken, revokeToken } from '../tokens/actions.ts'
import { findTokenOf, listTokensOf } from '../tokens/queries.ts'
import { changeUser } from '../users/actions.ts'
import { lockUser } from '../users/queries.ts'
import { type AccountParts, accountPage } from './account.page.ts'
import { answerPage, leadTo } from './answer.ts'
import { type Fields, fieldsOf, formToken } from './forms.ts'
import { tokenLives, tokenPowers } from './token-choices.ts'
import { readName, wrongName } from './name.ts'
import { onlyOnce } from './once.ts'
import { authorWith, requireSession, requireSessionForm } from './who.ts'

/** Messages about what was just done. The address of the page names one of these, and no other text is shown. */
const done: Record<string, string> = {
  joined: 'Welcome: you have joined.',
  left: 'You have left the organization.',
  named: 'Name saved.',
  'token-revoked': 'Token revoked.',
  'session-ended': 'That browser is signed out.',
  'others-ended': 'All other browsers are signed out.',
  mail: 'Notifications saved.',
}

const mostShown = 100
const mostPlaces = 10
const dayMs = 86_400_000

export const accountRoutes: Routes = async (app) => {
  app.get('/account', async (request, reply) => {
    const session = await requireSession(app, request, reply)
    if (!session) return reply
    const { done: what } = request.query as { done?: unknown }
    const said = typeof what === 'string' && Object.hasOwn(done, what) ? done[what] : undefined
    return show(app, reply, session, said === undefined ? {} : { said })
  })

  app.post('/account/name', async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    const name = readName(fieldsOf(request).displayName)
    if (name === undefined) return show(app, reply, session, { error: wrongName }, 400)
    if (name !== session.user.display_name) {
      await change(app, request, session, async (tx) =>
        changeUser(tx, await lockUser(tx, session.user.id), { display_name: name }),
      )
    }
    return leadTo(app, reply, '/account', { done: 'named' })
  })

  app.post('/account/tokens', async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    const fields = fieldsOf(request)
    const draft = readToken(fields)
    if ('error' in draft) return show(app, reply, session, draft, 400)

    const { label } = draft
    const userId = session.user.id
    const secret = await change(app, request, session, (tx) =>
      onlyOnce(tx, app.secrets, { userId, fields }, async () => (await createToken(tx, { userId, ...draft })).secret),
    )
    return show(app, reply, session, { newToken: { label, secret } })
  })

  app.post('/account/tokens/revoke', async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    const { id = '' } = fieldsOf(request)
    await change(app, request, session, async (tx) => {
      const found = isId(id) ? await findTokenOf(tx, session.user.id, id) : undefined
      // Nothing to do if the token is already gone.
      if (found) await revokeToken(tx, found.id)
    })
    return leadTo(app, reply, '/account', { done: 'token-revoked' })
  })

  app.post('/account/sessions/end', async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    const { id = '' } = fieldsOf(request)
    if (isId(id)) await change(app, request, session, (tx) => endSession(tx, session.user.id, id))
    return leadTo(app, reply, '/account', { done: 'session-ended' })
  })

  app.post('/account/sessions/end-others', async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    await change(app, request, session, (tx) => endSessions(tx, session.user.id, session.id))
    return leadTo(app, reply, '/account', { done: 'others-ended' })
  })

  app.post('/account/sessions/end-all', async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    await change(app, request, session, (tx) => endSessions(tx, session.user.id, null))
    clearSessionCookie(reply, request)
    return leadTo(app, reply, '/login', { out: '' })
  })

  app.post('/account/mail', async (request, reply) => {
    const session = await requireSessionForm(app, request, reply)
    if (!session) return reply
    const fields = fieldsOf(request)
    const wanted = new Set<MailKind>(mailKinds.filter((kind) => fields[kind] === 'on'))
    await change(app, request, session, (tx) => chooseMail(tx, session.user.id, wanted))
    return leadTo(app, reply, '/account', { done: 'mail' })
  })
}

const change = <Result>(
  app: App,
  request: FastifyRequest,
  session: Session,
  work: (tx: Transaction) => Promise<Result>,
) => transaction(app.db, authorWith(request, session), work)

async function show(
  app: App,
  reply: FastifyReply,
  session: Session,
  more: Pick<AccountParts, 'said' | 'error' | 'newToken'>,
  status = 200,
): Promise<FastifyReply> {
  const { user } = session
  const page = { limit: mostShown, after: undefined }
  await app.tokenUses.flush()
  const [places, tokens, sessions, muted] = await Promise.all([
    listPlacesOfSession(app.db, session),
    listTokensOf(app.db, user.id, page),
    listSessionsOf(app.db, user.id, page),
    listMuted(app.db, user.id),
  ])
  // A session opens few organizations. Those that require another way of signing in are left out.
  const opened = places.filter(({ only_sso }) => !only_sso).slice(0, mostPlaces)
  const concerning = await Promise.all(opened.map(({ id }) => listConcerning(app.db, id, user.id)))
  const shown = <Row>(list: { rows: Row[]; count: number }) => ({ ...list, rows: list.rows.slice(0, mostShown) })
  const parts = {
    session,
    form: formToken(app, { session }),
    places,
    concerning: concerning.flat(),
    muted,
    sendsMail: app.mail.isOn,
    ...more,
  }
  return answerPage(
    reply,
    accountPage(placeOf(app), { ...parts, tokens: shown(tokens), sessions: shown(sessions) }),
    status,
  )
}

type TokenDraft = Omit<Parameters<typeof createToken>[1], 'userId'>

function readToken({ label = '', power = '', life = '' }: Fields): TokenDraft | { error: string } {
  const name = label.trim()
  if (name === '' || [...name].length > 50) return { error: 'Enter what the token is for, in 1 to 50 characters.' }
  const may = Object.hasOwn(tokenPowers, power) ? tokenPowers[power] : undefined
  const lives = Object.hasOwn(tokenLives, life) ? tokenLives[life] : undefined
  if (!may || !lives) return { error: 'Choose what the token can do, and for how long.' }
  const expiresAt = lives.days === null ? null : new Date(Date.now() + lives.days * dayMs)
  return { label: name, scopes: may.scopes, expiresAt }
}
