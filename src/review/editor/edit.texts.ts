import { areShort, mergeHereOrApart } from '../../change-requests/merging/line-merges.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { Three } from '../../content/merge/lookups.ts'
import { mergeHeads } from '../../content/merge/source.ts'
import { putBelow, splitPage } from '../../content/page/split.ts'
import type { Change } from '../../editing/schema.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { pageData, reusableData } from '../../pages/entry-data.ts'
import { writePageSource } from '../../pages/source.ts'
import { listBodies } from '../../revisions/bodies.ts'
import { isDeletedIn, listEntries, page, reusable } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import { areSettingsMistyped, changeOfText } from './changed-text.ts'

/** A text as it is in a change request. */
export interface Edited {
  entry: Entry
  title: string
  source: string
}

/** A kind of text that is written as Markdown in a change request. */
export interface TextKind {
  noun: 'page' | 'reusable content'
  /** The folder of these texts, below the change request. */
  folder: string
  /** The text as a user writes it: the text of a page includes its title and its settings. */
  sourceOf(entry: Entry, body: string): string
  titleOf(entry: Entry): string
  changeOf(entry: Entry, texts: { before: string; typed: string }): Change
  /** Returns undefined if both sides changed the same lines or the same setting. */
  merge(texts: Three<string>): Promise<string | undefined>
}

export const pageTexts: TextKind = {
  noun: 'page',
  folder: 'pages',
  sourceOf: (entry, body) => writePageSource(pageData(entry), body),
  titleOf: (entry) => pageData(entry).title,
  changeOf: ({ entry }, texts) => changeOfText(entry, texts),
  async merge(texts) {
    const [before, mine, other] = [splitPage(texts.base), splitPage(texts.ours), splitPage(texts.theirs)]
    const heads = { base: before.original, ours: mine.original, theirs: other.original }
    if (Object.values(texts).some(areSettingsMistyped) || !areShort(heads)) return mergeBodies(texts)
    const head = mergeHeads(heads)
    const body = await mergeBodies({ base: before.body, ours: mine.body, theirs: other.body })
    return head === null || body === undefined ? undefined : putBelow(head, body)
  },
}

export const reusableTexts: TextKind = {
  noun: 'reusable content',
  folder: '~/reusable-contents',
  sourceOf: (_, body) => body,
  titleOf: (entry) => reusableData(entry).title,
  changeOf: ({ entry }, { typed }) => ({
    operation: 'update_reusable_content',
    reusableContent: entry,
    document: { markdown: typed },
  }),
  merge: (texts) => mergeBodies(texts),
}

async function mergeBodies(texts: Three<string>): Promise<string | undefined> {
  const { text, conflicts } = await mergeHereOrApart(texts)
  return conflicts.length === 0 ? text : undefined
}

/** Returns undefined for anything without text: groups, links, generated pages, files and variables. */
export function textsWith(entry: Entry): TextKind | undefined {
  if (entry.kind === reusable) return reusableTexts
  return entry.kind === page && pageData(entry).type === 'document' ? pageTexts : undefined
}

/** Whoever still has a deleted text open is told what became of it. */
const missing = async (app: App, { noun }: TextKind, head: Revision, id: string) =>
  isId(id) && (await isDeletedIn(app.db, head, id))
    ? new ApiError('not_found', `This ${noun} has been deleted.`)
    : notFound(noun)

/** Loads the text that the address names by its id. */
export async function loadText(app: App, texts: TextKind, head: Revision, id: string): Promise<Edited> {
  const [entry] = isId(id) ? await listEntries(app.db, head, [id]) : []
  if (!entry || textsWith(entry) !== texts) throw await missing(app, texts, head, id)
  const [body] = entry.doc === null ? [] : await listBodies(app.db, head.organizationId, [entry.doc])
  return { entry, title: texts.titleOf(entry), source: texts.sourceOf(entry, body?.markdown ?? '') }
}
