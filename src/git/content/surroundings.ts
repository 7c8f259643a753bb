import { type Placed, byPosition } from '../../content/positions.ts'
import type { Surroundings } from '../../links/bind.ts'
import { type Entry, type Kind, page, top } from '../../revisions/entries.ts'

/** Content that is completely at hand, for looking up what addresses refer to. */
export class WholeContent implements Surroundings {
  readonly #byId: ReadonlyMap<string, Entry>
  readonly #bySlot = new Map<string, string>()
  readonly #children: ReadonlyMap<string, Placed[]>

  constructor(entries: readonly Entry[]) {
    this.#byId = new Map(entries.map((entry) => [entry.entry, entry]))
    for (const { entry, parent, kind, slug } of entries) this.#bySlot.set(`${parent} ${kind} ${slug}`, entry)
    const pages = entries.filter(({ kind }) => kind === page)
    this.#children = Map.groupBy(pages as (Entry & Placed)[], ({ parent }) => parent)
    for (const siblings of this.#children.values()) siblings.sort(byPosition)
  }

  async load(): Promise<void> {}

  async loadSlots(): Promise<void> {}

  async find(id: string, kind: Kind): Promise<Entry | undefined> {
    const found = this.#byId.get(id)
    return found?.kind === kind ? found : undefined
  }

  async occupant({ parent, kind, slug }: { parent: string; kind: Kind; slug: string }): Promise<string | undefined> {
    return this.#bySlot.get(`${parent} ${kind} ${slug}`)
  }

  async siblings(parent: string): Promise<Placed[]> {
    return this.#children.get(parent) ?? []
  }

  async lastSibling(parent: string, except: string): Promise<Placed | undefined> {
    return this.#children.get(parent)?.findLast(({ entry }) => entry !== except)
  }

  async isWithin(id: string, ancestor: string): Promise<boolean> {
    for (let step: string | undefined = id; step !== undefined && step !== top; step = this.#byId.get(step)?.parent) {
      if (step === ancestor) return true
    }
    return false
  }
}
