import { appPath } from '../app-path.ts'
import { listSpaceRoles } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import { subjectOf } from '../change-requests/subject.ts'
import { mentionsIn } from '../comments/mentions.ts'
import { placeOnPage } from '../comments/place-on-page.ts'
import type { App } from '../http/routes.ts'
import { codeMinutes } from '../sessions/codes.queries.ts'
import { findEditsNotice } from './edits.queries.ts'
import { type MailKind, mailTitles } from './kinds.ts'
import type { Letter } from './letter.ts'
import {
  type SaidNotice,
  findFollowingNotice,
  findInviteNotice,
  findMergeNotice,
  findReader,
  findReviewNotice,
  findWebhookNotice,
  listSaid,
} from './notices.queries.ts'
import type { MailRow } from './queries.ts'
import { type SaidKind, saidLetter } from './said.ts'
import type { Message } from './transport.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** What is needed to compose a mail. */
type Desk = Pick<App, 'db' | 'secrets' | 'url'>

/**
 * Composes the mail in its current form. Returns undefined if there is nothing to report any more: its subject is gone,
 * or the reader may not see it or does not want to be notified.
 */
export async function compose(desk: Desk, mail: MailRow): Promise<Message | undefined> {
  const written = await writers[mail.kind](desk, mail)
  if (!written) return undefined
  const { letter } = written
  const quotes = letter.quotes?.map((quote) => ({ ...quote, head: quote.head && oneLine(quote.head) }))
  return {
    id: mail.id,
    ...written,
    letter: { ...letter, subject: oneLine(letter.subject), lead: oneLine(letter.lead), quotes },
  }
}

/** People and organizations choose their own names. A name must not be able to add lines to a mail. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')

type Written = Omit<Message, 'id'> | undefined

const writers: Record<MailRow['kind'], (desk: Desk, mail: MailRow) => Promise<Written>> = {
  'sign-in-code': async (desk, mail) => codeLetter(desk, mail),
  invite: inviteLetter,
  'review-request': reviewLetter,
  mention: toldLetter,
  reply: toldLetter,
  comment: toldLetter,
  merged: mergedLetter,
  edited: editedLetter,
  'webhook-disabled': webhookLetter,
  'git-failing': followingLetter,
  said: async () => undefined,
}

function codeLetter({ secrets, url }: Desk, { address, sealed, age_seconds }: MailRow): Written {
  const isOver = age_seconds > codeMinutes * 60
  if (address === null || sealed === null || isOver) return undefined
  const code = secrets.open('mail', sealed)
  return {
    to: address,
    letter: {
      subject: 'Your sign-in code',
      lead: `This is your code to sign in at ${new URL(url).host}. It works once, within ${codeMinutes} minutes, in the browser that asked for it.`,
      code: code.replace(/(\d{4})(?=\d)/, '$1 '),
      notes: ['If you did not ask for this code, you can ignore this mail: nobody can sign in without it.'],
    },
  }
}

async function inviteLetter(desk: Desk, { organization_id, address, about }: MailRow): Promise<Written> {
  const notice = await findInviteNotice(desk.db, organization_id!, about.invite!)
  if (!notice || address === null) return undefined
  const { organization, inviter, secret_sealed } = notice
  return {
    to: address,
    letter: {
      subject: `You are invited to ${organization}`,
      lead: `${inviter ?? 'Somebody'} invited you to ${organization}.`,
      link: { label: 'Accept the invite', url: `${desk.url}/invite/${desk.secrets.open('invite', secret_sealed)}` },
      notes: ['The link works once, only for this address, for 30 days. Do not share it.'],
    },
  }
}

async function reviewLetter(desk: Desk, mail: MailRow): Promise<Written> {
  const { organization_id: organizationId, user_id: userId, about } = mail
  const changeRequestId = about.changeRequest!
  const notice = await findReviewNotice(desk.db, organizationId!, { changeRequestId, userId: userId! })
  if (!notice) return undefined
  const { asker, space, subject, number } = notice
  const title = subjectOf({ subject, number })
  return forReader(desk, mail, notice.space_id, 'review', {
    subject: `Review: ${title} (${space})`,
    lead: `${asker ?? 'Somebody'} asked you to review the change request “${title}” in ${space}.`,
    link: { label: 'Open the change request', url: appUrl(desk, organizationId!, notice) },
    thread: changeRequestId,
  })
}

async function mergedLetter(desk: Desk, mail: MailRow): Promise<Written> {
  const { organization_id: organizationId, about } = mail
  const changeRequestId = about.changeRequest!
  const notice = await findMergeNotice(desk.db, organizationId!, changeRequestId)
  if (!notice) return undefined
  const { merger, space, subject, number } = notice
  const title = subjectOf({ subject, number })
  return forReader(desk, mail, notice.space_id, 'view', {
    subject: `Merged: ${title} (${space})`,
    lead: `${merger ?? 'Somebody'} merged the change request “${title}” into the main content of ${space}.`,
    link: { label: 'See what it changed', url: appUrl(desk, organizationId!, notice) },
    thread: changeRequestId,
  })
}

/** Reports everything that others edited in a space since its watcher was last notified. */
async function editedLetter(desk: Desk, mail: MailRow): Promise<Written> {
  const { organization_id, user_id, about } = mail
  const [space_id, from, to] = [about.space!, Number(about.from), Number(about.to)]
  const key = { organization_id: organization_id!, user_id: user_id! }
  const notice = await findEditsNotice(desk.db, { ...key, space_id, from, to })
  if (!notice) return undefined
  const { space, writers, titles, pages, deleted } = notice
  const others = counted(pages - titles.length, 'other')
  const list = [...titles.map((title) => `“${title}”`), ...others, ...counted(deleted, 'deleted')]
  return forReader(desk, mail, space_id, 'view', {
    subject: `Edited: ${space}`,
    lead: `${joined(writers) || 'Somebody'} wrote in the main content of ${space}${list.length > 0 ? `: ${joined(list)}` : ''}.`,
    link: {
      label: 'See what changed',
      url: `${appUrl(desk, organization_id!, { space_id, number: null })}/~/history`,
    },
  })
}

