import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../account/answer.ts'
import { fieldsOf, formToken, takeForms } from '../account/forms.ts'
import { requireSession, requireSessionForm } from '../account/who.ts'
import { branchHeadOf } from '../change-requests/queries.ts'
import { limits } from '../content/limits.ts'
import { lineBreakOf } from '../content/markdown/lines.ts'
import type { Entry } from '../content/merge/entry.ts'
import { type Edit, contentOfChangeRequest } from '../editing/actions.ts'
import { writeBatch } from '../editing/attempts.ts'
import { prepareBatch } from '../editing/prepare.ts'
import type { Change } from '../editing/schema.ts'
import { placeOf } from '../front/place.ts'
import { titleOf } from '../front/refusals.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { pageData } from '../pages/entry-data.ts'
import { writePageSource } from '../pages/source.ts'
import { listBodies } from '../revisions/bodies.ts'
import { listEntries } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { editPage } from './edit.page.ts'
import { type Opened, accessAgain, changePath, openChange, refusalIn } from './open.ts'

/** Each byte of a text may take three in a form, and a line break six. */
const mostBytes = 6 * limits.sourceBytes
const longestTitle = 100

/** The text of a page, as a change request has it. */
interface Edited {
  page: Entry
  head: Revision
  source: string
}

/** Pages of a change request are written with a browser as they are through the API: as Markdown, the whole page at once. */
export const editPages: Routes = async (app) => {
  takeForms(app, mostBytes)
  // Before a text is read: large ones are taken from nobody else.
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST' && !(await requireSession(app, request, reply))) return reply
  })

  app.get(`${changePath}/pages/:pageId`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSession)
    if (!opened) return reply
    return trying(app, reply, opened, undefined, async () => {
      const edited = await load(app, opened, (request.params as { pageId: string }).pageId)
      return show(app, reply, opened, edited, {})
    })
  })

  app.post(`${changePath}/pages/:pageId`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { text = '', seen = '' } = fieldsOf(request)
    return trying(app, reply, opened, undefined, async () => {
      const edited = await load(app, opened, (request.params as { pageId: string }).pageId)
      const written = endedLike(edited.source, text)
      return trying(app, reply, opened, { edited, text: written, seen }, async () => {
        if (stateOf(edited.source) !== seen) throw overtaken()
        // Where a title is kept beside its text, the same text would be written another way, and reviews be of an earlier one.
        if (written === edited.source) return leadTo(app, reply, opened.path, { done: 'saved' })
        const asked = { operation: 'update_page' as const, page: edited.page.entry, document: { markdown: written } }
        await change(app, request, opened, asked, ({ head }) => {
          if (head.id !== edited.head.id)
            throw conflict('Somebody saved something at this very moment. Save once more.')
        })
        return leadTo(app, reply, opened.path, { done: 'saved' })
      })
    })
  })

  app.post(`${changePath}/pages`, async (request, reply) => {
    const opened = await openChange(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const title = (fieldsOf(request).title ?? '').trim()
    return trying(app, reply, opened, undefined, async () => {
      if (title === '' || [...title].length > longestTitle)
        throw conflict(`A page needs a title, of at most ${longestTitle} characters.`)
      const { batch } = await change(app, request, opened, {
        operation: 'insert_page',
        document: { markdown: '' },
        metadata: { title },
      })
      const [made] = batch.touched.keys()
      return leadTo(app, reply, `${opened.path}/pages/${made}`)
    })
  })
}

/** Title and settings of a page are part of its text here: whatever of it was changed shows. */
const stateOf = (source: string) => hash('sha256', source, 'base64url')

const overtaken = () =>
  conflict('Somebody has changed this page since you opened it. Your text is below: copy it, and open the page again.')

async function load(app: App, opened: Opened, pageId: string): Promise<Edited> {
  const { changeRequest } = await accessAgain(app, opened, 'edit')
  const head = branchHeadOf(changeRequest)
  const [page] = isId(pageId) ? await listEntries(app.db, head, [pageId]) : []
  if (!page || pageData(page).type !== 'document') throw notFound('page')
  const [body] = page.doc === null ? [] : await listBodies(app.db, head.organizationId, [page.doc])
  return { page, head, source: writePageSource(pageData(page), body?.markdown ?? '') }
}

async function change(
  app: App,
  request: FastifyRequest,
  opened: Opened,
  asked: Change,
  requireHead: Edit['requireHead'] = () => {},
) {
  const { space, changeRequest } = await accessAgain(app, opened, 'edit')
  const prepared = await prepareBatch(app, [asked])
  const edit = { prepared, caller: opened.caller, store: app.store, url: app.url, requireHead }
  return writeBatch(request, edit, contentOfChangeRequest(space, changeRequest.id), (edited) => edited)
}

const lineBreaks = /\r\n|\r|\n/g

/** A browser ends all lines of a form its own way: those above and below what was changed end as they did. */
function endedLike(source: string, text: string): string {
  const [had, lines] = [source.split(lineBreaks), text.split(lineBreaks)]
  const ends = source.match(lineBreaks) ?? []
  const usual = lineBreakOf(source)
  const most = Math.min(had.length, lines.length)
  let above = 0
  while (above < most && had[above] === lines[above]) above++
  let below = 0
  while (below < most - above && had.at(-1 - below) === lines.at(-1 - below)) below++
  const shift = had.length - lines.length
  const endOf = (at: number) => {
    if (at < above || shift === 0) return ends[at]
    return at >= lines.length - below ? ends[at + shift] : undefined
  }
  return lines.map((line, at) => (at === lines.length - 1 ? line : line + (endOf(at) ?? usual))).join('')
}

/** What is refused is said above the text, which stays as somebody wrote it; without a text, on the change request. */
async function trying(
  app: App,
  reply: FastifyReply,
  opened: Opened,
  kept: { edited: Edited; text: string; seen: string } | undefined,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const { reason, status } = refusalIn(error)
    // What was seen stays what it was: a text that was overtaken is not taken the second time either.
    if (kept) return show(app, reply, opened, kept.edited, { error: reason, text: kept.text, seen: kept.seen }, status)
    return answerPage(
      reply,
      editPage(placeOf(app), { path: opened.path, title: titleOf(status), error: reason }),
      status,
    )
  }
}

function show(
  app: App,
  reply: FastifyReply,
  { session, path, access }: Opened,
  { page, source }: Edited,
  { error, text, seen }: { error?: string; text?: string; seen?: string },
  status = 200,
): FastifyReply {
  const { title } = pageData(page)
  const writing = {
    form: formToken(app, { session }),
    subject: access.changeRequest.subject || `Change request #${access.changeRequest.number}`,
    seen: seen ?? stateOf(source),
    text: text ?? source,
    action: `${path}/pages/${page.entry}`,
  }
  return answerPage(
    reply,
    editPage(placeOf(app), { path, title, writing, ...(error !== undefined && { error }) }),
    status,
  )
}
