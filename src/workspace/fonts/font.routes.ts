import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessOrganization } from '../../access/caller.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { write } from '../../http/write.ts'
import { accessFont, accessFontToChange } from '../../sites/fonts/access.ts'
import { changeFont, inWords as sitesInWords, removeFont } from '../../sites/fonts/actions.ts'
import { type FontRow, findSitesSetIn } from '../../sites/fonts/queries.ts'
import { CustomFontChanges } from '../../sites/fonts/schema.ts'
import { takeFiles } from '../form-files.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, answerNothing, openForMakers, showNothing } from '../open.ts'
import { overtaken, wantedIn } from '../overtaken.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { isRenamed } from '../sites/naming.ts'
import { type FontParts, fontPage } from './font.page.ts'
import { fontsPath, inWords } from './fonts.routes.ts'
import { receiveFaces } from './received.ts'
import { weights } from './weights.ts'

const fontPath = `${fontsPath}/:fontId(^[0-9a-f-]{36}$)`

const done = {
  added: 'Font uploaded. You can now choose it for a site.',
  renamed: 'Renamed.',
  uploaded: 'File uploaded.',
  'weight-deleted': 'Weight deleted.',
}

/** The page of one font of an organization. */
export const workspaceFont: Routes = async (app) => {
  takeFiles(app)

  app.get(fontPath, async (request, reply) => {
    const opened = await openFont(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, doneIn(request, done)) : reply
  })

  app.post(`${fontPath}/title`, async (request, reply) => {
    const { title = '', seen } = fieldsOf(request)
    return changing(app, request, reply, { title }, async (tx, font) => {
      const wanted = wantedIn(title.trim(), { seen, now: font.family, isNow: isRenamed })
      if (wanted === undefined) return 'renamed'
      const { fontFamily: family } = asBody(CustomFontChanges, { fontFamily: wanted })
      await changeFont(tx, font, { family, faces: [], without: [] })
      return 'renamed'
    })
  })

  app.post(`${fontPath}/faces`, async (request, reply) => {
    const opened = await openFont(app, request, reply, requireSession)
    if (!opened) return reply
    const fields: Fields = {}
    try {
      accessOrganization(opened.caller, 'createContent')
      const weightOf = () => weightIn(fields)
      const { faces, sent } = await receiveFaces(app, request, reply, opened, { most: 1, fields, weightOf })
      await change(request, opened, sent, async (tx, font) => {
        await changeFont(tx, font, { faces, without: [] })
      })
      return leadTo(app, reply, opened.fontPath, { done: 'uploaded' })
    } catch (error) {
      return refuse(app, reply, opened, error, { weight: fields.weight })
    }
  })

  app.post(`${fontPath}/faces/delete`, async (request, reply) => {
    const fields = fieldsOf(request)
    return changing(app, request, reply, {}, async (tx, font) => {
      const face = font.faces.find(({ weight }) => String(weight) === fields.weight)
      // It is already gone, which is the wanted result.
      if (!face) return 'weight-deleted'
      if (fields.seen !== face.bytes.hash) throw overtaken('replaced this file')
      await changeFont(tx, font, { faces: [], without: [face.weight] })
      return 'weight-deleted'
    })
  })

  app.post(`${fontPath}/delete`, async (request, reply) => {
    const home = await openForMakers(app, request, reply, requireSessionForm)
    if (!home) return reply
    try {
      // Looked up inside `addOnce`, because for a second click it is already gone.
      await write(request, (tx) =>
        addOnce(tx, request, async () => {
          const { font, membership } = await accessFontToChange(tx, home.caller, idIn(request), 'delete')
          await removeFont(tx, font, membership)
          return font.id
        }),
      )
      return leadTo(app, reply, `${home.path}/fonts`, { done: 'deleted' })
    } catch (error) {
      const opened = await openFont(app, request, reply, requireSessionForm)
      return opened ? refuse(app, reply, opened, error) : reply
    }
  })
}

const idIn = ({ params }: FastifyRequest) => (params as { fontId: string }).fontId

function weightIn({ weight }: Fields): number {
  const found = weights.find((each) => String(each) === weight)
  if (found === undefined) throw conflict('Choose which weight the file is of.')
  return found
}

interface OpenedFont extends OpenedOrganization {
  font: FontRow
  fontPath: string
}

/**
 * Returns undefined if the request has already been answered. If there is no such font, the answer is the not-found
 * page.
 */
async function openFont(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedFont | undefined> {
  const opened = await openForMakers(app, request, reply, require)
  if (!opened) return undefined
  const found = await accessFont(app.db, opened.caller, idIn(request)).catch(asNone)
  if (!found) return showNothing(app, reply)
  return { ...opened, font: found.font, fontPath: `${opened.path}/fonts/${found.font.id}` }
}

type Work<Result> = (tx: Transaction, font: FontRow) => Promise<Result>

/** Changes a font with its row locked, once per form. */
const change = <Result>(
  request: FastifyRequest,
  { caller, font: { id } }: OpenedFont,
  sent: Fields,
  work: Work<Result>,
): Promise<Result | null> =>
  write(request, async (tx) => {
    const { font } = await accessFontToChange(tx, caller, id)
    return addOnce(tx, request, async () => (await work(tx, font)) ?? null, sent)
  })

type Typed = Pick<FontParts, 'title' | 'weight'>

/** Makes one change to a font, in one transaction. */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  typed: Typed,
  work: Work<keyof typeof done>,
): Promise<FastifyReply> {
  const opened = await openFont(app, request, reply, requireSessionForm)
  if (!opened) return reply
  try {
    const what = (await change(request, opened, fieldsOf(request), work)) ?? undefined
    return leadTo(app, reply, opened.fontPath, { done: what })
  } catch (error) {
    return refuse(app, reply, opened, error, typed)
  }
}

function refuse(app: App, reply: FastifyReply, opened: OpenedFont, error: unknown, typed: Typed = {}) {
  const { reason, status } = refusalOf(error, inWords)
  return show(app, reply, opened, { error: reason, ...typed }, status)
}

/** Shows the current state: what was refused may be based on an older one. */
async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path: home, fontPath: path, font: { id } }: OpenedFont,
  more: Said & Typed,
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const found = await accessFont(app.db, caller, id).catch(asNone)
  if (!found) return answerNothing(app, reply)
  const sites = sitesInWords(await findSitesSetIn(app.db, found.font, membership))
  const parts = { membership, home, path, font: found.font, sites, form: formToken(app, { session }) }
  return answerPage(reply, fontPage(placeOf(app), { ...parts, ...more }), status)
}
