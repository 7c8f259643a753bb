import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, takeForms } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import { baseOf } from '../../change-requests/merging/outcome.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { changesBetween } from '../../pages/changes.ts'
import { pageData } from '../../pages/entry-data.ts'
import { type Entry, findEntry, listWithAncestors, page, top } from '../../revisions/entries.ts'
import type { Revision } from '../../revisions/revision.ts'
import { changePath, refusalIn } from '../open.ts'
import { aroundOf } from '../within.ts'
import { type Written, change, requireStill, writing } from '../write.ts'
import { type Undone, undoPage } from './undo.page.ts'

const mostBytes = 4096
const undoPath = `${changePath}/~/pages/:pageId/undo`

/** Undoes what a change request does to one page. Everything else stays. */
export const undoPages: Routes = async (app) => {
  takeForms(app, mostBytes)

  app.get(undoPath, async (request, reply) =>
    writing(app, request, reply, requireSession, async (written) =>
      show(app, reply, written, await changedOf(app, request, written)),
    ),
  )

  app.post(undoPath, async (request, reply) =>
    writing(app, request, reply, requireSessionForm, async (written) => {
      const undone = await changedOf(app, request, written)
      const leadOn = () =>
        leadTo(app, reply, written.opened.path, {
          done: undone.isDeleted ? 'brought-back' : undone.staysMoved ? 'undone-there' : 'undone',
        })
      // On a double click, the first click has already undone it.
      if (undone.changes.changes.length === 0) return leadOn()
      try {
        if (fieldsOf(request).seen !== undone.seen)
          throw conflict('Somebody has changed it since you opened this page. Check again.')
        await change(app, request, written, { operation: 'revert_page', page: undone.id }, requireStill(written))
        return leadOn()
      } catch (error) {
        const { reason, status } = refusalIn(error)
        return show(app, reply, written, undone, { error: reason, status })
      }
    }),
  )
}

/** A new page has nothing to go back to. It can only be deleted. */
async function changedOf({ db }: App, { params }: FastifyRequest, { head }: Written): Promise<Undone> {
  const { pageId } = params as { pageId: string }
  const base = baseOf(head)
  const then = isId(pageId) ? await findEntry(db, base, pageId) : undefined
  if (then?.kind !== page) throw notFound('page')
  const now = await findEntry(db, head, pageId)
  const changes = await changesBetween(db, base, head, [pageId], 2)
  const seen = hash('sha256', JSON.stringify(now ?? null), 'base64url')
  const isMoved = changes.changes.some(({ type }) => type === 'page_moved')
  const staysMoved = isMoved && !(await hasPlace(db, head, then))
  return { id: pageId, title: pageData(now ?? then).title, isDeleted: now === undefined, staysMoved, changes, seen }
}

/** Whether the former parent of a page still exists and is not below that page itself. */
async function hasPlace(db: App['db'], head: Revision, { entry, parent }: Entry): Promise<boolean> {
  if (parent === top) return true
  const above = (await listWithAncestors(db, head, [parent])).map((each) => each.entry)
  return above.includes(parent) && !above.includes(entry)
}

const show = (
  app: App,
  reply: FastifyReply,
  written: Written,
  undone: Undone,
  refusal: { error?: string; status?: number } = {},
) => answerPage(reply, undoPage(placeOf(app), aroundOf(app, written, refusal), undone), refusal.status)
