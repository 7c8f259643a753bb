import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { prepareBatch } from '../../editing/prepare.ts'
import { placeOf } from '../../front/place.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { reusableData } from '../../pages/entry-data.ts'
import { findUsers } from '../../pages/told.ts'
import type { Revision } from '../../revisions/revision.ts'
import { type Said, doneIn } from '../../workspace/said.ts'
import { asSeen } from '../../workspace/seen.ts'
import { loadText, reusableTexts } from '../editor/edit.texts.ts'
import { changePath, refusalIn } from '../open.ts'
import { aroundOf } from '../within.ts'
import { type Written, addWith, change, isDeletedBy, requireStill, writing } from '../write.ts'
import { listReusable } from './reusable-contents.load.ts'
import { deletionPage, longestTitle, renamingPage, reusableContentsPage } from './reusable-contents.page.ts'

const mostListed = 500

/** Messages about what was just done. */
const done = {
  renamed: 'Renamed.',
  deleted: 'Reusable content deleted in this change request.',
}

const listPath = `${changePath}/~/reusable-contents`
const contentPath = `${listPath}/:textId`

/** The reusable contents of a change request. Their texts are edited in the same editor as pages. */
export const reusableContentPages: Routes = async (app) => {
  app.get(listPath, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) =>
      showAll(app, reply, written, { title: '', ...doneIn(request, done) }),
    ),
  )

  app.post(listPath, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const title = (fieldsOf(request).title ?? '').trim()
      try {
        requireTitle(title)
        const asked = { operation: 'insert_reusable_content', title, document: { markdown: '' } } as const
        const [made] = await addWith(app, request, written, await prepareBatch(app, [asked]))
        return leadTo(app, reply, `${written.opened.path}/~/reusable-contents/${made}`)
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return showAll(app, reply, written, { title, error: reason }, status)
      }
    }),
  )

  app.get(`${contentPath}/title`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) => {
      const entry = await named(app, written.head, request)
      const { title } = reusableData(entry)
      return showTitle(app, reply, written, entry, { title, seen: title })
    }),
  )

  app.post(`${contentPath}/title`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { title: typed = '', seen = '' } = fieldsOf(request)
      const title = typed.trim()
      const entry = await named(app, written.head, request)
      try {
        requireTitle(title)
        if (seen !== reusableData(entry).title)
          throw conflict('Somebody has renamed it since you opened this page. Reload it.')
        const asked = { operation: 'update_reusable_content', reusableContent: entry.entry, title } as const
        await change(app, request, written, asked, requireStill(written))
        return leadTo(app, reply, `${written.opened.path}/~/reusable-contents`, { done: 'renamed' })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return showTitle(app, reply, written, entry, { title, seen }, { error: reason, status })
      }
    }),
  )

  app.get(`${contentPath}/delete`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) =>
      showQuestion(app, reply, written, await named(app, written.head, request)),
    ),
  )

  app.post(`${contentPath}/delete`, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const { textId } = request.params as { textId: string }
      const leadOn = () => leadTo(app, reply, `${written.opened.path}/~/reusable-contents`, { done: 'deleted' })
      if (await isDeletedBy(app, written, textId)) return leadOn()
      const entry = await named(app, written.head, request)
      try {
        const users = await usersOf(app, written.head, entry)
        if (fieldsOf(request).seen !== stateOf(users))
          throw conflict('The pages that include it have changed in the meantime. Check again.')
        const asked = { operation: 'delete_reusable_content', reusableContent: entry.entry } as const
        await change(app, request, written, asked, requireStill(written))
        return leadOn()
      } catch (error) {
        if (await isDeletedBy(app, written, textId)) return leadOn()
        const { reason, status } = refusalIn(error)
        return showQuestion(app, reply, written, entry, { error: reason, status })
      }
    }),
  )
}

const named = async (app: App, head: Revision, { params }: FastifyRequest): Promise<Entry> =>
  (await loadText(app, reusableTexts, head, (params as { textId: string }).textId)).entry

function requireTitle(title: string): void {
  if (title === '' || [...title].length > longestTitle)
    throw conflict(`A reusable content needs a title of at most ${longestTitle} characters.`)
}

const usersOf = async (app: App, head: Revision, { entry }: Entry) => (await findUsers(app, head)).get(entry) ?? []

const stateOf = (users: readonly Entry[]) => asSeen(users.map(({ entry }) => entry))

async function showAll(
  app: App,
  reply: FastifyReply,
  written: Written,
  { title, ...said }: Said & { title: string },
  status = 200,
): Promise<FastifyReply> {
  const [all, users] = await Promise.all([listReusable(app, written.head), findUsers(app, written.head)])
  const contents = all.slice(0, mostListed)
  const listed = { contents, more: all.length - contents.length, users, title }
  return answerPage(reply, reusableContentsPage(placeOf(app), aroundOf(app, written, said), listed), status)
}

interface Refusal {
  error?: string
  status?: number
}

function showTitle(
  app: App,
  reply: FastifyReply,
  written: Written,
  entry: Entry,
  asked: { title: string; seen: string },
  refusal: Refusal = {},
) {
  const shown = renamingPage(placeOf(app), aroundOf(app, written, refusal), entry, asked)
  return answerPage(reply, shown, refusal.status)
}

async function showQuestion(app: App, reply: FastifyReply, written: Written, entry: Entry, refusal: Refusal = {}) {
  const users = await usersOf(app, written.head, entry)
  const question = { entry, users, seen: stateOf(users) }
  return answerPage(reply, deletionPage(placeOf(app), aroundOf(app, written, refusal), question), refusal.status)
}
