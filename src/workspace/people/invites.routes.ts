import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessOrganization } from '../../access/caller.ts'
import { mayGive, organizationRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, fieldsOf, formToken, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Role } from '../../access/roles.ts'
import type { InviteRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { ApiError, conflict, forbidden, notFound } from '../../http/errors.ts'
import { isEmail } from '../../http/formats.ts'
import { byAge } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { type InviteSeen, accessInvite, listInvitesSeen, requireInviteLinks } from '../../invites/access.ts'
import { changeInvite, createLinkInvite, inviteByEmail, removeInvite } from '../../invites/actions.ts'
import { mailInvites } from '../../invites/mailing.ts'
import { presentInvite, presentInvitedPeople } from '../../invites/present.ts'
import { lockInvite } from '../../invites/queries.ts'
import { firstCharacters } from '../../shortened.ts'
import { type Invited, type Typed, invitesPage, longestAddresses, mostAddresses } from './invites.page.ts'
import { type OpenedOrganization, openOrganization, showNothing } from '../open.ts'
import { addOnce } from '../once.ts'
import { loadPart, partIn } from '../paging.ts'
import { peoplePath } from './people.routes.ts'
import { refusalOf } from '../refusal.ts'
import { roleIn, roleName } from '../roles.ts'
import { type Said, doneIn } from '../said.ts'

/** Letters of addresses take one byte. Letters of the names before them may take nine. */
const mostBytes = 4 * longestAddresses

/** What the page says after a change. */
const done = {
  link: 'Link created. It is the first in the list.',
  role: 'Role changed for everyone who joins with this link from now on.',
  revoked: 'Link revoked. It no longer works.',
}

const onInvites = { config: { page: `${peoplePath}/invites` } }
const linkPath = `${peoplePath}/links/:inviteId(^[0-9a-f-]{36}$)`

/** Administrators invite people, by address or by link. Only they may see links that let people in. */
export const workspaceInvites: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.get(`${peoplePath}/invites`, async (request, reply) => {
    const opened = await openInvites(app, request, reply, requireSession)
    if (!opened) return reply
    return show(app, reply, opened, { page: partIn(request), ...doneIn(request, done) })
  })

  app.post(`${peoplePath}/invites`, async (request, reply) => {
    const opened = await openInvites(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const fields = fieldsOf(request)
    try {
      const { organization } = accessOrganization(opened.caller, 'admin')
      const { people, sso } = peopleIn(fields)
      const invited = await write(request, (tx) =>
        addOnce(tx, request, async (): Promise<Invited> => {
          const rows = await inviteByEmail(tx, app.secrets, { organizationId: organization.id, people, sso })
          await mailInvites(tx, app.mail, organization.id, rows)
          return { invites: presentInvitedPeople(rows, app).invites, others: leftOut(people, rows) }
        }),
      )
      return show(app, reply, opened, { invited })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason, typed: typedIn(fields) }, status)
    }
  })

  app.post(`${peoplePath}/links`, onInvites, async (request, reply) => {
    const opened = await openInvites(app, request, reply, requireSessionForm)
    if (!opened) return reply
    return trying(app, reply, opened, 'link', async () => {
      const { organization } = accessOrganization(opened.caller, 'admin')
      const draft = { organizationId: organization.id, role: roleIn(fieldsOf(request).role) }
      requireInviteLinks(organization)
      await write(request, (tx) =>
        addOnce(tx, request, async () => (await createLinkInvite(tx, app.secrets, draft)).id),
      )
    })
  })

  app.post(`${linkPath}/role`, onInvites, async (request, reply) => {
    const opened = await openInvites(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { role, seen } = fieldsOf(request)
    return trying(app, reply, opened, 'role', () =>
      changing(request, opened, async (tx, { row, own }) => {
        const wanted = roleIn(role)
        if (row.role === wanted) return
        if (roleName(row.role) !== seen)
          throw conflict('Somebody else has changed this link in the meantime. Reload the page.')
        if (!mayGive(own, wanted)) throw forbidden('give a role above your own')
        await changeInvite(tx, row, wanted)
      }),
    )
  })

  app.post(`${linkPath}/remove`, onInvites, async (request, reply) => {
    const opened = await openInvites(app, request, reply, requireSessionForm)
    if (!opened) return reply
    return trying(app, reply, opened, 'revoked', () =>
      changing(request, opened, (tx, { row }) => removeInvite(tx, row)).catch(goneAlready),
    )
  })
}

