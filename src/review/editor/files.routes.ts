import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { checkName } from '../../editing/incoming-files.ts'
import { type Prepared, prepareBatch, prepareFiles } from '../../editing/prepare.ts'
import { ChangePath } from '../../editing/refusals.ts'
import { discard } from '../../files/blobs.ts'
import { downloadUrl } from '../../files/download.ts'
import { hasTooManyPixels } from '../../files/inspect.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { percentDecoded } from '../../percent.ts'
import { file } from '../../revisions/entries.ts'
import { filesPage } from './files.page.ts'
import { type FormFile, type FormLimits, receiveForm, takeFiles } from '../../workspace/form-files.ts'
import { type Said, doneIn } from '../../workspace/said.ts'
import { changePath, refusalIn } from '../open.ts'
import { type Written, addWith, change, nameOf, writing } from '../write.ts'

/** As many as one change may contain. */
const mostFiles = 20
const mostListed = 200

/** What was just done, as the page reports it. */
const done: Record<string, string> = {
  uploaded: 'Uploaded. The newest files come first.',
  deleted: 'File deleted in this change request.',
}

/**
 * The files of a change request. A form sends several at once, all of which are added or none. Together they may be as
 * large as one file may be through the API. They are written to disk while they are received.
 */
export const filePages: Routes = async (app) => {
  takeForms(app)
  takeFiles(app)

  app.get(`${changePath}/files`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      return show(app, reply, written, { ...doneIn(request, done), added: addedIn(request) })
    }),
  )

  app.post(`${changePath}/files`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      try {
        const { files, sent } = await receiveForm(app, request, reply, written.opened, mostIn(app), takeName)
        const added = await addWith(app, request, written, await prepared(files), { form: sent })
        return leadTo(app, reply, `${written.opened.path}/files`, { done: 'uploaded', added: added.join('.') })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, written, { error: reason }, status)
      }
    }),
  )

  // Uses the same guarded fetch as the API: nothing is fetched from addresses that are not public.
  app.post(`${changePath}/files/fetch`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      try {
        const { address = '', kind } = fieldsOf(request)
        const brought = await fetched(app, address.trim(), kind === 'picture')
        const added = await addWith(app, request, written, brought)
        return leadTo(app, reply, `${written.opened.path}/files`, { done: 'uploaded', added: added.join('.') })
      } catch (error) {
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

const longestAddress = 2048
const longestName = 100

async function fetched(app: App, url: string, isForPicture: boolean): Promise<Prepared> {
  if (url.length > longestAddress) throw conflict(`An address has at most ${longestAddress} characters.`)
  const brought = await prepareBatch(app, [{ operation: 'insert_files', files: [{ name: nameBehind(url), url }] }])
  const isPicture = [...brought.files.values()].every(({ blob }) => blob.contentType.startsWith('image/'))
  if (isPicture || !isForPicture) return brought
  await brought.cleanUp()
  throw conflict('The file at this address is not a picture.')
}

/** Returns the name of the file at an address, if it is a meaningful one. */
function nameBehind(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').at(-1)! : ''
  const name = (percentDecoded(last) ?? '').replace(/[^\p{L}\p{N}._ -]/gu, '').trim()
  return name.length <= longestName && /[^.]\.[a-z0-9]{2,5}$/i.test(name) ? name : 'picture'
}

/** Returns the ids of the files that were just uploaded. */
function addedIn({ query }: FastifyRequest): ReadonlySet<string> {
  const { added } = query as { added?: unknown }
  return new Set(typeof added === 'string' ? added.split('.', mostFiles) : [])
}

const mostIn = ({ config }: App): FormLimits => ({ files: mostFiles, bytes: config.limits.uploadBytes })

const takeName = (name: string) => checkName(name, 'name', new ChangePath(0))

async function prepared(files: FormFile[]): Promise<Prepared> {
  const large = files.find(({ incoming }) => hasTooManyPixels(incoming.blob))
  if (!large) return prepareFiles(files)
  await discard(files.map(({ incoming }) => incoming))
  throw conflict(`${large.name} has too many pixels: at most 50 megapixels. Make the picture smaller.`)
}

async function show(
  app: App,
  reply: FastifyReply,
  { opened: { session, path, access }, head }: Written,
  { added = new Set(), ...said }: Said & { added?: ReadonlySet<string> },
  status = 200,
): Promise<FastifyReply> {
  // They are sorted by age, the oldest first.
  const all = await app.content.entries(head, file)
  const files = all.slice(-mostListed).toReversed()
  const parts = {
    path,
    name: nameOf(access.changeRequest),
    form: formToken(app, { session }),
    files: files.map((entry) => ({
      entry,
      href: downloadUrl(app, access.space.id, entry),
      isNew: added.has(entry.entry),
    })),
    more: all.length - files.length,
    most: mostIn(app),
    ...said,
  }
  return answerPage(reply, filesPage(placeOf(app), parts), status)
}
