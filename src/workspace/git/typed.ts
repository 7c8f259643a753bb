import type { Static } from 'typebox'
import type { Fields } from '../../account/forms.ts'
import { type GitFollowing, NewGitFollowing } from '../../git/following/schema.ts'
import type { RemoteInfo } from '../../git/queries.ts'
import { type GivenRemote, type Remote, readRemote } from '../../git/remote/address.ts'
import { GitExport, GitImport } from '../../git/schema.ts'
import { type ApiError, inSentence } from '../../http/errors.ts'
import { asBody } from '../../http/validation.ts'
import { lookedAt } from './looked-at.ts'

/** Where an import goes, and what an export does about commits of others. */
export type Into = 'fitting' | 'change' | 'force'
export type Over = 'nothing' | 'force'

export type Direction = Static<typeof GitFollowing>['direction']

/** What a user typed about a repository. The token is not part of it, because it is never shown again. */
export interface TypedPlace {
  address: string
  branch: string
  folder: string
  user: string
  message: string
}

export interface TypedSync extends TypedPlace {
  into: Into
  over: Over
}

export interface TypedFollowing extends TypedPlace {
  direction: Direction
}

export interface Sent {
  typed: TypedSync
  token: string
}

export function typedIn(fields: Fields): Sent {
  const { address = '', branch = '', folder = '', user = '', token = '', message = '', into, over } = fields
  return {
    token: token.trim(),
    typed: {
      address: address.trim(),
      branch: branch.trim(),
      folder: folder.trim(),
      user: user.trim(),
      message: message.trim(),
      into: into === 'change' || into === 'force' ? into : 'fitting',
      over: over === 'force' ? over : 'nothing',
    },
  }
}

/** The values to show in the form again. The user and password that an address may contain are removed. */
export const shownAgain = ({ typed }: Sent): TypedSync => ({ ...typed, address: withoutSecrets(typed.address) })

const withoutSecrets = (address: string) =>
  address.replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, '$1').replace(/^(?![a-z0-9+.-]*:\/\/)(?=.*@)[^@]*:.*@/is, '')

export const importFrom = (sent: Sent, known: readonly RemoteInfo[]) =>
  asBody(GitImport, {
    ...placeIn(sent, known),
    force: sent.typed.into === 'force',
    standalone: sent.typed.into === 'change',
  })

export const exportTo = (sent: Sent, known: readonly RemoteInfo[]) =>
  asBody(GitExport, { ...placeIn(sent, known), commitMessage: sent.typed.message, force: sent.typed.over === 'force' })

/** Without a message, each commit gets the default message of the API. */
export const following = (sent: Sent, direction: string | undefined, known: readonly RemoteInfo[]) =>
  asBody(NewGitFollowing, {
    ...placeIn(sent, known),
    direction,
    ...(sent.typed.message !== '' && { commitMessage: sent.typed.message }),
  })

export const directionIn = ({ direction }: Fields): Direction =>
  direction === 'import' || direction === 'export' ? direction : 'both'

function placeIn(sent: Sent, known: readonly RemoteInfo[]) {
  const { branch, folder } = sent.typed
  const given = { url: addressIn(sent), ref: branch, repoProjectDirectory: folder }
  return { ...given, ...viewsOf(given, known) }
}

/** Hosts accept any user name with a token, but not an empty one. */
const anyUser = 'git'

/** Puts the user and token into the address, as the API expects. */
function addressIn({ typed: { address, user }, token }: Sent): string {
  const url = user === '' && token === '' ? null : URL.parse(address)
  if (!url) return address
  url.username = encodeURIComponent(user || anyUser)
  url.password = encodeURIComponent(token)
  return url.href
}

/**
 * The addresses to view the repository at: those set through the API, if it is the same place; otherwise those known
 * for its host.
 */
function viewsOf(given: GivenRemote, known: readonly RemoteInfo[]) {
  const remote = readRemote(given)
  const same = known.find((each) => isSame(remote, each))
  if (!same) return lookedAt(remote)
  const { tree_url, commit_url, provider } = same
  return {
    ...(tree_url && { repoTreeURL: tree_url }),
    ...(commit_url && { repoCommitURL: commit_url }),
    ...(provider && { gitInfo: { provider } }),
  }
}

const isSame = ({ url, ref, projectDirectory }: Remote, known: RemoteInfo) =>
  url === known.url && ref === known.ref && projectDirectory === known.project_directory

const words: Record<string, string> = {
  'body.url':
    'Enter the address of the repository as for “git clone”, beginning with https://. Addresses for ssh (git@…) do not work here.',
  'body.ref': 'Enter the name of a branch, such as main.',
  'body.repoProjectDirectory': 'Enter the folder as a path in the repository, such as docs/guide.',
  'body.direction': 'Choose a direction.',
  'body.commitMessage': 'Enter a commit message of at most 10,000 characters.',
}

/** Replaces messages about field names, which are for programs. */
export function inWords(error: ApiError, sent: Sent | undefined): string {
  const reason = reasonOf(error)
  return sent && hasSecret(sent) && error.type !== 'forbidden'
    ? `${reason} The token is not stored: enter it again.`
    : reason
}

function reasonOf(error: ApiError): string {
  if (error.type === 'merge_rule')
    return 'The merge rules of this space require change requests: choose to import into a change request.'
  const [detail] = error.details ?? []
  return words[detail?.path ?? ''] ?? inSentence(error)
}

const hasSecret = ({ typed, token }: Sent) => token !== '' || withoutSecrets(typed.address) !== typed.address
