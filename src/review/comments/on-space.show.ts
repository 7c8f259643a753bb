import type { FastifyReply } from 'fastify'
import { accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { placeOf as placeOfComments } from '../../comments/access.ts'
import { readPages } from '../../comments/pages.ts'
import type { Comment } from '../../comments/queries.ts'
import { placeOf } from '../../front/place.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { pageData } from '../../pages/entry-data.ts'
import { type OpenedSpace, openSpace, spacePath } from '../../workspace/open.ts'
import { partIn } from '../../workspace/paging.ts'
import { addressOf } from '../../workspace/reading/reading.page.ts'
import type { Said } from '../../workspace/said.ts'
import { keeping } from '../editor/hand-back.ts'
import { handingBack, refusalIn } from '../open.ts'
import type { Kept } from '../parts.ts'
import { onSpacePage } from './on-space.page.ts'
import { findPast } from './past.ts'
import { everySaying, loadSaid } from './said.load.ts'
import type { Talk } from './talk.ts'
import { drawTexts } from './texts.ts'

/** The address where the comments on a space are read. */
export const onSpacePath = `${spacePath}/~/comments`

/** Comments on a space itself, and on pages of its main content. */
export const onSpace: Talk = {
  path: `${spacePath}/~`,
  async open(app, request, reply, left) {
    const opened = await openSpaceKeeping(app, request, reply, left)
    const part = partIn(request)
    return (
      opened && {
        caller: opened.caller,
        access: () => accessSpace(app.db, opened.caller, opened.access.space.id, 'comment'),
        trying: (kept, work) => tryingOnSpace(app, reply, opened, { ...kept, part }, work),
        leadBack: (done, at) => leadTo(app, reply, `${opened.path}/~/comments`, { done, page: part }, at),
      }
    )
  },
}

/** Opens a space for a request that contains a text. If that fails, the text is handed back to its author. */
export const openSpaceKeeping = (
  ...[app, request, reply, left]: Parameters<Talk['open']>
): Promise<OpenedSpace | undefined> => openSpace(app, request, reply, keeping(left), handingBack(left, 'This space'))

/** What the user wrote, what it is about, and which part of the comments they were looking at. */
interface Shown extends Pick<Kept, 'comment' | 'reply' | 'reworded'> {
  /** The id of a page. */
  about?: string | undefined
  part?: string | undefined
}

export async function tryingOnSpace(
  app: App,
  reply: FastifyReply,
  opened: OpenedSpace,
  shown: Shown,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const { reason, status } = refusalIn(error)
    return showOnSpace(app, reply, opened, { ...shown, error: reason }, status)
  }
}

export async function showOnSpace(
  app: App,
  reply: FastifyReply,
  { session, caller, path, access }: OpenedSpace,
  { about, part, ...more }: Shown & Said,
  status = 200,
): Promise<FastifyReply> {
  const { space, main, role } = access
  const place = placeOfComments(access, caller)
  const said = await loadSaid(app, place, { path: `${path}/~/comments`, page: part }, [])
  const all = everySaying(said).map(({ comment }) => comment)
  const wanted = [about, ...all.map(({ page_id }) => page_id)].filter((id) => typeof id === 'string')
  const tree = await readPages(app, app.db, main, [...new Set(wanted)].filter(isId))
  const page = tree.byId.get(about ?? '')
  const parts = {
    organization: caller.membership.organization,
    space,
    path: `${path}/~`,
    form: formToken(app, { session }),
    ...said,
    past: await findPast(app, space.organization_id, tree, all),
    texts: await drawTexts(all.map(({ markdown }) => markdown)),
    pageOf({ page_id }: Comment) {
      const entry = tree.byId.get(page_id ?? '')
      return entry && addressOf(path, tree, entry)
    },
    about: page && { id: page.entry, title: pageData(page).title },
    mayComment: spaceRights(role).comment,
    sendsMail: app.mail.isOn,
    ...more,
  }
  return answerPage(reply, onSpacePage(placeOf(app), parts), status)
}
