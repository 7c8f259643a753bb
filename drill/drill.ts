/** The options of a drill. A drill throws at the first broken promise and says where. */
export interface DrillOptions {
  /** The same seed makes the same choices. How the machine schedules processes still varies. */
  seed: number
  /** Rounds, steps or cases. Each drill has its own default. */
  count?: number
  minutes?: number
  /** In a drill with several parts, runs only those whose name contains this text. */
  only?: string
  log: (line: string) => void
}

export type Drill = (options: DrillOptions) => Promise<void>

/** A broken promise. */
export class Finding extends Error {}

export function ensure(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Finding(message)
}
