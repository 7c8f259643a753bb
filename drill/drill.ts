/** What a drill is told. It throws at the first thing that is not as promised, and says where. */
export interface DrillOptions {
  /** The same seed makes the same choices; how the machine divides its time is its own. */
  seed: number
  /** Rounds, steps or cases; every drill knows how many it makes of its own accord. */
  count?: number
  minutes?: number
  /** Of a drill with several parts, those whose name has this in it. */
  only?: string
  log: (line: string) => void
}

export type Drill = (options: DrillOptions) => Promise<void>

/** Something a promise forbids. */
export class Finding extends Error {}

export function ensure(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Finding(message)
}
