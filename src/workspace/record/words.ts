import type { Action } from '../../audit/catalogue.ts'

/**
 * What somebody did, as the record puts it after their name. `{what}` is the thing, `{whom}` a person or a team. A new
 * action does not compile until it has its words.
 */
export const words: Record<Action, string> = {
  'access.denied': 'asked for what they may not do with {what}',
  'adaptive-schema.updated': 'changed the claims about readers of {what}',
  'change-request.brought-up-to-date': 'updated {what} from the main content',
  'change-request.content-updated': 'wrote in {what}',
  'change-request.created': 'began {what}',
  'change-request.merged': 'merged {what}',
  'change-request.review-requested': 'asked for reviews of {what}',
  'change-request.reviewed': 'reviewed {what}',
  'change-request.reviewer-removed': 'withdrew a review request for {what}',
  'change-request.reverts': 'reverted a change in {what}',
  'change-request.updated': 'changed {what}',
  'collection.created': 'created {what}',
  'collection.deleted': 'deleted {what}',
  'collection.granted': 'gave {whom} a role on {what}',
  'collection.moved': 'moved {what}',
  'collection.revoked': 'removed the role of {whom} on {what}',
  'collection.transferred': 'transferred {what}',
  'collection.updated': 'changed {what}',
  'comment-reply.deleted': 'deleted a reply',
  'comment-reply.posted': 'replied on {what}',
  'comment-reply.updated': 'changed a reply on {what}',
  'comment.deleted': 'deleted a comment',
  'comment.posted': 'commented on {what}',
  'comment.updated': 'changed a comment on {what}',
  'customization.updated': 'changed the look of {what}',
  'font.created': 'uploaded {what}',
  'font.removed': 'deleted {what}',
  'font.updated': 'changed {what}',
  'import-run.cancelled': 'cancelled an import into {what}',
  'import-run.completed': 'imported pages into {what}',
  'import-run.failed': 'could not import pages into {what}',
  'import-run.started': 'began an import into {what}',
  'invite.accepted': 'accepted {what}',
  'invite.created': 'created {what}',
  'invite.deleted': 'revoked {what}',
  'invite.updated': 'changed {what}',
  'member.added': 'added {whom}',
  'member.linked': 'used single sign-on for the first time',
  'member.removed': 'removed {whom}',
  'member.updated': 'changed {whom}',
  'openapi-spec.created': 'added {what}',
  'openapi-spec.failed': 'could not read {what}',
  'openapi-spec.read': 'read {what} anew',
  'openapi-spec.removed': 'deleted {what}',
  'openapi-spec.updated': 'changed {what}',
  'organization.created': 'created {what}',
  'organization.updated': 'changed settings of {what}',
  'publishing-auth.regenerated': 'created a new key for signing readers in to {what}',
  'publishing-auth.updated': 'changed how readers sign in to {what}',
  'saml-provider.created': 'added {what}',
  'saml-provider.key-added': 'created a key of {what}',
  'saml-provider.key-removed': 'removed a key of {what}',
  'saml-provider.login-refused': 'could not sign in through {what}',
  'saml-provider.removed': 'deleted {what}',
  'saml-provider.updated': 'changed {what}',
  'session.ended': 'signed out',
  'session.opened': 'signed in',
  'session.refused': 'could not sign in',
  'site-external-link.added': 'added a link to {what}',
  'site-external-link.moved': 'moved a link of {what}',
  'site-external-link.removed': 'removed a link of {what}',
  'site-external-link.updated': 'changed a link of {what}',
  'site-picture.created': 'uploaded a picture for {what}',
  'site-picture.removed': 'deleted a picture of {what}',
  'share-link.created': 'created a secret link to {what}',
  'share-link.removed': 'revoked a secret link to {what}',
  'share-link.updated': 'changed a secret link to {what}',
  'site-remark.removed': 'deleted what a reader wrote about {what}',
  'site-redirect.created': 'added a redirect to {what}',
  'site-redirect.removed': 'deleted a redirect of {what}',
  'site-redirect.updated': 'changed a redirect of {what}',
  'site-section-group.added': 'added a menu to {what}',
  'site-section-group.moved': 'moved a menu of {what}',
  'site-section-group.removed': 'removed a menu of {what}',
  'site-section-group.updated': 'changed a menu of {what}',
  'site-section.added': 'added a section to {what}',
  'site-section.moved': 'moved a section of {what}',
  'site-section.removed': 'removed a section of {what}',
  'site-section.updated': 'changed a section of {what}',
  'site-space.added': 'added a space to {what}',
  'site-space.moved': 'moved a space in {what}',
  'site-space.removed': 'removed a space from {what}',
  'site-space.updated': 'changed how a space is shown in {what}',
  'site.created': 'created {what}',
  'site.deleted': 'deleted {what}',
  'site.granted': 'gave {whom} a role on {what}',
  'site.published': 'published {what}',
  'site.revoked': 'removed the role of {whom} on {what}',
  'site.unpublished': 'took {what} offline',
  'site.updated': 'changed {what}',
  'space.content-updated': 'changed the main content of {what}',
  'space.created': 'created {what}',
  'space.deleted': 'deleted {what}',
  'space.git-export-asked': 'asked for an export of {what} to Git',
  'space.git-exported': 'exported {what} to Git',
  'space.git-following-ended': 'stopped keeping {what} in sync with Git',
  'space.git-following-set': 'set up {what} to be kept in sync with Git',
  'space.git-following-stopped': 'could no longer keep {what} in sync with Git',
  'space.git-forgotten': 'disconnected {what} from its Git repository',
  'space.git-hook-removed': 'removed the push hook of {what}',
  'space.git-hook-secret-rotated': 'gave the push hook of {what} a new secret',
  'space.git-hook-set': 'set up a push hook for {what}',
  'space.git-import-asked': 'asked for an import from Git into {what}',
  'space.git-imported': 'imported from Git into {what}',
  'space.git-noted': 'noted what Git has of {what}',
  'space.git-sync-completed': 'finished a sync of {what} with Git',
  'space.git-sync-failed': 'could not sync {what} with Git',
  'space.granted': 'gave {whom} a role on {what}',
  'space.moved': 'moved {what}',
  'space.purged': 'removed {what} from the trash for good',
  'space.restored': 'restored {what} from the trash',
  'space.revoked': 'removed the role of {whom} on {what}',
  'space.transferred': 'transferred {what}',
  'space.updated': 'changed {what}',
  'team-member.added': 'added {whom} to {what}',
  'team-member.removed': 'removed {whom} from {what}',
  'team-member.updated': 'changed the role of {whom} in {what}',
  'team.created': 'created {what}',
  'team.removed': 'deleted {what}',
  'team.updated': 'changed {what}',
  'token.barred': 'shut {what} out',
  'token.created': 'made an API token for {whom}',
  'token.revoked': 'revoked an API token of {whom}',
  'token.unbarred': 'let {what} in again',
  'translation.created': 'created {what}',
  'translation.removed': 'deleted {what}',
  'translation.updated': 'changed {what}',
  'webhook.created': 'created {what}',
  'webhook.disabled': 'turned off {what}',
  'webhook.removed': 'deleted {what}',
  'webhook.secret-rotated': 'created a new secret for {what}',
  'webhook.tested': 'tried {what}',
  'webhook.updated': 'changed {what}',
  'webhook-delivery.replayed': 'sent something again through {what}',
}

