import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, fieldsOf, formToken, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { createChangeRequest } from '../../change-requests/actions.ts'
import { findChangeRequest } from '../../change-requests/queries.ts'
import { longestSubject } from '../../change-requests/subject.ts'
import type { ImportRunRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { discard, keepBlobs } from '../../files/blobs.ts'
import { insertUpload, setUploadBlob } from '../../files/uploads.queries.ts'
import { placeOf } from '../../front/place.ts'
import { type ApiError, conflict, notFound, asNone } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId, newId } from '../../ids.ts'
import { accessRun } from '../../imports/runs/access.ts'
import { cancelRun, startRun } from '../../imports/runs/actions.ts'
import { kindOf } from '../../imports/files/kinds.ts'
import { limits } from '../../imports/limits.ts'
import { type ImportRun, lockRun } from '../../imports/runs/queries.ts'
import { accessTarget, mayImportIntoMain } from '../../imports/target.ts'
import { shortened } from '../../shortened.ts'
import { type FormFile, type FormLimits, receiveForm, takeFiles } from '../form-files.ts'
import { importPage, importRunPage } from './imports.page.ts'
import { addOnce } from '../once.ts'
import { type OpenedSpace, openSpace, showNothing, spacePath } from '../open.ts'
import { inPlainWords, refusalOf } from '../refusal.ts'
import type { Said } from '../said.ts'

const longestAddress = 2048

const onImport = { config: { page: `${spacePath}/~/import` } }
const runPath = `${spacePath}/~/imports/:importRunId(^[0-9a-f-]{36}$)`

/** Imports of files and websites as pages of a space: the same as in the API, run in the background. */
export const workspaceImports: Routes = async (app) => {
  takeForms(app)
  takeFiles(app)

  app.get(`${spacePath}/~/import`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    if (!spaceRights(opened.access.role).edit) return leadTo(app, reply, opened.path)
    return show(app, reply, opened)
  })

  app.post(`${spacePath}/~/imports/files`, onImport, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    try {
      await accessSpace(app.db, opened.caller, opened.access.space.id, 'edit')
      const { fields, files, sent } = await receiveForm(app, request, reply, opened, mostIn(app), requireKind)
      try {
        const { organization_id: organizationId } = opened.access.space
        const incoming = files.map((each) => each.incoming)
        await keepBlobs(app.db, app.store, organizationId, incoming)
        return await start(app, request, reply, opened, {
          into: fields.into,
          sent,
          subject: files[0]!.name,
          source: async (tx) => ({ type: 'file', files: await putUploads(tx, organizationId, files) }),
        })
      } finally {
        await discard(files.map(({ incoming }) => incoming))
      }
    } catch (error) {
      return refuse(app, reply, opened, error)
    }
  })

  app.post(`${spacePath}/~/imports/website`, onImport, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { into, address = '' } = fieldsOf(request)
    const url = address.trim()
    try {
      if (!formats['http-url']!(url) || url.length > longestAddress)
        throw conflict('Enter the full address of the website, such as https://docs.example.com/guide/.')
      refuseSecrets(new URL(url))
      const source = async () => ({ type: 'website', url }) as const
      return await start(app, request, reply, opened, {
        into,
        sent: fieldsOf(request),
        subject: new URL(url).host,
        source,
      })
    } catch (error) {
      return refuse(app, reply, opened, error, address)
    }
  })

  app.get(runPath, async (request, reply) => {
    const opened = await openRun(app, request, reply, requireSession)
    return opened ? showRun(app, reply, opened) : reply
  })

  app.post(`${runPath}/cancel`, async (request, reply) => {
    const opened = await openRun(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { run } = opened
    try {
      await accessRun(app.db, opened.caller, run.id, 'edit')
      await write(request, async (tx) => {
        const held = await lockRun(tx, run.organization_id, run.id)
        if (!held) throw notFound('import')
        await cancelRun(tx, held)
      })
      return leadTo(app, reply, `${opened.path}/~/imports/${run.id}`)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return showRun(app, reply, opened, { error: reason }, status)
    }
  })
}

/** The address of an import, and the reason why it failed, are shown to every reader of the space. */
function refuseSecrets({ username, password }: URL): void {
  if (username || password)
    throw conflict('Enter the address without user name and password: only public pages are imported.')
}

