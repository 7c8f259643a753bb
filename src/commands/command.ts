import type { Config } from '../config.ts'
import type { Instance } from './open.ts'

/** An open, migrated installation, and the address that goes into links. */
export type OpenInstance = Instance & { url: string }

/** A command of the command line. */
export interface Command {
  help: string
  /**
   * Whether the command is about existing data. If there is no installation, the caller meant another one, so none is
   * created.
   */
  needsInstallation?: boolean
  /** Whether the command itself handles the signal to stop. */
  endsByItself?: boolean
  run(args: string[], open: () => Promise<OpenInstance>, config: Config): Promise<void>
}

/** The exit code for work that was completed only in part, so that scripts can tell it from a failure. */
export const doneInPart = 2
