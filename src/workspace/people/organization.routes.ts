import type { Static } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { OrganizationRow } from '../../db/tables.ts'
import { placeOf } from '../../front/place.ts'
import { type ApiError, conflict, inSentence } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { changeOrganization } from '../../organizations/actions.ts'
import { findOrganization, lockOrganization } from '../../organizations/queries.ts'
import type { OrganizationChanges } from '../../organizations/schema.ts'
import { chosenRules, rulesWanted } from '../spaces/merge-rules.ts'
import { type OpenedOrganization, openAdministered, organizationPath } from '../open.ts'
import { type KeptSettings, domainsOf, mostDomains, organizationPage } from './organization.page.ts'
import { requireOrganizationTitle } from './organization-title.ts'
import { isNew } from '../overtaken.ts'
import { refusalOf } from '../refusal.ts'
import { roleIn, roleName } from '../roles.ts'
import { type Said, doneIn } from '../said.ts'

const settingsPath = `${organizationPath}/settings`

const done = { saved: 'Saved.' }

/**
 * The settings of an organization, for its administrators: its title, who can join in which role, and the conditions
 * for merging.
 */
export const workspaceOrganization: Routes = async (app) => {
  app.get(settingsPath, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSession)
    if (!opened) return reply
    return show(app, reply, opened, doneIn(request, done))
  })

  app.post(`${settingsPath}/title`, async (request, reply) => {
    const title = (fieldsOf(request).title ?? '').trim()
    return changing(app, request, reply, { title }, ({ title: now }) => {
      requireOrganizationTitle(title)
      return isNew(fieldsOf(request), { now, wanted: title }) && { title }
    })
  })

  app.post(`${settingsPath}/role`, async (request, reply) => {
    const { role = '' } = fieldsOf(request)
    return changing(app, request, reply, { role }, (organization) => {
      const defaultRole = roleIn(role)
      const now = roleName(organization.default_role)
      return isNew(fieldsOf(request), { now, wanted: role }) && { defaultRole }
    })
  })

  app.post(`${settingsPath}/domains`, async (request, reply) => {
    const { domains = '' } = fieldsOf(request)
    return changing(app, request, reply, { domains }, (organization) => {
      const emailDomains = [...new Set(domains.toLowerCase().split(/[\s,;]+/))].filter(Boolean).toSorted()
      if (emailDomains.length > mostDomains) throw conflict(`An organization has at most ${mostDomains} domains.`)
      const now = domainsOf(organization)
      const said = now === '' ? 'none' : now.replaceAll(' ', ', ')
      return isNew(fieldsOf(request), { now, wanted: emailDomains.join(' '), said }) && { emailDomains }
    })
  })

  app.post(`${settingsPath}/invite-links`, async (request, reply) => {
    const { inviting = '' } = fieldsOf(request)
    return changing(app, request, reply, { inviting }, ({ invite_links }) => {
      if (inviting !== 'on' && inviting !== 'off') throw conflict('Choose whether invite links are on or off.')
      const now = invite_links ? 'on' : 'off'
      return isNew(fieldsOf(request), { now, wanted: inviting, said: now }) && { inviteLinks: inviting === 'on' }
    })
  })

  app.post(`${settingsPath}/merge-rules`, async (request, reply) => {
    const fields = fieldsOf(request)
    return changing(app, request, reply, { rules: chosenRules(fields) }, ({ merge_rules }) => {
      const wanted = rulesWanted(merge_rules, fields, ['none', 'rules'])
      return wanted !== undefined && { mergeRules: wanted as Static<typeof OrganizationChanges>['mergeRules'] }
    })
  })
}

/** Makes one change to an organization, in one transaction. */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  kept: KeptSettings,
  changesIn: (organization: OrganizationRow) => Static<typeof OrganizationChanges> | false,
): Promise<FastifyReply> {
  const opened = await openAdministered(app, request, reply, requireSessionForm)
  if (!opened) return reply
  const { organization } = opened.caller.membership
  try {
    await write(request, async (tx) => {
      const current = await lockOrganization(tx, organization.id)
      const changes = changesIn(current)
      if (changes) await changeOrganization(tx, current, changes)
    })
    return leadTo(app, reply, `${opened.path}/settings`, { done: 'saved' })
  } catch (error) {
    const { reason, status } = refusalOf(error, inWords)
    return show(app, reply, opened, { error: reason, ...kept }, status)
  }
}

/** The message is shown at the top of the page, away from its field, so it must name what it is about. */
function inWords(error: ApiError): string {
  const [{ path } = { path: '' }] = error.details ?? []
  return error.type === 'invalid_request' && path.startsWith('body.emailDomains')
    ? 'Enter one domain per line, such as example.com.'
    : inSentence(error)
}

/** Shows the current state: what was refused may be based on an older one. */
async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path }: OpenedOrganization,
  more: Said & KeptSettings,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const organization = (await findOrganization(app.db, membership.organization.id)) ?? membership.organization
  const parts = {
    membership: { ...membership, organization },
    path: `${path}/settings`,
    form: formToken(app, { session }),
  }
  return answerPage(reply, organizationPage(placeOf(app), { ...parts, ...more }), status)
}
