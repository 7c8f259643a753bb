import type { FastifyReply, FastifyRequest } from 'fastify'
import { leadTo } from '../../account/answer.ts'
import type { App } from '../../http/routes.ts'
import type { Opener } from '../../workspace/open.ts'
import { partIn } from '../../workspace/paging.ts'
import { fromAgain, fromIn } from '../changes/changes.load.ts'
import { keeping } from '../editor/hand-back.ts'
import { accessAgain, changePath, openChange } from '../open.ts'
import type { Kept } from '../parts.ts'
import { trying } from '../show.ts'
import type { TalkAccess } from './mentioning.ts'

/** A place where people comment with a browser: a change request, or a space. */
export interface Talk {
  /** Comments are below it. */
  path: string
  /**
   * Returns undefined if an answer was already sent. `left`: the user's text, which is handed back to them in that
   * case.
   */
  open(app: App, request: FastifyRequest, reply: FastifyReply, left: string): Promise<OpenedTalk | undefined>
}

export interface OpenedTalk {
  caller: Opener
  /** Refuses users who may not comment here. */
  access(): Promise<TalkAccess>
  /** Shows a refusal on the page, with the user's text still in its form. */
  trying(kept: Pick<Kept, 'reply' | 'reworded'>, work: () => Promise<FastifyReply>): Promise<FastifyReply>
  /** Leads to the part of the page that was shown, with a message about what was done. */
  leadBack(done: string, part: string): FastifyReply
}

export const inChange: Talk = {
  path: changePath,
  async open(app, request, reply, left) {
    const opened = await openChange(app, request, reply, keeping(left), left)
    const [page, from] = [partIn(request), fromIn(request)]
    return (
      opened && {
        caller: opened.caller,
        access: () => accessAgain(app, opened, 'comment'),
        trying: (kept, work) => trying(app, reply, opened, { ...kept, asked: { page, from } }, work),
        leadBack: (done, part) => leadTo(app, reply, opened.path, { done, page, from: fromAgain({ from }) }, part),
      }
    )
  },
}
