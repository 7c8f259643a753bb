import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../account/answer.ts'
import { type Fields, fieldsOf, formToken, requireOwnForm, takeForms } from '../account/forms.ts'
import { requireSession, requireSessionForm } from '../account/who.ts'
import { checkName } from '../editing/incoming-files.ts'
import { type ReceivedFile, prepareFiles } from '../editing/prepare.ts'
import { ChangePath } from '../editing/refusals.ts'
import { discard, receiveBlob } from '../files/blobs.ts'
import { downloadUrl } from '../files/download.ts'
import { hasTooManyPixels } from '../files/inspect.ts'
import { type FormPart, boundaryOf, readFormParts } from '../files/multipart.ts'
import { placeOf } from '../front/place.ts'
import { ApiError, conflict } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { sizeOf } from '../published/blocks/references.ts'
import { file } from '../revisions/entries.ts'
import { TooManyBytes } from '../storage/receive.ts'
import { filesPage } from './files.page.ts'
import { doneIn } from '../workspace/said.ts'
import { changePath, refusalIn } from './open.ts'
import { type Written, change, changeWith, nameOf, writing } from './write.ts'

/** As many as one change may bring. */
const mostFiles = 20
const longestName = 256
const mostListed = 200
/** Names and separators of a form, beside what is in the files. */
const mostAround = 64 * 1024
const mostOfField = 1024

/** What was just done, as the page says it. */
const done: Record<string, string> = {
  uploaded: 'Uploaded. The newest files come first.',
  deleted: 'The file is deleted here.',
}

/**
 * The files of a change request. A form brings several at once, all or none; together they may have the size that one may
 * have through the API, and they are written to the disk as they come.
 */
export const filePages: Routes = async (app) => {
  takeForms(app)
  app.addContentTypeParser('multipart/form-data', (_request, payload, taken) => taken(null, payload))

  app.get(`${changePath}/files`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      return show(app, reply, written, doneIn(request, done))
    }),
  )

  app.post(`${changePath}/files`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      try {
        await changeWith(app, request, written, prepareFiles(await receiveFiles(app, request, written)))
        return leadTo(app, reply, `${written.opened.path}/files`, { done: 'uploaded' })
      } catch (error) {
        leaveUnread(app, request, reply)
        const { reason, status } = refusalIn(error)
        return show(app, reply, written, { error: reason }, status)
      }
    }),
  )

  app.post(`${changePath}/files/delete`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      try {
        await change(app, request, written, { operation: 'delete_file', file: fieldsOf(request).file ?? '' })
        return leadTo(app, reply, `${written.opened.path}/files`, { done: 'deleted' })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, written, { error: reason }, status)
      }
    }),
  )
}

/** The token comes first in the form: nothing of a form that is not ours is written anywhere. */
async function receiveFiles(app: App, request: FastifyRequest, { opened }: Written): Promise<ReceivedFile[]> {
  const boundary = boundaryOf(request.headers['content-type'])
  const stream = request.body as IncomingMessage | undefined
  const { uploadBytes: most } = app.config.limits
  if (boundary === undefined || !stream) throw conflict('Choose files on this page.')
  if (announced(request) > most + mostAround) throw tooLarge(most)
  const received: ReceivedFile[] = []
  let room = most
  let isOurs = false
  try {
    for await (const part of readFormParts(stream.iterator({ destroyOnReturn: false }), boundary)) {
      if (!isOurs) {
        requireOwnForm(app, request, opened, await fieldIn(part))
        isOurs = true
      } else if (part.filename) {
        if (received.length === mostFiles) throw conflict(`At most ${mostFiles} files at once.`)
        const taken = await receiveOne(app, part, part.filename, room)
        received.push(taken)
        room -= taken.incoming.blob.size
      }
    }
    if (received.length === 0) throw conflict('Choose at least one file.')
    return received
  } catch (error) {
    await discard(received.map(({ incoming }) => incoming))
    throw error instanceof TooManyBytes ? tooLarge(most) : error
  }
}

const announced = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0)

const tooLarge = (most: number) =>
  new ApiError('body_too_large', `That is too large: all files together may have ${sizeOf(most)}.`)

async function fieldIn({ name, filename, bytes }: FormPart): Promise<Fields> {
  let text = ''
  if (filename !== undefined) return {}
  for await (const piece of bytes) {
    text += piece.toString('latin1')
    if (text.length > mostOfField) return {}
  }
  return { [name]: text }
}

async function receiveOne(app: App, { bytes, contentType }: FormPart, filename: string, maxBytes: number) {
  // Some browsers name the folder that it was in.
  const name = filename.replace(/^.*[/\\]/, '')
  if (name.length > longestName) throw conflict(`The name of a file has at most ${longestName} characters.`)
  checkName(name, 'name', new ChangePath(0))
  const incoming = await receiveBlob(app.config, bytes, { name, declared: contentType, maxBytes })
  if (!hasTooManyPixels(incoming.blob)) return { name, incoming }
  await discard([incoming])
  throw conflict(`${name} has too many pixels: at most 50 megapixels. Make the picture smaller.`)
}

/** Browsers read an answer once they have sent all. More than some such forms is not waited for. */
function leaveUnread(app: App, request: FastifyRequest, reply: FastifyReply): void {
  if (announced(request) > 4 * app.config.limits.uploadBytes) reply.header('connection', 'close')
  else request.raw.resume()
}

async function show(
  app: App,
  reply: FastifyReply,
  { opened: { session, path, access }, head }: Written,
  said: { done?: string; error?: string },
  status = 200,
): Promise<FastifyReply> {
  // They are in the order of their age.
  const all = await app.content.entries(head, file)
  const files = all.slice(-mostListed).toReversed()
  const parts = {
    path,
    name: nameOf(access.changeRequest),
    form: formToken(app, { session }),
    files: files.map((entry) => ({ entry, href: downloadUrl(app, access.space.id, entry) })),
    more: all.length - files.length,
    most: { files: mostFiles, bytes: app.config.limits.uploadBytes },
    ...said,
  }
  return answerPage(reply, filesPage(placeOf(app), parts), status)
}
