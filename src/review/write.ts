import type { FastifyReply, FastifyRequest } from 'fastify'
import { spaceRights } from '../access/rights.ts'
import { answerPage } from '../account/answer.ts'
import type { Fields } from '../account/forms.ts'
import type { requireSession } from '../account/who.ts'
import { type ChangeRequest, branchHeadOf } from '../change-requests/queries.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Edit, contentOfChangeRequest } from '../editing/actions.ts'
import { type Target, writeBatch } from '../editing/write-batch.ts'
import { type Prepared, prepareBatch } from '../editing/prepare.ts'
import type { Change } from '../editing/schema.ts'
import { placeOf } from '../front/place.ts'
import { titleOf } from '../front/refusals.ts'
import { conflict, forbidden, notFound } from '../http/errors.ts'
import { html } from '../http/html.ts'
import type { App } from '../http/routes.ts'
import { isId } from '../ids.ts'
import type { PageTree } from '../pages/tree.ts'
import { isDeletedIn } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { insteadPage } from './instead.page.ts'
import { addOnce } from '../workspace/once.ts'
import { callAnew } from './begin.ts'
import { type Opened, accessAgain, openChange, refusalIn } from './open.ts'

/** The current content of a change request, for a user who edits it. */
export interface Written {
  opened: Opened
  head: Revision
}

/**
 * Runs `work` for a user who may edit a change request that can still be changed. A refusal is shown on a page of its
 * own, unless `work` has a better place for it. `left` is a text that would otherwise be lost.
 */
export async function writing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
  work: (written: Written) => Promise<FastifyReply>,
  left?: string,
): Promise<FastifyReply> {
  const opened = await openChange(app, request, reply, require, left)
  if (!opened) return reply
  const { changeRequest, role } = opened.access
  try {
    if (!spaceRights(role).edit) throw forbidden('edit this space')
    if (isClosed(changeRequest)) return answerClosed(app, reply, opened, left)
    return await work({ opened, head: branchHeadOf(changeRequest) })
  } catch (error) {
    const { reason, status } = refusalIn(error)
    const text = left === undefined ? reason : `${reason} ${notSaved}`
    const said = { title: titleOf(status), tone: 'danger', text, back: backTo(opened) } as const
    return answerPage(reply, insteadPage(placeOf(app), { ...said, ...(left !== undefined && { left }) }), status)
  }
}

const notSaved = 'Your text was not saved: copy it.'

const isClosed = ({ status }: ChangeRequest) => status === 'merged' || status === 'archived'

/** A page that was open when the change request was closed may still be submitted. Its text is handed back. */
function answerClosed(app: App, reply: FastifyReply, opened: Opened, left: string | undefined): FastifyReply {
  const isMerged = opened.access.changeRequest.status === 'merged'
  const said = {
    title: isMerged ? 'This change request is merged' : 'This change request is archived',
    tone: left === undefined ? 'info' : 'danger',
    text: html`${left !== undefined && `${notSaved} `}${
      isMerged
        ? 'The pages of a merged change request can no longer be changed. Create a new change request in the space.'
        : 'The pages of an archived change request cannot be changed until you reopen it.'
    }`,
    back: inNewTab(
      isMerged ? { label: 'To the space', path: opened.path.replace(/\/~\/.*/, '') } : backTo(opened),
      left,
    ),
    ...(left !== undefined && { left }),
  } as const
  return answerPage(reply, insteadPage(placeOf(app), said), reply.request.method === 'POST' ? 409 : 200)
}

/** The page with a text that is stored nowhere else stays open. */
const inNewTab = (back: { label: string; path: string }, left: string | undefined) =>
  left === undefined ? back : { label: `${back.label}, in a new tab`, path: back.path, inNewTab: true }

const backTo = ({ path }: Opened) => ({ label: 'Back to the change request', path })

/** For the link back from a page within it: the subject alone does not say that it is a change request. */
export const nameOf = ({ subject, number }: ChangeRequest) => `Change request #${number}${subject && `: ${subject}`}`

/** Returns the page that an address or a form names. */
export function pageIn(tree: PageTree, id: string | undefined): Entry {
  const page = id !== undefined && isId(id) ? tree.byId.get(id) : undefined
  if (!page) throw notFound('page')
  return page
}

export async function change(
  app: App,
  request: FastifyRequest,
  written: Written,
  asked: Change,
  requireHead: Edit['requireHead'] = () => {},
  called?: Called,
) {
  return changeWith(app, request, written, { prepared: await prepareBatch(app, [asked]), requireHead }, called)
}

/** Changes the content in the same way as through the API, and with the same rights. */
const changeWith = (
  app: App,
  request: FastifyRequest,
  written: Written,
  edit: Pick<Edit, 'prepared' | 'requireHead'>,
  called: Called | undefined,
) =>
  writeInto(app, request, written, edit, (content) => ({
    ...content,
    workOut: async (...given) => {
      const writeIt = await content.workOut(...given)
      if (!called) return writeIt
      return async (tx) => {
        tx.hold()
        const edited = await writeIt(tx)
        await callAnew(tx, edited.changeRequest, called)
        return edited
      }
    },
  }))

/**
 * Adds something new; a double click adds it once. `form`: what was sent, if not as fields. `called`: renames the
 * change request to the second subject if it still has the first one.
 */
export const addWith = (
  app: App,
  request: FastifyRequest,
  written: Written,
  prepared: Prepared,
  { form, called }: { form?: Fields; called?: Called } = {},
): Promise<string[]> =>
  writeInto(app, request, written, { prepared, requireHead: () => {} }, (content) => ({
    ...content,
    workOut: async (...given) => {
      const writeIt = await content.workOut(...given)
      const add = async (tx: Transaction) => {
        const { batch, changeRequest } = await writeIt(tx)
        if (called) await callAnew(tx, changeRequest, called)
        return [...batch.touched.keys()]
      }
      return (tx) => addOnce(tx, request, () => add(tx), form)
    },
  }))

export type Called = readonly [was: string, now: string]

async function writeInto<Result>(
  app: App,
  request: FastifyRequest,
  { opened }: Written,
  { prepared, requireHead }: Pick<Edit, 'prepared' | 'requireHead'>,
  through: (content: ReturnType<typeof contentOfChangeRequest>) => Target<Result>,
): Promise<Result> {
  try {
    const { space, changeRequest } = await accessAgain(app, opened, 'edit')
    const edit = { prepared, caller: opened.caller, store: app.store, url: app.url, requireHead }
    const content = contentOfChangeRequest(space, changeRequest.id)
    return await writeBatch(request, edit, through(content), (result) => result)
  } finally {
    await prepared.cleanUp()
  }
}

/** Whether an entry is deleted in the change request. On a double click, the first click has already deleted it. */
export async function isDeletedBy(app: App, { opened }: Written, id: string): Promise<boolean> {
  const { changeRequest } = await accessAgain(app, opened, 'edit')
  return isId(id) && isDeletedIn(app.db, branchHeadOf(changeRequest), id)
}

/** For a change that was worked out from that head: it must still be the head. */
export const requireStill =
  ({ head: seen }: Pick<Written, 'head'>): Edit['requireHead'] =>
  ({ head }) => {
    if (head.id !== seen.id) throw conflict('Somebody else saved at the same moment. Try again.')
  }
