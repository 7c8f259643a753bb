import type { FastifyReply } from 'fastify'
import { accessOrganization } from '../../access/caller.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, formToken } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { asBody } from '../../http/validation.ts'
import { write } from '../../http/write.ts'
import { addFont } from '../../sites/fonts/actions.ts'
import { listAllFonts } from '../../sites/fonts/queries.ts'
import { CustomFontChanges } from '../../sites/fonts/schema.ts'
import { styleSheet } from '../../look/assets.ts'
import { takeFiles } from '../form-files.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, openForMakers, organizationPath } from '../open.ts'
import { naming, refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { faceField, fontsPage } from './fonts.page.ts'
import { receiveFaces } from './received.ts'
import { facesCss } from './sample.ts'
import { usualWeights } from './weights.ts'

export const fontsPath = `${organizationPath}/fonts`

const done = { deleted: 'Font deleted.' }

/** The fonts of an organization, for users who may set up sites: the list, and adding a font. */
export const workspaceFonts: Routes = async (app) => {
  takeFiles(app)

  app.get(fontsPath, async (request, reply) => {
    const opened = await openForMakers(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, doneIn(request, done)) : reply
  })

  app.get(`${fontsPath}/faces.css`, async (request, reply) => {
    const opened = await openForMakers(app, request, reply, requireSession)
    if (!opened) return reply
    const fonts = await listAllFonts(app.db, opened.caller.membership.organization.id)
    reply.headers({ 'content-type': styleSheet, 'cache-control': 'private, no-store' })
    return reply.send(facesCss(placeOf(app), fonts))
  })

  app.post(fontsPath, async (request, reply) => {
    const opened = await openForMakers(app, request, reply, requireSession)
    if (!opened) return reply
    const fields: Fields = {}
    try {
      const { organization } = accessOrganization(opened.caller, 'createContent')
      const { faces, sent } = await receiveFaces(app, request, reply, opened, {
        most: usualWeights.length,
        fields,
        weightOf: ({ field }) => weightIn(field),
      })
      const { fontFamily: family = '' } = asBody(CustomFontChanges, { fontFamily: fields.name?.trim() ?? '' })
      const id = await write(request, (tx) =>
        addOnce(
          tx,
          request,
          async () => (await addFont(tx, { organizationId: organization.id, family, faces })).id,
          sent,
        ),
      )
      return leadTo(app, reply, `${opened.path}/fonts/${id}`, { done: 'added' })
    } catch (error) {
      const { reason, status } = refusalOf(error, inWords)
      return show(app, reply, opened, { error: reason, name: fields.name }, status)
    }
  })
}

/** Turns field names into words for the user of a form. */
export const inWords = naming((path) => ({ 'body.fontFamily': 'The name', 'body.fontFaces': 'A font' })[path])

function weightIn(field: string): number {
  const weight = usualWeights.find((each) => faceField(each) === field)
  if (weight === undefined) throw conflict('Choose the files on this page.')
  return weight
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path }: OpenedOrganization,
  more: Said & { name?: string | undefined },
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const fonts = await listAllFonts(app.db, membership.organization.id)
  const parts = { membership, path, fonts, form: formToken(app, { session }) }
  return answerPage(reply, fontsPage(placeOf(app), { ...parts, ...more }), status)
}
