import { hash } from 'node:crypto'
import { hasNewConflict } from '../../change-requests/conflicts/conflicts.queries.ts'
import { limits } from '../../content/limits.ts'
import { lineBreakOf } from '../../content/markdown/lines.ts'
import { conflict } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { findRevision } from '../../revisions/lines.ts'
import { type Revision, asRevision } from '../../revisions/revision.ts'
import type { Written } from '../write.ts'
import { type Edited, type TextKind, loadText } from './edit.texts.ts'

/** What a user sends: a text, the state of the text that they started from, and the revision that had it. */
export interface Sent {
  text: string
  seen: string
  from: string
  /** What they last saved, if their editor does not show yet what was saved together with it. */
  base: string
}

/** The title and settings of a page are part of its text here, so a change of any of them is detected. */
export const stateOf = (source: string) => hash('sha256', source, 'base64url')

/**
 * Returns the text to save: what the user typed and, if somebody else has saved the text since it was opened, their
 * changes too. Refused if both changed the same lines or setting, because only people know what these should be.
 */
export async function textToSave(app: App, texts: TextKind, written: Written, edited: Edited, sent: Sent) {
  const typed = endedLike(edited.source, sent.text)
  if (typed === edited.source) return { text: typed, isCombined: false }
  const seen = await revisionSeen(app, written, sent)
  if (await isInNewConflict(app, written, edited, seen)) throw torn(texts)
  if (sent.base === '' && stateOf(edited.source) === sent.seen) return { text: typed, isCombined: false }
  const base = sent.base === '' ? await textSeen(app, texts, seen, edited, sent) : endedLike(edited.source, sent.base)
  // Longer texts are refused anyway: they are not worth a merge.
  if (base === undefined || [base, sent.text].some(isTooLong)) throw overtaken(texts)
  const text = await texts.merge({ base, ours: endedLike(base, sent.text), theirs: edited.source })
  if (text === undefined) throw overtaken(texts)
  return { text, isCombined: true }
}

const isTooLong = (text: string) => Buffer.byteLength(text) > limits.sourceBytes

async function revisionSeen(app: App, { opened }: Written, { from }: Sent): Promise<Revision | undefined> {
  const { id, organization_id: organizationId } = opened.access.space
  const row = isId(from) ? await findRevision(app.db, organizationId, id, from) : undefined
  return row && asRevision(row)
}

/** A save settles the conflicts of a page. That is not for its author to decide who has not seen them. */
function isInNewConflict(app: App, { head }: Written, { entry }: Edited, seen: Revision | undefined) {
  const since = seen?.lineId === head.lineId ? seen.seq : 0
  return hasNewConflict(app.db, { organizationId: head.organizationId, id: head.lineId }, entry.entry, since)
}

/** Returns the text that the user started from. A revision that had another text proves nothing. */
async function textSeen(app: App, texts: TextKind, revision: Revision | undefined, { entry }: Edited, sent: Sent) {
  if (!revision) return undefined
  const { source } = await loadText(app, texts, revision, entry.entry)
  return stateOf(source) === sent.seen ? source : undefined
}

const overtaken = ({ noun }: TextKind) =>
  conflict(
    `Somebody has changed the same part of this ${noun} since you opened it, so your text was not saved. Copy it from below.`,
  )

const torn = ({ noun }: TextKind) =>
  conflict(
    `This ${noun} has come into conflict with the main content since you opened it, so your text was not saved. Copy it from below.`,
  )

const lineBreaks = /\r\n|\r|\n/g

/**
 * A browser replaces all line breaks of a form. The lines above and below the change get back the line breaks that they
 * had.
 */
export function endedLike(source: string, text: string): string {
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
