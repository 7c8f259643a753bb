import { type Action, actions } from '../../audit/catalogue.ts'
import { nounOf, withArticle, words } from './words.ts'

/** The kinds of actions. Each contains what people look for together. */
const titles = {
  spaces: 'Spaces',
  'change-requests': 'Change requests',
  comments: 'Comments',
  imports: 'Imports',
  sites: 'Sites',
  people: 'People and invites',
  teams: 'Teams',
  'signing-in': 'Signing in',
  refusals: 'Refused',
  organization: 'The organization',
  references: 'API references',
  translations: 'Translations',
  webhooks: 'Webhooks',
} as const

type Kind = keyof typeof titles

type Subject = Action extends `${infer Before}.${string}` ? Before : never

/** The kind of each action, by the part of its name before the dot. */
const kinds: Record<Subject, Kind> = {
  access: 'refusals',
  'adaptive-schema': 'sites',
  'change-request': 'change-requests',
  collection: 'spaces',
  comment: 'comments',
  'comment-reply': 'comments',
  customization: 'sites',
  font: 'sites',
  'import-run': 'imports',
  invite: 'people',
  member: 'people',
  'openapi-spec': 'references',
  organization: 'organization',
  'publishing-auth': 'sites',
  'saml-provider': 'signing-in',
  session: 'signing-in',
  'share-link': 'sites',
  site: 'sites',
  'site-external-link': 'sites',
  'site-picture': 'sites',
  'site-redirect': 'sites',
  'site-remark': 'sites',
  'site-section': 'sites',
  'site-section-group': 'sites',
  'site-space': 'sites',
  space: 'spaces',
  team: 'teams',
  'team-member': 'teams',
  token: 'people',
  translation: 'translations',
  webhook: 'webhooks',
  'webhook-delivery': 'webhooks',
}

const subjectOf = (action: Action) => action.slice(0, action.indexOf('.')) as Subject

const actionsOf = (kind: Kind): Action[] => actions.filter((action) => kinds[subjectOf(action)] === kind)

/** Returns the actions that a choice in the filter stands for; undefined if it is not a valid choice. */
export function actionsChosen(what: string): Action[] | undefined {
  if (Object.hasOwn(titles, what)) return actionsOf(what as Kind)
  const action = actions.find((each) => each === what)
  return action && [action]
}

/** All choices of the filter, by kind. */
export const choices: { kind: string; title: string; actions: { action: Action; label: string }[] }[] = Object.entries(
  titles,
).map(([kind, title]) => ({
  kind,
  title,
  actions: actionsOf(kind as Kind).map((action) => ({ action, label: labelOf(action) })),
}))

/** `space.created` → “Created a space”. */
function labelOf(action: Action): string {
  const text = words[action].replace('{what}', thingOf(action)).replace('{whom}', 'somebody')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function thingOf(action: Action): string {
  const subject = subjectOf(action)
  if (subject === 'access') return 'something'
  if (subject === 'organization') return 'the organization'
  if (subject === 'comment' || subject === 'comment-reply') return 'a change request or a space'
  if (subject === 'import-run') return 'a space'
  if (kinds[subject] === 'sites' && subject !== 'font') return 'a site'
  return withArticle(nounOf(subject === 'team-member' ? 'team' : subject === 'webhook-delivery' ? 'webhook' : subject))
}
