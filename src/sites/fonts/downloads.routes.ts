import { sendBlob } from '../../files/send.ts'
import { notFound } from '../../http/errors.ts'
import type { Routes } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { fileOf } from './present.ts'
import { findFaceByAddress } from './queries.ts'

/** The file is named by its content, so it never changes. */
export const keptForEver = 'public, max-age=31536000, immutable'

/** Serves the files of fonts. They are public: the font of a site is not a secret. */
export const fontDownloads: Routes = async (app) => {
  app.get('/files/fonts/:fontId/:file', { config: { hidden: true, uncounted: true } }, async (request, reply) => {
    const { fontId, file } = request.params as { fontId: string; file: string }
    const [hash = ''] = file.split('.')
    const face = isId(fontId) ? await findFaceByAddress(app.db, fontId, hash) : undefined
    if (!face || fileOf(face) !== file) throw notFound('font')
    return sendBlob(app, request, reply, { blob: face.bytes, name: file, cacheControl: keptForEver })
  })
}
