import { type Commit, GitFailure, isText } from '../repository.ts'
import { listTree, notThere, readHere } from './read.ts'
import { type GitAnswer, incomplete, runGit, tookTooLong } from './run.ts'
import { type Workplace, remoteLimits } from './workplace.ts'

/** Where the commit that was fetched is kept here. */
export const fetchedRef = 'refs/lectern/fetched'

/** Which bytes the server need not send along with a commit. One that cannot leave any out sends all of it. */
type Filter = 'blob:none' | `blob:limit=${number}`

/** Fetches the newest commit of the branch, with what its files are called. Undefined where there is no such branch. */
export async function fetchNames(place: Workplace): Promise<Commit | undefined> {
  return fetchCommit(place, fetchTime(), 'blob:none')
}

/**
 * Fetches the newest commit of the branch, and of all its files those of the project: of what else is in the repository
 * nothing but names. Where the project is all of it, files that are of no use here stay there. Undefined where there is no
 * such branch.
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
  // It leaves out what one does not want, and does not hand it out by itself: then all of it, or nothing.
  await place.empty()
  return fetchCommit(place, left)
}

type TimeLeft = () => number

/** However often one goes there: all of it has to be fetched within that. */
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
  // Not `show`: even told to show no changes it looks for them, through all of the tree.
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

/** How many commits others may have made since. */
const looksBack = 200

/**
 * Whether a commit is one of the last of the branch. Of these nothing else is fetched, into a place that nothing is read from
 * afterwards: told of a commit that is here, a server takes all that belongs to it for here as well.
 */
export async function isInHistory(place: Workplace, oid: string): Promise<boolean> {
  const { url, ref } = place.remote
  const args = ['fetch', '--quiet', '--no-tags', `--depth=${looksBack}`, '--filter=tree:0']
  const answer = await place
    .goOut([...args, '--', url, `+${ref}:${fetchedRef}`], { config: promised(url) })
    .catch((error: unknown) => {
      // More history than may be fetched, where the server cannot send parts: then nobody knows.
      if (error instanceof GitFailure) return undefined
      throw error
    })
  if (answer?.code !== 0) return false
  const { code } = await runGit(['merge-base', '--is-ancestor', oid, fetchedRef], place.call())
  return code === 0
}

/** As many as a server looks up in no time. */
const blobsAtOnce = 5_000

/** Answers false where the server hands out nothing by its id. */
async function fetchBlobs(place: Workplace, oids: readonly string[], left: TimeLeft): Promise<boolean> {
  const { url } = place.remote
  for (let from = 0; from < oids.length; from += blobsAtOnce) {
    const answer = await place.goOut(
      ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...filtered('blob:none'), '--stdin', '--', url],
      {
        // Told what is here already, the server would take all that belongs to it for here as well.
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
 * For this call alone, the server is one that has what it left out. Written down, any other call that comes upon something
 * missing would go there by itself, past the guard.
 */
const promised = (url: string) => ({
  [`remote.${url}.promisor`]: 'true',
  [`remote.${url}.partialCloneFilter`]: 'blob:none',
})

const sendsNoParts = ({ stderr }: GitAnswer) =>
  /\bfilter\b|unadvertised object|not our ref|want \S+ not valid/i.test(stderr)

/** Without what the other side says itself, which may be anything. */
export const saidByGit = (text: string): string => text.replaceAll(/^remote:.*$/gm, '')

/** What git says about the other side, in our words. */
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