/**
 * For administrators only. Other members are redirected to the list of people, and what they send is refused. Guests
 * get the not-found page.
 */
export async function openInvites(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedOrganization | undefined> {
  const opened = await openOrganization(app, request, reply, require)
  if (!opened) return undefined
  const { admin, listMembers } = organizationRights(opened.caller.membership)
  if (!listMembers) return showNothing(app, reply)
  if (request.method === 'POST') accessOrganization(opened.caller, 'admin')
  if (admin) return opened
  leadTo(app, reply, `${opened.path}/people`)
  return undefined
}

function peopleIn({ emails = '', role, sso }: Fields): {
  people: { email: string; role: Role | null }[]
  sso: boolean
} {
  const addresses = emails.split(/[\n\r,;]+/).flatMap((line) => addressIn(line) || [])
  if (addresses.length === 0) throw conflict('Enter at least one e-mail address.')
  if (addresses.length > mostAddresses) throw conflict(`At most ${mostAddresses} people can be invited at once.`)
  const wrong = addresses.find((address) => !isEmail(address))
  if (wrong !== undefined) throw conflict(`“${firstCharacters(wrong, 80)}” is not an e-mail address.`)
  const given = roleIn(role)
  return { people: addresses.map((email) => ({ email, role: given })), sso: sso === 'on' }
}

/** Takes an address as it is, or as mail programs write it: with a name before it. */
const addressIn = (line: string) => (/<([^<>]*)>\s*$/.exec(line)?.[1] ?? line).trim()

const typedIn = ({ emails, role, sso }: Fields): Typed => ({
  ...(emails !== undefined && { emails }),
  ...(role !== undefined && { role }),
  sso: sso === 'on',
})

/** The people who were named but got no invite. */
function leftOut(people: { email: string }[], rows: InviteRow[]): string[] {
  const invited = new Set(rows.map(({ email }) => email!.toLowerCase()))
  return [...new Set(people.map(({ email }) => email).filter((email) => !invited.has(email.toLowerCase())))]
}

export async function changing(
  request: FastifyRequest,
  { caller }: OpenedOrganization,
  work: (tx: Transaction, invite: InviteSeen) => Promise<unknown>,
): Promise<void> {
  const { inviteId } = request.params as { inviteId: string }
  if (!isId(inviteId)) throw notFound('link')
  await write(request, async (tx) => {
    const find = (organizationId: string) => lockInvite(tx, organizationId, inviteId)
    await work(tx, await accessInvite(tx, caller, find))
  })
}

/** Ignores that the invite is already gone, which is the wanted result. */
export function goneAlready(error: unknown): void {
  if (!(error instanceof ApiError) || error.type !== 'not_found') throw error
}

/** Redirects to the links after a change, or shows there why it was refused. */
async function trying(
  app: App,
  reply: FastifyReply,
  opened: OpenedOrganization,
  what: keyof typeof done,
  work: () => Promise<void>,
): Promise<FastifyReply> {
  try {
    await work()
    return leadTo(app, reply, `${opened.path}/people/invites`, { done: what })
  } catch (error) {
    const { reason, status } = refusalOf(error)
    return show(app, reply, opened, { error: reason }, status)
  }
}

type More = Said & { page?: string | undefined; invited?: Invited; typed?: Typed }

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path }: OpenedOrganization,
  { page, ...more }: More,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const links = await loadPart(
    app,
    { path: `${path}/people/invites`, page },
    (asked) => listInvitesSeen(app.db, membership, 'link', asked),
    ({ row }) => byAge(row),
  )
  const shown = links.rows.map((invite) => ({ invite, url: presentInvite(invite, app).urls.invite }))
  const parts = {
    membership,
    path: `${path}/people`,
    form: formToken(app, { session }),
    links: { ...links, rows: shown },
    sendsMail: app.mail.isOn,
    ...more,
  }
  return answerPage(reply, invitesPage(placeOf(app), parts), status)
}
