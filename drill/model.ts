/** A page in the model: a title, and a body of slots far enough apart to be changed independently. */
export interface ModelPage {
  title: string
  slots: readonly string[]
  /**
   * The parts that both sides of an update changed differently, until a later write settles them. Unsettled slots hold
   * conflict markers.
   */
  unsettled?: readonly Unsettled[]
}

/** `page` means that the page was changed on one side and deleted on the other. */
type Unsettled = 'page' | 'title' | 'slots'

/** All pages of a line at a revision, by id. Immutable. */
export type State = ReadonlyMap<string, ModelPage>

export type Change =
  | { kind: 'put'; page: string; to: ModelPage }
  | { kind: 'title'; page: string; title: string }
  | { kind: 'body'; page: string; slots: readonly string[] }
  | { kind: 'delete'; page: string }

export function apply(state: State, change: Change): State {
  const next = new Map(state)
  const page = state.get(change.page)
  if (change.kind === 'delete') next.delete(change.page)
  else if (change.kind === 'put') next.set(change.page, change.to)
  else if (page && change.kind === 'title') next.set(change.page, settled({ ...page, title: change.title }, 'title'))
  else if (page && change.kind === 'body') next.set(change.page, settled({ ...page, slots: change.slots }, 'slots'))
  return next
}

/** Settles a part. Writing to a page also settles whether it should exist. */
function settled({ unsettled = [], ...page }: ModelPage, what: Unsettled): ModelPage {
  return withUnsettled(
    page,
    unsettled.filter((one) => one !== what && one !== 'page'),
  )
}

function withUnsettled(page: ModelPage, unsettled: Unsettled[]): ModelPage {
  return unsettled.length > 0 ? { ...page, unsettled } : page
}

/**
 * A second implementation of the three-way merge, over whole states. What the two sides cannot agree on becomes
 * unsettled.
 */
export function mergeStates(base: State, ours: State, theirs: State): State {
  const merged = new Map<string, ModelPage>()
  for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
    const page = mergePages(base.get(id), ours.get(id), theirs.get(id))
    if (page) merged.set(id, page)
  }
  return merged
}

export function isSettled(state: State): boolean {
  return state.values().every(({ unsettled }) => unsettled === undefined)
}

function mergePages(base?: ModelPage, ours?: ModelPage, theirs?: ModelPage): ModelPage | undefined {
  if (samePage(ours, base) || samePage(ours, theirs)) return theirs
  if (samePage(theirs, base)) return ours
  if (!base || !ours || !theirs) return withUnsettled((ours ?? theirs)!, ['page'])
  const title = mergeValues(base.title, ours.title, theirs.title)
  const slots = base.slots.map((slot, i) => mergeValues(slot, ours.slots[i]!, theirs.slots[i]!))
  const isWhole = (values: (string | undefined)[]): values is string[] => !values.includes(undefined)
  return withUnsettled({ title: title ?? ours.title, slots: isWhole(slots) ? slots : [] }, [
    ...(title === undefined ? (['title'] as const) : []),
    ...(isWhole(slots) ? [] : (['slots'] as const)),
  ])
}

function mergeValues(base: string, ours: string, theirs: string): string | undefined {
  if (ours === base || ours === theirs) return theirs
  return theirs === base ? ours : undefined
}

export function samePage(one: ModelPage | undefined, two: ModelPage | undefined): boolean {
  if (one === two) return true
  if (!one || !two || one.title !== two.title) return false
  return one.slots.length === two.slots.length && one.slots.every((slot, i) => slot === two.slots[i])
}

export function sameState(one: State, two: State): boolean {
  return one.size === two.size && [...one].every(([id, page]) => samePage(page, two.get(id)))
}

export const bodyOf = (slots: readonly string[]) => slots.map((slot, i) => `## Slot ${i}\n\n${slot}\n`).join('\n')

export function slotsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^## Slot \d+\n\n(.+)$/gm)].map(([, slot]) => slot!)
}
