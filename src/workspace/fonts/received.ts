import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fields } from '../../account/forms.ts'
import { discard, keepBlob } from '../../files/blobs.ts'
import { readHead } from '../../files/inspect.ts'
import { conflict } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { headBytes, mostBytes, noFont } from '../../sites/fonts/font-file.ts'
import type { NewFace } from '../../sites/fonts/queries.ts'
import { type FormFile, receiveForm } from '../form-files.ts'
import type { OpenedOrganization } from '../open.ts'

/** Stores the files of a form as fonts, all of them or none. `weightOf` returns the weight of a file. */
export async function receiveFaces(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenedOrganization,
  { most, fields, weightOf }: { most: number; fields: Fields; weightOf: (file: FormFile) => number },
): Promise<{ faces: NewFace[]; sent: Fields }> {
  const { id } = opened.caller.membership.organization
  const limits = { files: most, bytes: most * mostBytes }
  const { files, sent } = await receiveForm(app, request, reply, opened, limits, () => {}, fields)
  try {
    for (const { name, incoming } of files) {
      const why = noFont(await readHead(incoming.file.path, headBytes), incoming.blob)
      if (why !== undefined) throw conflict(`${name} ${why}.`)
    }
    const faces = files.map((file) => ({
      weight: weightOf(file),
      name: file.name,
      hash: file.incoming.blob.hash,
    }))
    for (const { incoming } of files) await keepBlob(app.db, app.store, id, incoming)
    return { faces, sent }
  } finally {
    await discard(files.map(({ incoming }) => incoming))
  }
}
