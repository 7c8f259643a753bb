import type { FastifyReply } from 'fastify'
import { siteRights } from '../../../access/rights.ts'
import { answerPage, leadTo } from '../../../account/answer.ts'
import { type Fields, fieldsOf, takeForms } from '../../../account/forms.ts'
import { requireSession } from '../../../account/who.ts'
import type { SiteRow } from '../../../db/tables.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { discard, keepBlob } from '../../../files/blobs.ts'
import { placeOf } from '../../../front/place.ts'
import { conflict } from '../../../http/errors.ts'
import type { App, Routes } from '../../../http/routes.ts'
import { asBody } from '../../../http/validation.ts'
import { write } from '../../../http/write.ts'
import { isId } from '../../../ids.ts'
import { accessSite, accessSiteToChange } from '../../../sites/access.ts'
import { changeCustomization } from '../../../sites/customization/actions.ts'
import { lookOf, patched } from '../../../sites/customization/customization.ts'
import { CustomizationOverride } from '../../../sites/customization/schema.ts'
import { addPicture, mostBytes, noPicture, removePicture } from '../../../sites/pictures/actions.ts'
import { addressNow, pictureAddress } from '../../../sites/pictures/present.ts'
import { type PictureRow, findPicture, listPictures } from '../../../sites/pictures/queries.ts'
import { type FormFile, receiveForm, takeFiles } from '../../form-files.ts'
import { addOnce } from '../../once.ts'
import { type OpenedSite, type Opener, answerNothing, openSite, sitePath } from '../../open.ts'
import { refusalOf } from '../../refusal.ts'
import { type Said, doneIn } from '../../said.ts'
import { seeBelowSite } from '../below-site.ts'
import { formOf, patchOf } from './look.form.ts'
import { type Use, picturesPage, uses } from './pictures.page.ts'
import { changing, showSite } from '../site.show.ts'

const done = {
  picture: 'Uploaded. Readers see it now.',
  'picture-deleted': 'Picture deleted.',
}

/** Logos and icons of a site, uploaded by those who may change its look. */
export const workspaceSitePictures: Routes = async (app) => {
  takeForms(app)
  takeFiles(app)

  app.get(`${sitePath}/pictures`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    if (!siteRights(opened.access.role).edit) return leadTo(app, reply, opened.path)
    return show(app, reply, opened, doneIn(request, done))
  })

  app.post(`${sitePath}/pictures`, async (request, reply) => {
    const opened = await openSite(app, request, reply, requireSession)
    if (!opened) return reply
    const { caller, path } = opened
    const { id, organization_id } = opened.access.site
    const fields: Fields = {}
    try {
      await accessSite(app.db, caller, id, 'edit')
      const most = { files: 1, bytes: mostBytes }
      const { files, sent } = await receiveForm(app, request, reply, opened, most, () => {}, fields)
      const [file] = files as [FormFile]
      let use: Use
      try {
        use = useIn(fields)
        const why = noPicture(file.name, file.incoming.blob)
        if (why !== undefined) throw conflict(`${file.name} ${why}.`)
        await keepBlob(app.db, app.store, organization_id, file.incoming)
      } finally {
        await discard([file.incoming])
      }
      await write(request, async (tx) => {
        const { site } = await accessSiteToChange(tx, caller, id)
        await addOnce(
          tx,
          request,
          async () => {
            requireOther(site, use)
            const picture = await addPicture(tx, site, { name: file.name, hash: file.incoming.blob.hash })
            await putIn(app, tx, caller, site, { [use]: pictureAddress(app, picture) })
          },
          sent,
        )
      })
      return leadTo(app, reply, `${path}/pictures`, { done: 'picture' })
    } catch (error) {
      const { reason, status } = refusalOf(error)
      // For users who may only read, the page of the site shows all that they may see.
      if (status === 403) return showSite(app, reply, opened, { error: reason }, status)
      return show(app, reply, opened, { error: reason, use: fields.use }, status)
    }
  })

  app.post(`${sitePath}/pictures/delete`, async (request, reply) => {
    const { picture = '' } = fieldsOf(request)
    return changing(app, request, reply, {
      right: 'edit',
      done: 'picture-deleted',
      below: 'pictures',
      refused: (opened, said, status) => show(app, reply, opened, said, status),
      work: async (tx, { site }, caller) => {
        // It is fine if the picture is already gone.
        const row = isId(picture) ? await findPicture(tx, site, picture) : undefined
        if (!row) return
        const shown = usesOf(app, site, row)
        await putIn(app, tx, caller, site, Object.fromEntries(shown.map((use) => [use, ''])))
        await removePicture(tx, site, row)
      },
    })
  })
}

function useIn({ use: typed }: Fields): Use {
  const use = (Object.keys(uses) as Use[]).find((each) => each === typed)
  if (use === undefined) throw conflict('Choose what the picture is for.')
  return use
}

/**
 * A picture that is uploaded alone is used on all pages. If the one for dark pages came first, the one for all pages
 * would then replace it.
 */
function requireOther({ customization }: SiteRow, use: Use): void {
  const { header, favicon } = lookOf(customization)
  if (use === 'logoDark' && !header.logo) throw conflict('Upload the logo first, then the one for dark pages.')
  if (use === 'iconDark' && !favicon.icon)
    throw conflict('Upload the browser tab icon first, then the one for dark pages.')
}

/** Returns what a picture is used for. A picture for light pages that is shown on dark ones as well is listed once. */
function usesOf(app: App, site: SiteRow, picture: PictureRow): Use[] {
  const look = formOf(lookOf(site.customization))
  const address = pictureAddress(app, picture)
  return (Object.keys(uses) as Use[]).filter((use) => addressNow(app, (id) => id === picture.id, look[use]) === address)
}

async function putIn(app: App, tx: Transaction, caller: Opener, site: SiteRow, pictures: Partial<Record<Use, string>>) {
  const look = lookOf(site.customization)
  const patch = asBody(CustomizationOverride, patchOf(look, { ...formOf(look), ...pictures }))
  await changeCustomization({ app, tx, caller, site }, patched(site.customization, patch, look) ?? {})
}

/** All pictures. There are never more than this. */
const firstOnes = { limit: 100, after: undefined }

async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedSite,
  more: Said & { use?: string | undefined },
  status = 200,
): Promise<FastifyReply> {
  const below = await seeBelowSite(app, opened)
  if (!below) return answerNothing(app, reply)
  const { site } = below.access
  const { rows } = await listPictures(app.db, site, firstOnes)
  const pictures = rows.map((row) => ({
    ...row,
    path: pictureAddress({ url: '' }, row),
    isFor: usesOf(app, site, row).map((use) => uses[use]),
  }))
  return answerPage(reply, picturesPage(placeOf(app), { ...below, ...more, pictures }), status)
}
