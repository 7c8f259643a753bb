import { sendBlob } from '../../files/send.ts'
import { notFound } from '../../http/errors.ts'
import type { Routes } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { findPictureByAddress } from './queries.ts'

/** Serves pictures by their address. They are public: the logo and icon of a site are not a secret. */
export const pictureDownloads: Routes = async (app) => {
  app.get('/files/pictures/:pictureId/:name', { config: { hidden: true, uncounted: true } }, async (request, reply) => {
    const { pictureId, name } = request.params as { pictureId: string; name: string }
    const picture = isId(pictureId) ? await findPictureByAddress(app.db, pictureId, name) : undefined
    if (!picture) throw notFound('picture')
    return sendBlob(app, request, reply, { blob: picture.bytes, name, cacheControl: 'public, max-age=86400' })
  })
}
