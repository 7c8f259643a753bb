/** What a page is to the model: a title, and a body of slots that are far enough apart to be changed side by side. */
export interface ModelPage {
  title: string
  slots: readonly string[]
}

/** All pages of a line at a revision, by id. Never changed. */
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
  else if (page)
    next.set(change.page, change.kind === 'title' ? { ...page, title: change.title } : { ...page, slots: change.slots })
  return next
}

/** The three-way merge, written down once more, over whole states. Undefined where both sides cannot have their way. */
export function mergeStates(base: State, ours: State, theirs: State): State | undefined {
  const merged = new Map<string, ModelPage>()
  for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
    const page = mergePages(base.get(id), ours.get(id), theirs.get(id))
    if (page === 'conflict') return undefined
    if (page) merged.set(id, page)
  }
  return merged
}

function mergePages(base?: ModelPage, ours?: ModelPage, theirs?: ModelPage): ModelPage | undefined | 'conflict' {
  if (samePage(ours, base) || samePage(ours, theirs)) return theirs
  if (samePage(theirs, base)) return ours
  if (!base || !ours || !theirs) return 'conflict'
  const title = mergeValues(base.title, ours.title, theirs.title)
  const slots = base.slots.map((slot, i) => mergeValues(slot, ours.slots[i]!, theirs.slots[i]!))
  if (title === undefined || slots.includes(undefined)) return 'conflict'
  return { title, slots: slots as string[] }
}

function mergeValues(base: string, ours: string, theirs: string): string | undefined {
  if (ours === base || ours === theirs) return theirs
  return theirs === base ? ours : undefined
}

export function samePage(one: ModelPage | undefined, two: ModelPage | undefined): boolean {
  if (one === two) return true
  if (!one || !two || one.title !== two.title) return false
  return one.slots.every((slot, i) => slot === two.slots[i])
}

export function sameState(one: State, two: State): boolean {
  return one.size === two.size && [...one].every(([id, page]) => samePage(page, two.get(id)))
}

export const bodyOf = (slots: readonly string[]) => slots.map((slot, i) => `## Slot ${i}\n\n${slot}\n`).join('\n')

export function slotsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^## Slot \d+\n\n(.+)$/gm)].map(([, slot]) => slot!)
}
