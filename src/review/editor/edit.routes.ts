import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { branchHeadOf } from '../../change-requests/queries.ts'
import { limits } from '../../content/limits.ts'
import { lineBreakOf } from '../../content/markdown/lines.ts'
import { placeOf } from '../../front/place.ts'
import { policyOfPages } from '../../front/policy.ts'
import { conflict } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { readPageSource } from '../../pages/source.ts'
import { findSiteShowing } from '../../sites/queries.ts'
import { type Said, doneIn } from '../../workspace/said.ts'
import { isInConflict, isTextInConflict, nextIn } from '../conflicts/conflicts.next.ts'
import { type Drawn, drawDraft } from './draft.ts'
import { editPage } from './edit.page.ts'
import { type Edited, type TextKind, loadText, pageTexts, reusableTexts } from './edit.texts.ts'
import { keeping, takeLongForms } from './hand-back.ts'
import { subjectOfNew } from '../begin.ts'
import { accessAgain, changePath, refusalIn } from '../open.ts'
import { type Called, type Written, change, nameOf, requireStill, writing } from '../write.ts'

/** A form encodes each byte of a text with up to three bytes, and a line break with six. */
const mostBytes = 6 * limits.sourceBytes

const done = { saved: 'Saved in the change request. You can continue writing.' }

/**
 * Pages and reusable contents of a change request are edited with a browser in the same way as through the API: as
 * Markdown, the whole text at once.
 */
export const editPages: Routes = async (app) => {
  takeLongForms(app, mostBytes)
  for (const texts of [pageTexts, reusableTexts]) editorOf(app, texts)
}

function editorOf(app: App, texts: TextKind): void {
  const editPath = `${changePath}/${texts.folder}/:textId`
  const load = ({ head }: Pick<Written, 'head'>, { params }: FastifyRequest) =>
    loadText(app, texts, head, (params as { textId: string }).textId)
  const show = (...given: Shown) => showEditor(app, texts, ...given)
  const addressOf = ({ opened }: Written, { entry }: Edited) => `${opened.path}/${texts.folder}/${entry.entry}`

  /** Whether this text is already saved: the first click of a double click has just done that. */
  const isSaved = async ({ opened }: Written, request: FastifyRequest, typed: string): Promise<boolean> => {
    const { changeRequest } = await accessAgain(app, opened, 'edit')
    return (await load({ head: branchHeadOf(changeRequest) }, request)).source === typed
  }

  app.get(editPath, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) =>
      show(reply, written, await load(written, request), doneIn(request, done)),
    ),
  )

  // Previews are not stored: reloading the page of one starts again from what is saved.
  app.get(`${editPath}/preview`, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) =>
      leadTo(app, reply, addressOf(written, await load(written, request))),
    ),
  )

  app.post(`${editPath}/preview`, async (request, reply) => {
    const { text = '', seen = '' } = fieldsOf(request)
    const look = async (written: Written) => {
      const edited = await load(written, request)
      const typed = endedLike(edited.source, text)
      try {
        const drawn = await drawDraft(
          app,
          written,
          edited.entry,
          texts.changeOf(edited.entry, { before: edited.source, typed }),
        )
        return await show(reply, written, edited, { text: typed, seen, drawn })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(reply, written, edited, { error: reason, text: typed, seen }, status)
      }
    }
    return writing(app, request, reply, keeping(text), look, text)
  })

  app.post(editPath, async (request, reply) => {
    const { text = '', seen = '', next = '' } = fieldsOf(request)
    const save = async (written: Written) => {
      const edited = await load(written, request)
      const typed = endedLike(edited.source, text)
      // With `ask`, a script checks first whether the text would be accepted. Nothing is saved.
      if (next === 'ask') return show(reply, written, edited, { text: typed, seen })
      const isDeciding = await isInConflict(app, written.head, edited.entry.entry)
      let saved = stateOf(typed)
      try {
        // If a title is stored beside its text, saving the same text would write it in another form, and reviews would
        // then refer to an earlier revision.
        if (typed !== edited.source) {
          if (stateOf(edited.source) !== seen) throw overtaken(texts)
          const asked = texts.changeOf(edited.entry, { before: edited.source, typed })
          const called = texts === pageTexts ? calledAfter(written, edited, typed) : undefined
          const { changeRequest } = await change(app, request, written, asked, requireStill(written), called)
          // What the text does not mention is kept and then appears in it, so the saved text may differ from this one.
          saved = stateOf((await load({ head: branchHeadOf(changeRequest) }, request)).source)
        }
      } catch (error) {
        const { reason, status } = refusalIn(error)
        // The form keeps the state that the user saw: a text that was overtaken is refused the second time too.
        if (!(await isSaved(written, request, typed)))
          return show(reply, written, edited, { error: reason, text: typed, seen }, status)
      }
      if (next === 'look')
        return leadTo(app, reply, `${written.opened.path}/preview`, { page: edited.entry.entry, done: 'saved' })
      if (next === 'stay') return leadTo(app, reply, addressOf(written, edited), { done: 'saved', seen: saved })
      if (isDeciding) {
        const isTorn = await isTextInConflict(app, written.head, edited.entry.entry)
        return leadTo(app, reply, ...(await nextIn(app, written.opened, isTorn ? 'torn' : 'saved')))
      }
      return leadTo(app, reply, written.opened.path, { done: 'saved' })
    }
    return writing(app, request, reply, keeping(text), save, text)
  })
}

/** A change request that started with this page and is named after it is renamed with the page. */
function calledAfter({ opened }: Written, { title }: Edited, typed: string): Called | undefined {
  const was = subjectOfNew(title)
  const now = readPageSource(typed).fields.title
  return now !== undefined && now !== title && opened.access.changeRequest.subject === was
    ? [was, subjectOfNew(now)]
    : undefined
}

/** The title and settings of a page are part of its text here, so a change of any of them is detected. */
const stateOf = (source: string) => hash('sha256', source, 'base64url')

const overtaken = ({ noun }: TextKind) =>
  conflict(`Somebody has changed this ${noun} since you opened it, so your text was not saved. Copy it from below.`)

const lineBreaks = /\r\n|\r|\n/g

/**
 * A browser replaces all line breaks of a form. The lines above and below the change get back the line breaks that they
 * had.
 */
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

type Shown = [
  reply: FastifyReply,
  written: Written,
  edited: Edited,
  shown: Said & { text?: string; seen?: string; drawn?: Drawn },
  status?: number,
]

async function showEditor(app: App, texts: TextKind, ...given: Shown): Promise<FastifyReply> {
  const [reply, { opened, head }, { entry, title, source }, { text, seen, ...shown }, status = 200] = given
  const { session, caller, path, access } = opened
  const [site, inConflict] = await Promise.all([
    texts === pageTexts ? findSiteShowing(app.db, caller.membership, access.space.id, undefined) : undefined,
    isTextInConflict(app, head, entry.entry),
  ])
  const parts = {
    path,
    texts,
    title,
    name: nameOf(access.changeRequest),
    form: formToken(app, { session }),
    seen: seen ?? stateOf(source),
    text: text ?? source,
    // A text that was refused or previewed is not saved anywhere else.
    isUnsaved: text !== undefined && text !== source,
    mostBytes: app.config.limits.uploadBytes,
    isShown: site !== undefined,
    isInConflict: inConflict,
    isOvertaken: seen !== undefined && seen !== stateOf(source),
    action: `${path}/${texts.folder}/${entry.entry}`,
    ...shown,
  }
  // The script of the page requests previews from us, and sends us files.
  return answerPage(reply, editPage(placeOf(app), parts), status, policyOfPages("'self'", "'self'"))
}