const mostIn = ({ config }: App): FormLimits => ({
  files: 50,
  bytes: Math.min(config.limits.importBytes, limits.filesBytes),
})

function requireKind(name: string): void {
  if (kindOf({ name, bytes: Buffer.alloc(0) }) === undefined)
    throw conflict(`${name} is not a .md, .html, .docx or .zip file.`)
}

interface Wanted {
  into: string | undefined
  /** The form, which identifies a second click. */
  sent: Fields
  /** The name of what is imported. */
  subject: string
  source: (tx: Transaction) => Promise<ImportRunRow['source']>
}

/** Imports into a change request of its own, unless the user may import into the main content and has chosen to. */
async function start(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, caller, access, path }: OpenedSpace,
  { into, sent, subject, source }: Wanted,
): Promise<FastifyReply> {
  const { space } = await accessSpace(app.db, caller, access.space.id, 'edit')
  const begin = async (tx: Transaction) => {
    const draft = { subject: shortened(`Import of ${subject}`, longestSubject), description: null }
    const changeRequestId = into === 'main' ? undefined : (await createChangeRequest(tx, space, draft)).id
    const target = await accessTarget(tx, caller, { spaceId: space.id, changeRequestId }, 'page')
    const run = await startRun(tx, { target, source: await source(tx), siteId: undefined, sessionId: session.id })
    tx.afterCommit(() => app.imports.wake())
    return run.id
  }
  const id = await write(request, (tx) => addOnce(tx, request, () => begin(tx), sent))
  return leadTo(app, reply, `${path}/~/imports/${id}`)
}

async function putUploads(tx: Transaction, organizationId: string, files: readonly FormFile[]): Promise<string[]> {
  const keys: string[] = []
  for (const { name, incoming } of files) {
    const { hash, size, contentType } = incoming.blob
    const row = { organization_id: organizationId, key: newId(), name, content_type: contentType, size }
    await insertUpload(tx, { ...row, kind: 'import_file' })
    await setUploadBlob(tx, row, hash)
    keys.push(row.key)
  }
  return keys
}

interface OpenedRun extends OpenedSpace {
  run: ImportRun
}

/** Opens an import of this space. An import of another space does not exist here. */
async function openRun(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedRun | undefined> {
  const opened = await openSpace(app, request, reply, require)
  if (!opened) return undefined
  const { importRunId } = request.params as { importRunId: string }
  const run = isId(importRunId) ? await accessRun(app.db, opened.caller, importRunId, 'view').catch(asNone) : undefined
  return run?.space_id === opened.access.space.id ? { ...opened, run } : showNothing(app, reply)
}

function refuse(app: App, reply: FastifyReply, opened: OpenedSpace, error: unknown, address?: string) {
  const { reason, status } = refusalOf(error, inWords)
  return show(app, reply, opened, { error: reason, ...(address !== undefined && { address }) }, status)
}

const inWords = (error: ApiError) =>
  error.type === 'merge_rule'
    ? 'The rules of this space require a review of every change: import into a change request.'
    : inPlainWords(error)

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access: { space } }: OpenedSpace,
  more: Said & { address?: string } = {},
  status = 200,
): Promise<FastifyReply> {
  const mayMain = await mayImportIntoMain(app.db, caller, space.id)
  const { organization } = caller.membership
  const form = formToken(app, { session })
  const parts = { organization, path, space, form, mayMain, most: mostIn(app), ...more }
  return answerPage(reply, importPage(placeOf(app), parts), status)
}

async function showRun(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access: { space, role }, run }: OpenedRun,
  said: Said = {},
  status = 200,
): Promise<FastifyReply> {
  const change =
    run.change_request_id === null
      ? undefined
      : await findChangeRequest(app.db, space.organization_id, space.id, run.change_request_id)
  const parts = {
    organization: caller.membership.organization,
    path,
    space,
    run,
    changePath: change && `${path}/~/changes/${change.number}`,
    form: formToken(app, { session }),
    mayCancel: spaceRights(role).edit,
    ...said,
  }
  return answerPage(reply, importRunPage(placeOf(app), parts), status)
}