/**
 * More precise words for an action with a certain detail. The key is the action, the name of the detail and, where it
 * matters, its value.
 */
const closer: Record<string, string> = {
  'change-request.reviewed status approved': 'approved {what}',
  'change-request.reviewed status changes-requested': 'asked for changes in {what}',
  'change-request.updated status archived': 'archived {what}',
  'change-request.updated status draft': 'made a draft of {what}',
  'change-request.updated status open': 'opened {what} for review',
  'collection.granted role none': 'removed the access of {whom} to {what}',
  'collection.transferred way in': 'transferred {what} here from another organization',
  'collection.transferred way out': 'transferred {what} to another organization',
  'member.updated disabled false': 'reactivated {whom}',
  'member.updated disabled true': 'suspended {whom}',
  'member.updated role': 'gave {whom} another role',
  'site.granted role none': 'removed the access of {whom} to {what}',
  'space.granted role none': 'removed the access of {whom} to {what}',
  'space.transferred way in': 'transferred {what} here from another organization',
  'space.transferred way out': 'transferred {what} to another organization',
}

/** The words for actions of people on themselves. */
const own: Record<string, string> = {
  'member.added': 'joined',
  'member.removed': 'left',
  'team-member.added': 'joined {what}',
  'team-member.removed': 'left {what}',
  'token.created': 'made an API token',
  'token.revoked': 'revoked an API token',
}

type Details = Record<string, string> | null

/** Returns the words for an action. An action that this version no longer has is shown by its name. */
export function sentenceOf(action: string, details: Details, isOwn: boolean): string {
  const told = Object.entries(details ?? {})
  const keys = [...told.map((each) => each.join(' ')), ...told.map(([name]) => name)].map((each) => `${action} ${each}`)
  const better = (isOwn ? own[action] : undefined) ?? closer[keys.find((key) => Object.hasOwn(closer, key)) ?? '']
  return better ?? (Object.hasOwn(words, action) ? words[action as Action] : `${action} {what}`)
}

/** The nouns for the types of things in the record. For other types, the type itself is the noun. */
const nouns: Record<string, string> = {
  'change-request': 'change request',
  'import-run': 'import',
  'openapi-spec': 'specification',
  'saml-provider': 'identity provider',
  token: 'API token',
  comment: 'comment',
  'comment-reply': 'reply',
  holder: 'role that was given',
}

export const nounOf = (type: string): string => nouns[type] ?? type.replaceAll('-', ' ')

export const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`

/** The details that are shown, with their names. The values are words from closed lists, never ids. */
const detailNames: Record<string, string> = {
  role: 'role',
  former: 'before',
  defaultRole: 'role of new members',
  defaultLevel: 'everyone else',
  visibility: 'readers',
  inviteLinks: 'invite links',
  sso: 'single sign-on required',
  method: 'by',
  reason: 'reason',
  direction: 'direction',
}

const values: Record<string, string> = { true: 'yes', false: 'no', saml: 'single sign-on', oidc: 'OpenID Connect' }

/** Returns the details in words, such as “role: edit”. */
export const detailsIn = (details: Details): string[] =>
  Object.entries(details ?? {}).flatMap(([name, value]) =>
    detailNames[name] === undefined ? [] : `${detailNames[name]}: ${values[value] ?? value.replaceAll('-', ' ')}`,
  )

/** The plain words for field names that only programs use. */
const fieldNames: Record<string, string> = {
  active: 'on or off',
  sso: 'single sign-on',
  ssoURL: 'address for logins',
  url: 'address',
}

/** `emailDomains` → “email domains”. A field whose new value is in the details is left out. */
export const fieldsIn = (fields: string[] | null, details: Details): string[] =>
  (fields ?? [])
    .filter((field) => details?.[field] === undefined)
    .map((field) => fieldNames[field] ?? field.replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`))
