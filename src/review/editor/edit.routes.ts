import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { limits } from '../../content/limits.ts'
import { placeOf } from '../../front/place.ts'
import { policyOfPages } from '../../front/policy.ts'
import type { App, Routes } from '../../http/routes.ts'
import { findSiteShowing } from '../../sites/queries.ts'
import { type Said, doneIn } from '../../workspace/said.ts'
import { hasBothSides, isInConflict, nextIn } from '../conflicts/conflicts.next.ts'
import { type Drawn, drawDraft } from './draft.ts'
import { editPage } from './edit.page.ts'
import { type Edited, type TextKind, loadText, pageTexts, reusableTexts } from './edit.texts.ts'
import { keeping, takeLongForms } from './hand-back.ts'
import { type Sent, endedLike, stateOf } from './overtaken.ts'
import { type Saved, saveText } from './save.ts'
import { changePath, refusalIn } from '../open.ts'
import { type Written, nameOf, writing } from '../write.ts'

/** A form encodes each byte of a text with up to three bytes, and a line break with six. It may have two texts. */
const mostBytes = 2 * 6 * limits.sourceBytes

const done = {
  saved: 'Saved in the change request. You can continue writing.',
  combined:
    'Saved in the change request, together with what somebody else has changed since you opened it. You can continue writing.',
}

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
    const sent = sentIn(request)
    const look = async (written: Written) => {
      const edited = await load(written, request)
      const typed = endedLike(edited.source, sent.text)
      try {
        const drawn = await drawDraft(
          app,
          written,
          edited.entry,
          texts.changeOf(edited.entry, { before: edited.source, typed }),
        )
        return await show(reply, written, edited, { ...sent, text: typed, drawn })
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(reply, written, edited, { ...sent, error: reason, text: typed }, status)
      }
    }
    return writing(app, request, reply, keeping(sent.text), look, sent.text)
  })

  app.post(editPath, async (request, reply) => {
    const { next } = fieldsOf(request)
    const sent = sentIn(request)
    const save = async (written: Written) => {
      const edited = await load(written, request)
      const typed = endedLike(edited.source, sent.text)
      // With `ask`, a script checks first whether the text would be accepted. Nothing is saved.
      if (next === 'ask') return show(reply, written, edited, { ...sent, text: typed })
      const isDeciding = await isInConflict(app, written.head, edited.entry.entry)
      let saved: Saved
      try {
        saved = await saveText(app, request, texts, [written, edited], sent)
      } catch (error) {
        const { reason, status } = refusalIn(error)
        // The form keeps the state that the user saw: a text that was overtaken is refused the second time too.
        return show(reply, written, edited, { ...sent, error: reason, text: typed }, status)
      }
      const said = saved.isCombined ? 'combined' : 'saved'
      if (next === 'look')
        return leadTo(app, reply, `${written.opened.path}/preview`, { page: edited.entry.entry, done: said })
      // After a common save, without `seen`: the text differs from the one in the editor, which has to be replaced.
      const seen = saved.isCombined ? {} : { seen: saved.state }
      if (next === 'stay') return leadTo(app, reply, addressOf(written, edited), { done: said, ...seen })
      if (isDeciding) {
        const isTorn = await hasBothSides(app, written.head, edited.entry.entry, sent.text)
        return leadTo(app, reply, ...(await nextIn(app, written.opened, isTorn ? 'torn' : 'saved')))
      }
      return leadTo(app, reply, written.opened.path, { done: said })
    }
    return writing(app, request, reply, keeping(sent.text), save, sent.text)
  })
}

function sentIn(request: FastifyRequest): Sent {
  const { text = '', seen = '', from = '', base = '' } = fieldsOf(request)
  return { text, seen, from, base }
}

type Shown = [
  reply: FastifyReply,
  written: Written,
  edited: Edited,
  shown: Said & Partial<Sent> & { drawn?: Drawn },
  status?: number,
]

async function showEditor(app: App, texts: TextKind, ...given: Shown): Promise<FastifyReply> {
  const [reply, { opened, head }, { entry, title, source }, { text, seen, from, base, ...shown }, status = 200] = given
  const { session, caller, path, access } = opened
  const [site, inConflict] = await Promise.all([
    texts === pageTexts ? findSiteShowing(app.db, caller.membership, access.space.id, undefined) : undefined,
    hasBothSides(app, head, entry.entry, text ?? source),
  ])
  const parts = {
    path,
    texts,
    title,
    name: nameOf(access.changeRequest),
    form: formToken(app, { session }),
    seen: seen ?? stateOf(source),
    from: from ?? head.id,
    base: base ?? '',
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
