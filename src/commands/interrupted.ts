import { constants } from 'node:os'

type Undo = () => unknown

/**
 * What must not be left behind if a command is ended half-way: half of a file, a running database that nobody else
 * uses.
 */
const steps = new Set<Undo>()
let ending: Promise<void> | undefined
let endingSince = 0

/**
 * A terminal signals all of its processes, and a process that started us forwards the signal: signals within this time
 * count as one.
 */
const onceMs = 500

/** Registers what to undo if the command is ended before it is done. Returns a function to call once it is done. */
export function undoIfInterrupted(undo: Undo): () => void {
  steps.add(undo)
  return () => void steps.delete(undo)
}

/**
 * Whether the command is being ended. From then on, failures are not reported: they happen because the process is
 * leaving.
 */
export const isInterrupted = () => ending !== undefined

/**
 * Ends the command on Ctrl-C, a closed terminal, or a reader of our output that has read enough (`| head`). A second
 * request exits immediately.
 */
export function endWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end(128 + constants.signals[signal], 'Stopped before it was finished.'))
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    end(128 + constants.signals.SIGPIPE)
  })
  // If nobody reads the progress, as in a closed terminal, that ends nothing, least of all the undoing.
  process.stderr.on('error', () => {})
}

function end(code: number, message?: string): void {
  if (ending && performance.now() - endingSince > onceMs) process.exit(code)
  if (ending) return
  endingSince = performance.now()
  ending = undoAll().then(() => {
    if (message) console.error(process.stderr.isTTY ? `\r\u001b[K${message}` : message)
    process.exit(code)
  })
}

async function undoAll(): Promise<void> {
  for (const undo of [...steps].toReversed()) {
    try {
      await undo()
    } catch {
      // The others are undone anyway.
    }
  }
}