const counted = (pages: number, which: string) =>
  pages === 0 ? [] : [pages === 1 ? `one ${which} page` : `${pages} ${which} pages`]

const joined = (names: readonly string[]) => new Intl.ListFormat('en').format(names)

async function toldLetter(desk: Desk, mail: MailRow): Promise<Written> {
  const { organization_id: organizationId, kind, about } = mail
  // Mails written by an earlier version name a single comment.
  const all = await listSaid(desk.db, organizationId!, (about.said ?? about.comment ?? '').split(','))
  const said = kind === 'mention' ? all.filter(({ markdown }) => mentionsIn(markdown).includes(mail.user_id!)) : all
  const [first] = said
  if (!first) return undefined
  const { space, subject, number } = first
  const where = number === null ? space : `${subjectOf({ subject, number })} (${space})`
  return forReader(desk, mail, first.space_id, 'view', {
    ...saidLetter(kind as SaidKind, where, said),
    link: { label: 'Read it there', url: talkUrl(appUrl(desk, organizationId!, first), first, about.thread) },
    thread: about.thread,
  })
}

/** Leaves out the webhook's URL, which may contain a secret of its receiver. */
async function webhookLetter(desk: Desk, mail: MailRow): Promise<Written> {
  const { organization_id: organizationId, user_id: userId, about } = mail
  const webhookId = about.webhook!
  const notice = await findWebhookNotice(desk.db, organizationId!, { webhookId, userId: userId! })
  if (!notice) return undefined
  const { title, reason, organization } = notice
  return toReader(desk, mail, {
    subject: `Webhook turned off: ${title} (${organization})`,
    lead: `The webhook “${title}” of ${organization} was turned off. ${reason}`,
    link: {
      label: 'See what failed',
      url: `${desk.url}${appPath.organization(organizationId!)}/webhooks/${webhookId}`,
    },
    notes: [
      'When you turn it on again, it sends the events that were waiting. Events that happened while it was off are not sent.',
    ],
  })
}

async function followingLetter(desk: Desk, mail: MailRow): Promise<Written> {
  const { organization_id: organizationId, user_id: userId, about } = mail
  const spaceId = about.space!
  const notice = await findFollowingNotice(desk.db, organizationId!, { spaceId, userId: userId! })
  if (!notice) return undefined
  const { space, problem } = notice
  return forReader(desk, mail, spaceId, 'triggerGitSync', {
    subject: `Out of sync with Git: ${space}`,
    lead: `The space “${space}” has been out of sync with its Git repository for three days. ${problem}`,
    link: {
      label: 'See what is wrong',
      url: `${appUrl(desk, organizationId!, { space_id: spaceId, number: null })}/~/git`,
    },
  })
}

/** Composes a mail for a reader who must have this right in the space. */
async function forReader(
  desk: Desk,
  mail: MailRow,
  spaceId: string,
  right: 'view' | 'review' | 'triggerGitSync',
  { thread, ...letter }: Omit<Letter, 'notes'> & Pick<Message, 'thread'>,
): Promise<Written> {
  const space = { organization_id: mail.organization_id!, id: spaceId }
  const role = (await listSpaceRoles(desk.db, space, [mail.user_id!])).get(mail.user_id!)
  if (!role || !spaceRights(role)[right]) return undefined
  const written = await toReader(desk, mail, { ...letter, notes: [] })
  return written && { ...written, thread }
}

/**
 * Composes a mail for a user with an account. Whether they want it is checked at the last moment, as is what they may
 * see.
 */
async function toReader({ db, secrets, url }: Desk, mail: MailRow, letter: Letter): Promise<Written> {
  const kind = mail.kind as MailKind
  const userId = mail.user_id!
  const reader = await findReader(db, userId, kind)
  if (!reader) return undefined
  const { title, when } = mailTitles[kind]
  const unsubscribe = unsubscribeUrl(url, secrets, { userId, kind })
  const why = `${title}: ${when.charAt(0).toLowerCase()}${when.slice(1)}. Choose which mails you get at ${url}/account.`
  return { to: reader.email, letter: { ...letter, notes: [...letter.notes, why], unsubscribe } }
}

/** Comments on a space have a page of their own, where the address of a comment includes its thread. */
function talkUrl(url: string, { number, comment }: SaidNotice, thread: string | undefined): string {
  if (number === null) return `${url}/~/comments${thread === undefined ? '' : `/${thread}`}`
  return comment === null ? url : `${url}#${placeOnPage(comment)}`
}

function appUrl(
  { url }: Desk,
  organizationId: string,
  { space_id, number }: { space_id: string; number: number | null },
): string {
  const base = `${url}${appPath.space(organizationId, space_id)}`
  return number === null ? base : `${base}/~/changes/${number}`
}
