import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../access/scopes.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { tokenLives } from '../../account/token-choices.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import { byAge } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { write } from '../../http/write.ts'
import { changeOrganization } from '../../organizations/actions.ts'
import { countMarked } from '../../organizations/members.queries.ts'
import { findOrganization, lockOrganization } from '../../organizations/queries.ts'
import { createProvider } from '../../saml/actions.ts'
import { listProviders, listReadyProviders } from '../../saml/queries.ts'
import { NewSamlProvider } from '../../saml/schema.ts'
import { scimBase } from '../../scim/present.ts'
import { createToken } from '../../tokens/actions.ts'
import { addOnce, makeOnce } from '../once.ts'
import { type OpenedOrganization, openAdministered, organizationPath } from '../open.ts'
import { isNew } from '../overtaken.ts'
import { loadPart, partIn } from '../paging.ts'
import { naming, refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { type KeptSignOn, insistingNow, signOnPage } from './single-sign-on.page.ts'

export const signOnPath = `${organizationPath}/single-sign-on`

const dayMs = 86_400_000

/** The scopes that an identity provider needs for reporting who is a member. */
const scimScopes: Scope[] = ['organization:members:read', 'organization:members:write']

const done = {
  saved: 'Saved.',
  deleted: 'Identity provider deleted. Nobody can sign in through it.',
}

/** Single sign-on of an organization, for its administrators: its identity providers, who must use them, and SCIM. */
export const workspaceSignOn: Routes = async (app) => {
  app.get(signOnPath, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, { page: partIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(signOnPath, async (request, reply) => {
    const { label = '' } = fieldsOf(request)
    return changing(app, request, reply, {
      kept: { label },
      work: (tx, { caller }) =>
        addOnce(tx, request, async () => {
          const draft = asBody(NewSamlProvider, { label: label.trim() })
          return (await createProvider(tx, app.secrets, caller.membership, draft)).id
        }),
      answer: ({ path }, id) => leadTo(app, reply, `${path}/single-sign-on/${id}`),
    })
  })

  app.post(`${signOnPath}/insisting`, async (request, reply) => {
    const fields = fieldsOf(request)
    const { insisting = '' } = fields
    return changing(app, request, reply, {
      kept: { insisting },
      work: async (tx, { caller: { membership } }) => {
        if (insisting !== 'on' && insisting !== 'off') throw conflict('Choose who must use single sign-on.')
        const organization = await lockOrganization(tx, membership.organization.id)
        const now = insistingNow(organization)
        if (isNew(fields, { now, wanted: insisting, said: now }))
          await changeOrganization(tx, organization, { sso: insisting === 'on' })
      },
      answer: ({ path }) => leadTo(app, reply, `${path}/single-sign-on`, { done: 'saved' }),
    })
  })

  app.post(`${signOnPath}/token`, async (request, reply) => {
    const { life = '' } = fieldsOf(request)
    return changing(app, request, reply, {
      work: async (tx, { caller }) => {
        if (!Object.hasOwn(tokenLives, life)) throw conflict('Choose how long the token is valid.')
        const { days } = tokenLives[life]!
        const expiresAt = days === null ? null : new Date(Date.now() + days * dayMs)
        const draft = { userId: caller.user.id, label: 'SCIM', scopes: scimScopes, expiresAt }
        return makeOnce(tx, request, async () => (await createToken(tx, draft)).secret)
      },
      answer: (opened, newToken) => show(app, reply, opened, { newToken }),
    })
  })
}

interface Change<Result> {
  kept?: KeptSignOn
  work: (tx: Transaction, opened: OpenedOrganization) => Promise<Result>
  /** Answers the request once the change is made. */
  answer: (opened: OpenedOrganization, result: Result) => FastifyReply | Promise<FastifyReply>
}

/** Makes one change, in one transaction. */
async function changing<Result>(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { kept, work, answer }: Change<Result>,
): Promise<FastifyReply> {
  const opened = await openAdministered(app, request, reply, requireSessionForm)
  if (!opened) return reply
  try {
    const result = await write(request, (tx) => work(tx, opened))
    return await answer(opened, result)
  } catch (error) {
    const { reason, status } = refusalOf(error, naming(nameAt))
    return show(app, reply, opened, { error: reason, ...kept }, status)
  }
}

const nameAt = (path: string) => (path === 'body.label' ? 'The name' : undefined)

type More = Said & KeptSignOn & { page?: string | undefined; newToken?: string }

/** Shows the current state, because a refused change may have been based on an older one. */
async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path }: OpenedOrganization,
  { page, ...more }: More,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const { id } = membership.organization
  const [organization, providers, ready, counts] = await Promise.all([
    findOrganization(app.db, id),
    loadPart(app, { path: `${path}/single-sign-on`, page }, (asked) => listProviders(app.db, id, asked), byAge),
    listReadyProviders(app.db, id),
    countMarked(app.db, id),
  ])
  const parts = {
    membership: { ...membership, organization: organization ?? membership.organization },
    path,
    form: formToken(app, { session }),
    providers,
    isReady: ready.length > 0,
    ...counts,
    scimUrl: scimBase(app.url, id),
  }
  return answerPage(reply, signOnPage(placeOf(app), { ...parts, ...more }), status)
}
