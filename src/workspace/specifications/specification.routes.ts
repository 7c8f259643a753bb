import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessOrganization } from '../../access/caller.ts'
import { specRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { OpenAPISpecRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, asNone } from '../../http/errors.ts'
import { byAge } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { accessSpec, accessSpecToChange } from '../../openapi/access.ts'
import { changeVisibility, removeSpec, replaceSource } from '../../openapi/actions.ts'
import { publicUrl } from '../../openapi/downloads.ts'
import type { Operation } from '../../openapi/draw/spec.ts'
import { lineOf, titleOf } from '../../openapi/generate/body.ts'
import { presentVersion } from '../../openapi/present.ts'
import { sourceOf } from '../../openapi/queries.ts'
import { findVersion, listVersions } from '../../openapi/versions.queries.ts'
import { shortened } from '../../shortened.ts'
import { BlobMissing } from '../../storage/store.ts'
import { receiveForm, takeFiles } from '../form-files.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, answerNothing, openOrganization, showNothing } from '../open.ts'
import { isNew, overtaken } from '../overtaken.ts'
import { loadPart, partIn } from '../paging.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { searchText } from '../search-text.ts'
import { inWords, mostIn, typedIn, withBrought } from './source.form.ts'
import type { TypedSource } from './source.page.ts'
import { audienceOf, longestSearch, sourceSeen, specificationPage } from './specification.page.ts'
import { specificationsPath } from './specifications.routes.ts'

const specPath = `${specificationsPath}/:specSlug(^[a-z0-9-]{1,100}$)`

/** How many lines are shown. More would be no help, because a user who wants a certain operation knows a word of it. */
const mostLines = 10
const longestTitle = 100

const done = {
  added: 'Added.',
  again: 'Fetching again.',
  replaced: 'Replaced. Pages show the new version as soon as it has been read.',
  visibility: 'Saved.',
}

/** One specification: its state, its content, its source, and deleting it. */
export const workspaceSpecification: Routes = async (app) => {
  takeFiles(app)

  app.get(specPath, async (request, reply) => {
    const opened = await openSpecification(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, { ...askedIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(`${specPath}/again`, async (request, reply) =>
    changing(app, request, reply, async (tx, spec) => {
      await replaceSource(tx, spec, sourceOf(spec))
      tx.afterCommit(() => app.openapi.wake())
      return 'again'
    }),
  )

  app.post(`${specPath}/source`, async (request, reply) => {
    const opened = await openSpecification(app, request, reply, requireSession)
    if (!opened) return reply
    const fields: Fields = {}
    try {
      // Checked first, so that nobody uploads megabytes only to be refused.
      const { organization } = accessOrganization(opened.caller, 'createOpenAPISpec')
      const received = await receiveForm(app, request, reply, opened, mostIn(app), () => {}, fields)
      await withBrought(app, organization.id, received, (source) =>
        change(request, opened, received.sent, async (tx, spec) => {
          if (fields.seen !== sourceSeen(spec)) throw overtaken('changed its source')
          await replaceSource(tx, spec, source)
          tx.afterCommit(() => app.openapi.wake())
        }),
      )
      return leadTo(app, reply, opened.path, { done: 'replaced' })
    } catch (error) {
      return refuse(app, reply, opened, error, typedIn(fields))
    }
  })

  app.post(`${specPath}/visibility`, async (request, reply) =>
    changing(app, request, reply, async (tx, spec) => {
      const { visibility: wanted } = fieldsOf(request)
      if (wanted !== 'private' && wanted !== 'public') throw conflict('Choose who can download it.')
      const { visibility: now } = spec
      if (isNew(fieldsOf(request), { now, wanted, said: `for “${audienceOf(now)}”` }))
        await changeVisibility(tx, spec, wanted)
      return 'visibility'
    }),
  )

  app.post(`${specPath}/delete`, async (request, reply) => {
    const home = await openOrganization(app, request, reply, requireSessionForm)
    if (!home) return reply
    try {
      // The specification is looked up inside, because it no longer exists on a second click.
      await write(request, (tx) =>
        addOnce(tx, request, async () => {
          const spec = await accessSpecToChange(tx, home.caller.membership, slugIn(request))
          if (fieldsOf(request).seen !== spec.id) throw overtaken('deleted it and added another one of this name')
          await removeSpec(tx, spec)
          return spec.id
        }),
      )
      return leadTo(app, reply, `${home.path}/specifications`, { done: 'deleted' })
    } catch (error) {
      const opened = await openSpecification(app, request, reply, requireSessionForm)
      return opened ? refuse(app, reply, opened, error) : reply
    }
  })
}

const slugIn = ({ params }: FastifyRequest) => (params as { specSlug: string }).specSlug

interface OpenedSpecification extends OpenedOrganization {
  spec: OpenAPISpecRow
}

/**
 * Returns undefined if the request is already answered. If the caller can see no specification of this name, the answer
 * is the not-found page.
 */
async function openSpecification(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedSpecification | undefined> {
  const opened = await openOrganization(app, request, reply, require)
  if (!opened) return undefined
  const slug = slugIn(request)
  const found = await accessSpec(app.db, opened.caller, slug).catch(asNone)
  if (!found) return showNothing(app, reply)
  return { ...opened, spec: found.spec, path: `${opened.path}/specifications/${slug}` }
}

type Work<Result> = (tx: Transaction, spec: OpenAPISpecRow) => Promise<Result>

/** Makes a change with the specification locked, and only once for a form. */
const change = <Result>(
  request: FastifyRequest,
  { caller, spec }: OpenedSpecification,
  sent: Fields,
  work: Work<Result>,
): Promise<Result | null> =>
  write(request, async (tx) => {
    const locked = await accessSpecToChange(tx, caller.membership, spec.slug)
    return addOnce(tx, request, async () => (await work(tx, locked)) ?? null, sent)
  })

/** Makes one change to a specification, in one transaction. */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work<keyof typeof done>,
): Promise<FastifyReply> {
  const opened = await openSpecification(app, request, reply, requireSessionForm)
  if (!opened) return reply
  try {
    const what = (await change(request, opened, fieldsOf(request), work)) ?? undefined
    return leadTo(app, reply, opened.path, { done: what })
  } catch (error) {
    return refuse(app, reply, opened, error)
  }
}

function refuse(app: App, reply: FastifyReply, opened: OpenedSpecification, error: unknown, typed?: TypedSource) {
  const { reason, status } = refusalOf(error, inWords)
  return show(app, reply, opened, { error: reason, ...(typed && { typed }) }, status)
}

interface Asked {
  search?: string
  page?: string | undefined
}

function askedIn(request: FastifyRequest): Asked {
  const { search } = request.query as Record<string, unknown>
  return { search: searchText(search, longestSearch), page: partIn(request) }
}

/** Shows the current state, because a refused change may have been based on an older one. */
async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path, spec: { slug } }: OpenedSpecification,
  { search = '', page, ...more }: Asked & Said & { typed?: TypedSource },
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const found = await accessSpec(app.db, caller, slug).catch(asNone)
  if (!found) return answerNothing(app, reply)
  const { spec } = found
  const [versions, operations] = await Promise.all([
    loadPart(app, { path, page }, (asked) => listVersions(app.db, spec, asked), byAge),
    operationsOf(app, spec),
  ])
  const parts = {
    membership,
    path,
    spec,
    mayEdit: specRights(membership.role).edit,
    form: formToken(app, { session }),
    mostBytes: app.config.limits.specificationBytes,
    versions: { ...versions, rows: versions.rows.map((row) => ({ ...row, url: presentVersion(app, spec, row).url })) },
    operations: soughtIn(spec, operations, search),
    publicUrl: publicUrl(app.url, spec.id),
  }
  return answerPage(reply, specificationPage(placeOf(app), { ...parts, ...more }), status)
}

/**
 * Returns the operations of the version that pages show. If the store has lost it, everything else about the
 * specification is still shown.
 */
async function operationsOf(app: App, spec: OpenAPISpecRow): Promise<readonly Operation[]> {
  const version = spec.last_version === null ? undefined : await findVersion(app.db, spec, spec.last_version)
  if (!version) return []
  try {
    return (await app.openapi.spec(spec.organization_id, version)).operations
  } catch (error) {
    if (error instanceof BlobMissing) return []
    throw error
  }
}

/** Finds the operations that have all these words in their method, path or title. */
function soughtIn({ slug }: OpenAPISpecRow, operations: readonly Operation[], search: string) {
  const words = search.toLowerCase().split(/\s+/)
  const found = operations.filter((each) => {
    const text = `${each.method} ${each.path} ${titleOf(each)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const shown = found.slice(0, mostLines).map((each) => ({
    title: shortened(titleOf(each), longestTitle),
    method: each.method,
    path: each.path,
    line: lineOf(slug, each),
  }))
  return { shown, more: found.length - shown.length, all: operations.length, search }
}
