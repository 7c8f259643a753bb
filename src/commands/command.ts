import type { Config } from '../config.ts'
import type { Instance } from './open.ts'

/** An open, migrated installation, and the address that goes into links. */
export type OpenInstance = Instance & { url: string }

/** One word of the command line. */
export interface Command {
  help: string
  /** It is about what is there. Where nothing is, another installation was meant: none is made for it. */
  needsInstallation?: boolean
  /** It knows by itself what to do when it is told to stop. */
  endsByItself?: boolean
  run(args: string[], open: () => Promise<OpenInstance>, config: Config): Promise<void>
}

/** The exit code of what was done, but not with all that was there: a script can tell it from what failed. */
export const doneInPart = 2
