/** The kinds of mails that users can turn off. One-time codes and invites are always sent. */
export const mailKinds = [
  'review-request',
  'mention',
  'reply',
  'comment',
  'merged',
  'edited',
  'webhook-disabled',
  'git-failing',
] as const

export type MailKind = (typeof mailKinds)[number]

export const mailTitles: Record<MailKind, { title: string; when: string }> = {
  'review-request': { title: 'Review requests', when: 'Somebody asks you to review a change request' },
  mention: { title: 'Mentions', when: 'Somebody mentions you in a comment' },
  reply: { title: 'Replies', when: 'Somebody replies where you have said something' },
  comment: { title: 'Comments', when: 'Somebody comments on your change request, or reviews it' },
  merged: {
    title: 'Merges',
    when: 'A change request is merged that you created, were asked to review or took part in, or one in a space that you watch',
  },
  edited: { title: 'Edits', when: 'Others write in the main content of a space that you watch' },
  'webhook-disabled': {
    title: 'Webhooks',
    when: 'A webhook of an organization that you administer is turned off because it failed',
  },
  'git-failing': {
    title: 'Git',
    when: 'A space that you keep in sync with a Git repository has been out of sync for three days',
  },
}

export const isMailKind = (text: unknown): text is MailKind => (mailKinds as readonly unknown[]).includes(text)
