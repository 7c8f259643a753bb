import { type Commit, GitFailure, isText } from '../repository.ts'
import { listTree, notThere, readHere } from './read.ts'
import { type GitAnswer, incomplete, runGit, tookTooLong } from './run.ts'
import { type Workplace, remoteLimits } from './workplace.ts'

/** The local ref of the fetched commit. */
export const fetchedRef = 'refs/lectern/fetched'

/** Which bytes the server may leave out of a fetch. A server that cannot leave any out sends everything. */
type Filter = 'blob:none' | `blob:limit=${number}`

/** Fetches the newest commit of the branch with the names of its files. Undefined if the branch does not exist. */
export async function fetchNames(place: Workplace): Promise<Commit | undefined> {
  return fetchCommit(place, fetchTime(), 'blob:none')
}

/**
 * Fetches the newest commit of the branch with the files of the project. Of everything else in the repository, only the
 * names are fetched. If the project is the whole repository, files that are too large to be used are left out.
 * Undefined if the branch does not exist.
 */
export async function fetchFiles(place: Workplace, largestBytes: number): Promise<Commit | undefined> {
  const isAll = place.remote.projectDirectory === ''
  const left = fetchTime()
  const commit = await fetchCommit(place, left, isAll ? `blob:limit=${largestBytes + 1}` : 'blob:none')
  if (!commit) return undefined
  const missing = [...(await listTree(place, commit.oid, []))].flatMap(([path, { oid, size }]) =>
    size === notThere && (!isAll || isText(path)) ? [oid] : [],
  )
  if (await fetchBlobs(place, [...new Set(missing)], left)) return commit
  // The server can leave files out, but does not hand them out by id. So everything is fetched, or nothing.
  await place.empty()
  return fetchCommit(place, left)
}

type TimeLeft = () => number

/** All requests together have to finish within this time, however many there are. */
function fetchTime(): TimeLeft {
  const until = performance.now() + remoteLimits.totalMs
  return () => Math.max(1, until - performance.now())
}

async function fetchCommit(place: Workplace, left: TimeLeft, filter?: Filter): Promise<Commit | undefined> {
  const { url, ref } = place.remote
  const args = ['fetch', '--quiet', '--no-tags', '--depth=1', ...filtered(filter), '--', url, `+${ref}:${fetchedRef}`]
  const answer = await place.goOut(args, { timeoutMs: left(), ...(filter && { config: promised(url) }) })
  if (answer.code !== 0) {
    if (/couldn't find remote ref|no matching remote head|remote ref does not exist/i.test(answer.stderr))
      return undefined
    if (filter && sendsNoParts(answer)) return fetchCommit(place, left)
    throw failureOf(answer)
  }
  // Not `show`: even when told to show no changes, it looks for them in the whole tree.
  const said = (await readHere(place, ['log', '-1', '--format=%H%n%B', fetchedRef])).toString()
  const end = said.indexOf('\n')
  return {
    oid: said.slice(0, end),
    message: said
      .slice(end + 1)
      .trim()
      .toWellFormed()
      .replaceAll('\0', ''),
  }
}

/** How many of the latest commits are searched, since others may have committed on top of ours. */
const looksBack = 200

/**
 * Whether a commit is among the latest of the branch. Fetches only the commits themselves, into a workplace that
 * nothing is read from afterwards: once a server learns that a commit is here, it assumes that everything belonging to
 * it is here as well.
 */
export async function isInHistory(place: Workplace, oid: string): Promise<boolean> {
  const { url, ref } = place.remote
  const args = ['fetch', '--quiet', '--no-tags', `--depth=${looksBack}`, '--filter=tree:0']
  const answer = await place
    .goOut([...args, '--', url, `+${ref}:${fetchedRef}`], { config: promised(url) })
    .catch((error: unknown) => {
      // If the server cannot send parts, there may be more history than may be fetched. Then the answer is unknown.
      if (error instanceof GitFailure) return undefined
      throw error
    })
  if (answer?.code !== 0) return false
  const { code } = await runGit(['merge-base', '--is-ancestor', oid, fetchedRef], place.call())
  return code === 0
}

/** As many as a server can look up in no time. */
const blobsAtOnce = 5_000

/** Returns false if the server does not hand out anything by its id. */
async function fetchBlobs(place: Workplace, oids: readonly string[], left: TimeLeft): Promise<boolean> {
  const { url } = place.remote
  for (let from = 0; from < oids.length; from += blobsAtOnce) {
    const answer = await place.goOut(
      ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...filtered('blob:none'), '--stdin', '--', url],
      {
        // If the server learned what is here already, it would assume that everything belonging to it is here as well.
        config: { ...promised(url), 'fetch.negotiationAlgorithm': 'noop' },
        input: oids.slice(from, from + blobsAtOnce).map((oid) => `${oid}\n`),
        timeoutMs: left(),
      },
    )
    if (answer.code === 0) continue
    if (sendsNoParts(answer)) return false
    throw failureOf(answer)
  }
  return true
}

const filtered = (filter: Filter | undefined) => (filter ? [`--filter=${filter}`] : [])

/**
 * Declares, for one call only, that the server has what it left out. If this were stored, any other call that finds
 * something missing would contact the server on its own, bypassing the guard.
 */
const promised = (url: string) => ({
  [`remote.${url}.promisor`]: 'true',
  [`remote.${url}.partialCloneFilter`]: 'blob:none',
})

const sendsNoParts = ({ stderr }: GitAnswer) =>
  /\bfilter\b|unadvertised object|not our ref|want \S+ not valid/i.test(stderr)

/** Removes the messages of the other side, which may be anything. */
export const saidByGit = (text: string): string => text.replaceAll(/^remote:.*$/gm, '')

/** Translates git's message about the other side into our words. */
export function failureOf({ stderr }: GitAnswer): GitFailure {
  const ours = saidByGit(stderr)
  if (/out of memory|malloc failed|mmap failed|file too large/i.test(ours))
    return new GitFailure('The repository is too large.')
  if (/no space left|disk quota/i.test(ours))
    return new GitFailure("The server's disk is full. Its operator can free up space.")
  if (/Authentication failed|could not read (Username|Password)|error: 40[13]|HTTP 40[13]/i.test(ours)) {
    return new GitFailure(
      'The repository requires a user and a password with sufficient rights. Include them in its URL.',
    )
  }
  if (/not found|error: 404|does not appear to be a git repository/i.test(ours)) {
    return new GitFailure('There is no repository at this URL, or it requires signing in.')
  }
  if (/redirect|error: 30\d/i.test(ours)) return new GitFailure('The repository has moved. Use its new URL.')
  if (/certificate|SSL|TLS/i.test(ours)) return new GitFailure('The Git host has no trusted certificate.')
  if (/too slow|timed out/i.test(ours)) return tookTooLong()
  if (/did not send all necessary objects|unresolved delta/i.test(ours)) return incomplete()
  if (/mismatched algorithms/i.test(ours))
    return new GitFailure('The repository uses SHA-256 object ids, which are not supported.')
  return new GitFailure('The repository cannot be reached, or is not a Git repository.')
}
