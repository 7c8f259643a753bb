import { type Placed, byPosition, keyBetween } from '../../content/positions.ts'
import { FreeSlugs } from '../../editing/slugs.ts'

/** A slug that was chosen, or the one to start from. */
export interface WantedSlug {
  chosen?: string | undefined
  implied: string
}

/**
 * Returns the slugs of siblings. Chosen slugs come first, in order; the others get the first free one of slug, slug-1,
 * slug-2…. The same files always give the same slugs.
 */
export function assignSlugs(siblings: readonly WantedSlug[]): string[] {
  const free = new FreeSlugs()
  const slugs = new Map<number, string>()
  const take = (index: number, wanted: string) => {
    const slug = free.next(wanted)
    free.take(slug)
    slugs.set(index, slug)
  }
  siblings.forEach(({ chosen }, index) => chosen !== undefined && take(index, chosen))
  siblings.forEach(({ chosen, implied }, index) => chosen === undefined && take(index, implied))
  return siblings.map((_, index) => slugs.get(index)!)
}

export interface SlugToSay {
  slug: string
  implied: string
  hasFile: boolean
  /** Whether its file already states it. */
  isSaid: boolean
}

/**
 * Returns the siblings that have to state their slug, so that `assignSlugs` gives all of them theirs: as few files as
 * possible, since each of them would change.
 */
export function chooseSlugs(siblings: readonly SlugToSay[]): Set<number> {
  const isOther = ({ slug, implied }: SlugToSay) => slug !== implied && !/^-\d+$/.test(slug.slice(implied.length))
  const chosen = new Set([...siblings.keys()].filter((i) => siblings[i]!.isSaid || isOther(siblings[i]!)))
  for (;;) {
    const given = assignSlugs(
      siblings.map(({ slug, implied }, i) => ({ chosen: chosen.has(i) ? slug : undefined, implied })),
    )
    const wrong = [...siblings.keys()].filter((i) => given[i] !== siblings[i]!.slug)
    if (wrong.length === 0) return chosen
    const withoutFile = wrong.filter((i) => !siblings[i]!.hasFile)
    if (withoutFile.length > 0) for (const i of withoutFile) chosen.add(i)
    else chooseInTurn(siblings, chosen)
  }
}

/**
 * Adds each sibling that would get another slug, given those before it. One pass, since pages of the same title may be
 * thousands. Ends at one without a file, which comes before all others in the next round.
 */
function chooseInTurn(siblings: readonly SlugToSay[], chosen: Set<number>): void {
  const free = new FreeSlugs()
  for (const i of chosen) free.take(siblings[i]!.slug)
  for (const [i, { slug, implied, hasFile }] of siblings.entries()) {
    if (chosen.has(i)) continue
    const isGiven = free.next(implied) === slug
    if (!isGiven && !hasFile) return
    if (!isGiven) chosen.add(i)
    free.take(slug)
  }
}

/**
 * Returns positions that put siblings into this order. As many as possible keep theirs: a sibling that keeps its place
 * among the others was not moved.
 */
export function assignPositions(ids: readonly string[], before: ReadonlyMap<string, string>): Map<string, string> {
  const known = ids.flatMap((entry) => (before.has(entry) ? [{ entry, position: before.get(entry)! }] : []))
  const kept = new Map(longestRun(known).map(({ entry, position }) => [entry, position]))
  const following: (string | null)[] = []
  for (let index = ids.length - 1, next: string | null = null; index >= 0; index--) {
    following[index] = next
    next = kept.get(ids[index]!) ?? next
  }
  const positions = new Map<string, string>()
  let left: string | null = null
  ids.forEach((id, index) => {
    left = kept.get(id) ?? keyBetween(id, left, following[index]!)
    positions.set(id, left)
  })
  return positions
}

/** Returns the longest part of a list that is already in order, with room between any two. */
function longestRun(placed: readonly Placed[]): Placed[] {
  const ends: number[] = []
  const previous: number[] = []
  placed.forEach((each, index) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(placed[ends[middle]!]!, each)) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? ends[low - 1]! : -1
    ends[low] = index
  })
  const run: Placed[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]!) run.unshift(placed[index]!)
  return run
}

const isBefore = (a: Placed, b: Placed) => a.position !== b.position && byPosition(a, b) < 0
