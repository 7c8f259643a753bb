import { sendBlob } from '../../files/send.ts'
import { notFound } from '../../http/errors.ts'
import type { Routes } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { findPictureByAddress } from './queries.ts'

/** Where the address of a picture leads. It is for everybody: what is shown at the top of a site is no secret. */
export const pictureDownloads: Routes = async (app) => {
  app.get('/files/pictures/:pictureId/:name', { config: { hidden: true, uncounted: true } }, async (request, reply) => {
    const { pictureId, name } = request.params as { pictureId: string; name: string }
    const picture = isId(pictureId) ? await findPictureByAddress(app.db, pictureId, name) : undefined
    if (!picture) throw notFound('picture')
    return sendBlob(app, request, reply, { blob: picture.bytes, name, cacheControl: 'public, max-age=86400' })
  })
}
