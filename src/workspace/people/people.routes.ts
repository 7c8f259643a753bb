import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, accessOrganization } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, notFound, asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { accessMember } from '../../organizations/members.access.ts'
import { changeMember, removeMember } from '../../organizations/members.actions.ts'
import { type MemberFound, listMembers, lockMember, positionIn } from '../../organizations/members.queries.ts'
import { listReadyProviders } from '../../saml/queries.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type OpenedOrganization, openOrganization, organizationPath, showNothing, answerNothing } from '../open.ts'
import { loadPart, partIn } from '../paging.ts'
import { memberPage, peoplePage } from './people.page.ts'
import { refusalOf } from '../refusal.ts'
import { isRoleName, roleIn, roleName } from '../roles.ts'
import { type Said, doneIn } from '../said.ts'
import { searchIn } from './searching.page.ts'

export const peoplePath = `${organizationPath}/people`
const memberPath = `${peoplePath}/:userId(^[0-9a-f-]{36}$)`

/** Messages about what was just done. */
const done = {
  role: 'Role changed.',
  off: 'Access suspended. They can no longer open anything here.',
  on: 'Access restored, with everything they had before.',
  marked: 'Marked for single sign-on.',
  removed: 'Member removed. What they wrote stays.',
}

/** The members of an organization. Members can browse them, administrators can change them. */
export const workspacePeople: Routes = async (app) => {
  app.get(peoplePath, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSession)
    if (!opened) return reply
    const { membership } = opened.caller
    if (!organizationRights(membership).listMembers) return answerNothing(app, reply)
    const { search, role, page } = filterIn(request)
    const path = `${opened.path}/people`
    const sorted = { sort: 'name', order: 'asc' } as const
    const people = await loadPart(
      app,
      { path, filter: { search, role }, page },
      (asked) => listMembers(app.db, membership.organization.id, membership.userId, { ...sorted, search, role }, asked),
      positionIn('name'),
    )
    const parts = { membership, path, people, search, role, ...doneIn(request, done) }
    return answerPage(reply, peoplePage(placeOf(app), parts))
  })

  app.get(memberPath, async (request, reply) => {
    const opened = await openMember(app, request, reply, requireSession)
    if (!opened) return reply
    const { caller, member, path } = opened
    const mayLook = organizationRights(caller.membership).admin || member.user_id === caller.user.id
    if (!mayLook) return leadTo(app, reply, `${path}/people`)
    return show(app, reply, opened, doneIn(request, done))
  })

  app.post(`${memberPath}/role`, async (request, reply) => {
    const opened = await openMember(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { role = '', seen } = fieldsOf(request)
    try {
      accessOrganization(opened.caller, 'admin')
      const wanted = roleIn(role)
      await write(request, async (tx) => {
        const member = await lockAgain(tx, opened)
        if (member.role === wanted) return
        if (roleName(member.role) !== seen)
          throw conflict('Somebody else has changed the role in the meantime. Reload the page.')
        await changeMember(tx, member, { role: wanted })
      })
      return leadTo(app, reply, pathOf(opened), { done: 'role' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return showAgain(app, reply, opened, { error: reason, role }, status)
    }
  })

  app.post(`${memberPath}/access`, async (request, reply) => {
    const opened = await openMember(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { to = '' } = fieldsOf(request)
    try {
      accessOrganization(opened.caller, 'admin')
      if (to !== 'on' && to !== 'off') throw conflict('Choose whether their access is on or off.')
      const disabled = to === 'off'
      await write(request, async (tx) => {
        const member = await lockAgain(tx, opened)
        if (member.disabled !== disabled) await changeMember(tx, member, { disabled })
      })
      return leadTo(app, reply, pathOf(opened), { done: to })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return showAgain(app, reply, opened, { error: reason }, status)
    }
  })

  app.post(`${memberPath}/single-sign-on`, async (request, reply) => {
    const opened = await openMember(app, request, reply, requireSessionForm)
    if (!opened) return reply
    try {
      accessOrganization(opened.caller, 'admin')
      await write(request, async (tx) => {
        const member = await lockAgain(tx, opened)
        if (!member.sso) await changeMember(tx, member, { sso: true })
      })
      return leadTo(app, reply, pathOf(opened), { done: 'marked' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return showAgain(app, reply, opened, { error: reason }, status)
    }
  })

  app.post(`${memberPath}/remove`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { caller, path } = opened
    const { userId } = request.params as { userId: string }
    const isSelf = userId === caller.user.id
    try {
      const { organization } = accessOrganization(caller, isSelf ? 'view' : 'admin')
      await write(request, async (tx) => {
        const member = isId(userId) ? await lockMember(tx, organization.id, userId) : undefined
        // It is fine if the member is already gone.
        if (member) await removeMember(tx, member)
      })
      return isSelf
        ? leadTo(app, reply, '/account', { done: 'left' })
        : leadTo(app, reply, `${path}/people`, { done: 'removed' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      const member = await findVisible(app, caller, userId)
      return member ? show(app, reply, { ...opened, member }, { error: reason }, status) : answerNothing(app, reply)
    }
  })
}

/** Reads the filters of the list. */
function filterIn(request: FastifyRequest) {
  const { role } = request.query as Record<string, unknown>
  return {
    search: searchIn(request),
    role: typeof role === 'string' && isRoleName(role) ? role : undefined,
    page: partIn(request),
  }
}

interface OpenedMember extends OpenedOrganization {
  member: MemberFound
}

const pathOf = ({ path, member }: OpenedMember) => `${path}/people/${member.user_id}`

/**
 * Returns undefined if the request is already answered. If the caller may not see the member, the answer is the
 * not-found page.
 */
async function openMember(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedMember | undefined> {
  const opened = await openOrganization(app, request, reply, require)
  if (!opened) return undefined
  const { userId } = request.params as { userId: string }
  const member = await findVisible(app, opened.caller, userId)
  return member ? { ...opened, member } : showNothing(app, reply)
}

const findVisible = async (app: App, caller: Caller, userId: string): Promise<MemberFound | undefined> =>
  isId(userId) ? accessMember(app.db, caller, userId).catch(asNone) : undefined

async function lockAgain(tx: Transaction, { caller, member }: OpenedMember): Promise<MemberFound> {
  const locked = await lockMember(tx, caller.membership.organization.id, member.user_id)
  if (!locked) throw notFound('member')
  return locked
}

type More = Said & { role?: string }

async function show(app: App, reply: FastifyReply, opened: OpenedMember, more: More, status = 200) {
  const { session, caller, path, member } = opened
  const { membership } = caller
  const hasSignOn = (await listReadyProviders(app.db, membership.organization.id)).length > 0
  const parts = { membership, path, member, hasSignOn, form: formToken(app, { session }) }
  return answerPage(reply, memberPage(placeOf(app), { ...parts, ...more }), status)
}

/** Shows the member in their current state, because somebody else may have changed it in the meantime. */
async function showAgain(app: App, reply: FastifyReply, opened: OpenedMember, more: More, status: number) {
  const member = await findVisible(app, opened.caller, opened.member.user_id)
  return show(app, reply, { ...opened, member: member ?? opened.member }, more, status)
}
