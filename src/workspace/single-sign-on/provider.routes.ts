import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Membership } from '../../access/caller.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Db } from '../../db/connect.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { countMarked } from '../../organizations/members.queries.ts'
import { accessProvider, accessProviderToChange } from '../../saml/access.ts'
import { changeProvider, removeProvider } from '../../saml/actions.ts'
import { findPeopleThrough } from '../../saml/login/identities.queries.ts'
import { addKey, keyPairToSign, newKeyPair, removeKey } from '../../saml/keys/keys.actions.ts'
import { listKeys } from '../../saml/keys/keys.queries.ts'
import { longestMetadata } from '../../saml/provider-metadata.ts'
import { type SamlProviderRow, listReadyProviders, lockProvider } from '../../saml/queries.ts'
import { listTeamNames, listTeamsById } from '../../teams/queries.ts'
import { type OpenedOrganization, type Opener, answerNothing, openAdministered, showNothing } from '../open.ts'
import { naming, refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import {
  type Name,
  type ProviderForm,
  type SentProvider,
  changesIn,
  formOf,
  names,
  overtakenIn,
  readForm,
  withMetadata,
  withSent,
} from './provider.form.ts'
import { type Leaving, longestCertificate, providerPage } from './provider.page.ts'
import { signOnPath } from './single-sign-on.routes.ts'

const providerPath = `${signOnPath}/:samlProviderId(^[0-9a-f-]{36}$)`

/** Some characters of pasted text take three bytes in an encoded form. */
const mostBytes = 4 * longestCertificate + 3 * longestMetadata

/** With more teams than this, there is no list to choose from. */
const mostTeams = 200
const mostNames = 10

const done = {
  saved: 'Saved.',
  'key-made': 'Key created. Give its certificate to the provider.',
  'key-removed': 'Key removed.',
}

/** One identity provider of an organization: setting it up, changing and deleting it. */
export const workspaceProvider: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.get(providerPath, async (request, reply) => {
    const opened = await openProvider(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, doneIn(request, done)) : reply
  })

  app.post(providerPath, async (request, reply) => {
    const opened = await openProvider(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { membership } = opened.caller
    const fields = fieldsOf(request)
    const sentTo = (now: ProviderForm): SentProvider => ({ form: readForm(fields, now), seen: fields.seen ?? '' })
    const { metadata = '' } = fields
    return changing(app, reply, opened, { done: 'saved', sentTo, metadata }, async () => {
      const typed = withMetadata(fields)
      const newKey = await keyPairToSign(app.db, app.url, typed.signing === 'yes', opened.provider)
      await write(request, async (tx) => {
        const row = await accessProviderToChange(tx, membership, opened.provider.id)
        const now = await formNow(tx, membership, row)
        const sent = { form: readForm(typed, now), seen: fields.seen ?? '' }
        const overtaken = overtakenIn(now, sent)
        if (overtaken.length > 0) throw isAnothers(overtaken, now)
        const changes = await changesIn(tx, row, now, withSent(now, sent))
        if (Object.keys(changes).length > 0) await changeProvider(tx, app.secrets, row, changes, newKey)
      })
    })
  })

  app.post(`${providerPath}/keys`, async (request, reply) => {
    const opened = await openProvider(app, request, reply, requireSessionForm)
    if (!opened) return reply
    // After a double click, or if somebody else was faster, the user sees the key that was created.
    const isOneMore = async (db: Db) => String((await listKeys(db, opened.provider)).length) === fieldsOf(request).seen
    return changing(app, reply, opened, { done: 'key-made' }, async () => {
      if (!(await isOneMore(app.db))) return
      const made = await newKeyPair(app.db, app.url, opened.provider)
      await write(request, async (tx) => {
        const row = await accessProviderToChange(tx, opened.caller.membership, opened.provider.id)
        if (await isOneMore(tx)) await addKey(tx, app.secrets, row, made)
      })
    })
  })

  app.post(`${providerPath}/keys/:samlKeyId/delete`, async (request, reply) => {
    const opened = await openProvider(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { samlKeyId } = request.params as { samlKeyId: string }
    return changing(app, reply, opened, { done: 'key-removed' }, () =>
      write(request, async (tx) => {
        const row = await accessProviderToChange(tx, opened.caller.membership, opened.provider.id)
        const isThere = (await listKeys(tx, row)).some(({ id }) => id === samlKeyId)
        // It is fine if the key is already gone.
        if (isThere) await removeKey(tx, row, samlKeyId)
      }),
    )
  })

  app.post(`${providerPath}/delete`, async (request, reply) => {
    const opened = await openAdministered(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { organization } = opened.caller.membership
    const { samlProviderId: id } = request.params as { samlProviderId: string }
    await write(request, async (tx) => {
      const row = isId(id) ? await lockProvider(tx, organization.id, id) : undefined
      // It is fine if the provider is already gone.
      if (row) await removeProvider(tx, row)
    })
    return leadTo(app, reply, `${opened.path}/single-sign-on`, { done: 'deleted' })
  })
}

interface Change {
  /** The message that is shown once it is done. */
  done: keyof typeof done
  /** The form as it was sent, if there is one. */
  sentTo?: (now: ProviderForm) => SentProvider
  metadata?: string
}

/** Makes one change. If it is refused, shows the page again with the reason. */
async function changing(
  app: App,
  reply: FastifyReply,
  opened: OpenedProvider,
  { done, ...sent }: Change,
  work: () => Promise<void>,
): Promise<FastifyReply> {
  try {
    await work()
    return leadTo(app, reply, `${opened.path}/single-sign-on/${opened.provider.id}`, { done })
  } catch (error) {
    const { reason, status } = refusalOf(error, naming(nameAt))
    // Loads the current state, because somebody else may have changed it in the meantime.
    const provider = await findSeen(app, opened.caller, opened.provider.id)
    if (!provider) return answerNothing(app, reply)
    return show(app, reply, { ...opened, provider }, { error: reason, ...sent }, status)
  }
}

interface OpenedProvider extends OpenedOrganization {
  provider: SamlProviderRow
}

/** Returns undefined if the request is already answered. */
async function openProvider(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedProvider | undefined> {
  const opened = await openAdministered(app, request, reply, require)
  if (!opened) return undefined
  const { samlProviderId: id } = request.params as { samlProviderId: string }
  const provider = await findSeen(app, opened.caller, id)
  return provider ? { ...opened, provider } : showNothing(app, reply)
}

const findSeen = async (app: App, caller: Opener, id: string): Promise<SamlProviderRow | undefined> =>
  isId(id) ? (await accessProvider(app.db, caller, id).catch(asNone))?.provider : undefined

async function formNow(db: Db, { organization, userId }: Membership, row: SamlProviderRow): Promise<ProviderForm> {
  const { default_team_id: id } = row
  const teams = await listTeamsById(db, organization.id, userId, id === null ? [] : [id])
  return formOf(row, teams.get(id ?? '')?.title ?? '')
}

function isAnothers(overtaken: Name[], now: ProviderForm): Error {
  const told = overtaken.map((name) => names[name] + (isShort(name) ? ` (now “${now[name]}”)` : '')).join(', ')
  return conflict(`Somebody has changed this since you opened this page: ${told}. Save again to overwrite it.`)
}

/** Whether the value reads well in a sentence. Certificates and ids do not. */
const isShort = (name: Name) => name !== 'certificate' && name !== 'team'

const fieldAt: Record<string, Name> = {
  'body.label': 'label',
  'body.entityID': 'entity',
  'body.ssoURL': 'address',
  'body.certificate': 'certificate',
  'body.defaultTeam': 'team',
}

function nameAt(path: string): string | undefined {
  if (path === 'body.metadata') return 'The metadata'
  const name = fieldAt[path]
  return name && names[name].charAt(0).toUpperCase() + names[name].slice(1)
}

/** Shows the page, with the form as it was sent if it was refused. */
async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path, provider }: OpenedProvider,
  { sentTo, ...said }: Said & Pick<Change, 'sentTo' | 'metadata'>,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const [now, teams, keys, leaving] = await Promise.all([
    formNow(app.db, membership, provider),
    listTeamNames(app.db, membership.organization.id, mostTeams),
    listKeys(app.db, provider),
    loadLeaving(app, caller, provider),
  ])
  const settings = sentTo ? withSent(now, sentTo(now)) : now
  const parts = { membership, path, form: formToken(app, { session }), provider, url: app.url, now, settings, teams }
  return answerPage(reply, providerPage(placeOf(app), { ...parts, keys, leaving, ...said }), status)
}

async function loadLeaving(app: App, caller: Opener, provider: SamlProviderRow): Promise<Leaving> {
  const { organization } = caller.membership
  const [through, ready, { bound }] = await Promise.all([
    findPeopleThrough(app.db, provider, caller.user.id, mostNames),
    listReadyProviders(app.db, organization.id),
    countMarked(app.db, organization.id),
  ])
  const hasOther = ready.some(({ id }) => id !== provider.id)
  return {
    through,
    hasOther,
    isInsisted: organization.sso,
    shutOut: !hasOther && organization.sso ? bound : 0,
    sendsMail: app.mail.isOn,
  }
}
