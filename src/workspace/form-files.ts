import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Fields, type Holder, requireOwnForm, storable } from '../account/forms.ts'
import { type Incoming, discard, receiveBlob } from '../files/blobs.ts'
import { type FormPart, boundaryOf, readFormParts } from '../files/multipart.ts'
import { ApiError, conflict } from '../http/errors.ts'
import { formats } from '../http/formats.ts'
import type { App } from '../http/routes.ts'
import { sizeInWords } from '../size-in-words.ts'
import { TooManyBytes } from '../storage/receive.ts'
import { counted } from './rows.ts'

export interface FormFile {
  name: string
  /** The name of the form field. */
  field: string
  incoming: Incoming
}

export interface ReceivedForm {
  fields: Fields
  files: FormFile[]
  /** Identical if the same files are sent again from the same page. */
  sent: Fields
}

export interface FormLimits {
  files: number
  /** Of all files together. */
  bytes: number
  /** Size limit for text that can be typed instead. If set, the form may come without any file. */
  typedBytes?: number
}

/** Room for the field names and separators of a form, in addition to its files. */
const mostAround = 64 * 1024
const mostOfField = 4096
const mostFields = 20
const longestName = 256

/** Passes the bytes of a form on unparsed. */
export const takeFiles = (app: App) =>
  app.addContentTypeParser('multipart/form-data', (_request, payload, taken) => taken(null, payload))

/**
 * Reads a form with files: all of them or none. The token must be its first field, so that nothing from a form that is
 * not ours is written anywhere. `check` throws for a file name that is not accepted. Typed values are in `fields` as
 * soon as they have arrived, so that the page can show them again if something after them is refused.
 */
export async function receiveForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  holder: Holder,
  most: FormLimits,
  check: (name: string) => void,
  fields: Fields = {},
): Promise<ReceivedForm> {
  const boundary = boundaryOf(request.headers['content-type'])
  const stream = request.body as IncomingMessage | undefined
  if (boundary === undefined || !stream) throw conflict('Choose the files on this page.')
  const files: FormFile[] = []
  let room = most.bytes
  try {
    for await (const part of readFormParts(stream.iterator({ destroyOnReturn: false }), boundary)) {
      if (fields.form === undefined) requireOwnForm(app, request, holder, Object.assign(fields, await fieldIn(part)))
      else if (part.filename === undefined) Object.assign(fields, await fieldIn(part, roomFor(fields, most)))
      else if (part.filename !== '') {
        if (announced(request) > most.bytes + (most.typedBytes ?? 0) + mostAround) throw tooLarge(most)
        if (files.length === most.files) throw conflict(`At most ${counted(most.files, 'file')} at once.`)
        const name = nameOf(part.filename)
        check(name)
        const { bytes, contentType: declared } = part
        const incoming = await receiveBlob(app.config, bytes, { name, declared, maxBytes: room })
        files.push({ name, field: part.name, incoming })
        room -= incoming.blob.size
      }
      if (Object.keys(fields).length > mostFields) throw conflict('Choose the files on this page.')
    }
    // The form was empty, without even the token.
    if (fields.form === undefined) requireOwnForm(app, request, holder, fields)
    if (files.length === 0 && most.typedBytes === undefined) throw conflict('Choose at least one file.')
    const hashes = files.map(({ name, field, incoming }) => [field, name, incoming.blob.hash])
    return { fields, files, sent: { ...fields, files: JSON.stringify(hashes) } }
  } catch (error) {
    await discard(files.map(({ incoming }) => incoming))
    throw error instanceof TooManyBytes ? tooLarge(most) : error
  } finally {
    leaveUnread(request, reply, most)
  }
}

/** Some browsers include the folder that the file was in. */
function nameOf(filename: string): string {
  const name = filename.replace(/^.*[/\\]/, '')
  if (name === '') throw conflict(`${filename} is not a valid file name.`)
  if (!formats['one-line']!(name))
    throw conflict('A file name contains line breaks or other control characters. Rename the file first.')
  if (name.length > longestName) throw conflict(`A file name has at most ${longestName} characters.`)
  return name
}

const announced = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0)

const tooLarge = ({ files, bytes }: FormLimits) =>
  new ApiError(
    'body_too_large',
    `That is too large: ${files === 1 ? 'it' : 'all files together'} may have ${sizeInWords(bytes)}.`,
  )

/** How much typed text is still allowed. */
const roomFor = (fields: Fields, { typedBytes }: FormLimits) =>
  typedBytes && typedBytes - Object.values(fields).reduce((sum, text = '') => sum + text.length, 0)

async function fieldIn({ name, filename, bytes }: FormPart, most = mostOfField): Promise<Fields> {
  const pieces: Buffer[] = []
  let size = 0
  if (filename !== undefined) return {}
  for await (const piece of bytes) {
    size += piece.length
    if (size > most) throw new TooManyBytes()
    pieces.push(piece)
  }
  return { [name]: storable(Buffer.concat(pieces).toString()) }
}

/**
 * Browsers read the response only after they have sent everything, so the rest is read and dropped. If it is more than
 * the size of a few such forms, the connection is closed instead.
 */
function leaveUnread(request: FastifyRequest, reply: FastifyReply, most: FormLimits): void {
  if (announced(request) > 4 * most.bytes) reply.header('connection', 'close')
  else request.raw.resume()
}
