import type { Static } from 'typebox'
import type { GitOperationRow } from '../db/tables.ts'
import type { Secrets } from '../secrets.ts'
import { type Remote, readRemote } from './remote/address.ts'
import type { GitImport } from './schema.ts'

/** A repository as it is stored, with encrypted credentials. */
export type Place = Pick<GitOperationRow, 'url' | 'ref' | 'project_directory' | 'credentials' | 'info'>

const sealedFor = 'git credentials'

export function readPlace(secrets: Secrets, body: Omit<Static<typeof GitImport>, 'force' | 'standalone'>): Place {
  const { url, ref, projectDirectory, credentials } = readRemote(body)
  return {
    url,
    ref,
    project_directory: projectDirectory,
    credentials: credentials === undefined ? null : secrets.seal(sealedFor, credentials),
    info: {
      tree_url: body.repoTreeURL ?? body.gitInfo?.url ?? null,
      commit_url: body.repoCommitURL ?? null,
      provider: body.gitInfo?.provider ?? null,
    },
  }
}

export function remoteAt(secrets: Secrets, { url, ref, project_directory, credentials }: Place): Remote {
  return {
    url,
    ref,
    projectDirectory: project_directory,
    credentials: credentials === null ? undefined : secrets.open(sealedFor, credentials),
  }
}

type Where = { [Field in 'url' | 'ref' | 'project_directory']: Place[Field] | null }

export const isSamePlace = (one: Where, other: Where): boolean =>
  one.url === other.url && one.ref === other.ref && one.project_directory === other.project_directory
