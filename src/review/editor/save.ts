import type { FastifyRequest } from 'fastify'
import { branchHeadOf } from '../../change-requests/queries.ts'
import type { App } from '../../http/routes.ts'
import { readPageSource } from '../../pages/source.ts'
import { subjectOfNew } from '../begin.ts'
import { accessAgain } from '../open.ts'
import { type Called, type Written, change, requireStill } from '../write.ts'
import { type Edited, type TextKind, loadText, pageTexts } from './edit.texts.ts'
import { type Sent, stateOf, textToSave } from './overtaken.ts'

export interface Saved {
  /** The state of the text as it is now stored. */
  state: string
  /** Whether what somebody else has changed was saved together with it. */
  isCombined: boolean
}

const mostTries = 5

/**
 * Saves a text. If somebody else saves in the change request at the same moment, it is saved after that: another page
 * changes nothing about it, and of the same page, what both wrote is kept.
 */
export async function saveText(
  app: App,
  request: FastifyRequest,
  texts: TextKind,
  [written, edited]: readonly [Written, Edited],
  sent: Sent,
  tries = 1,
): Promise<Saved> {
  try {
    return await saveOver(app, request, texts, [written, edited], sent)
  } catch (error) {
    const { changeRequest } = await accessAgain(app, written.opened, 'edit')
    const head = branchHeadOf(changeRequest)
    if (head.id === written.head.id || tries === mostTries) throw error
    const now = await loadText(app, texts, head, edited.entry.entry)
    return saveText(app, request, texts, [{ ...written, head }, now], sent, tries + 1)
  }
}

async function saveOver(
  app: App,
  request: FastifyRequest,
  texts: TextKind,
  [written, edited]: readonly [Written, Edited],
  sent: Sent,
): Promise<Saved> {
  const { text, isCombined } = await textToSave(app, texts, written, edited, sent)
  // If a title is stored beside its text, saving the same text would write it in another form, and reviews would then
  // refer to an earlier revision.
  if (text === edited.source) return { state: stateOf(text), isCombined }
  const asked = texts.changeOf(edited.entry, { before: edited.source, typed: text })
  const called = texts === pageTexts ? calledAfter(written, edited, text) : undefined
  const { changeRequest } = await change(app, request, written, asked, requireStill(written), called)
  // What the text does not mention is kept and then appears in it, so the saved text may differ from this one.
  const { source } = await loadText(app, texts, branchHeadOf(changeRequest), edited.entry.entry)
  return { state: stateOf(source), isCombined }
}

/** A change request that started with this page and is named after it is renamed with the page. */
function calledAfter({ opened }: Written, { title }: Edited, typed: string): Called | undefined {
  const was = subjectOfNew(title)
  const now = readPageSource(typed).fields.title
  return now !== undefined && now !== title && opened.access.changeRequest.subject === was
    ? [was, subjectOfNew(now)]
    : undefined
}
