import { constants } from 'node:os'

type Undo = () => unknown

/** What must not stay behind where a command is ended half-way: half of a file, a database that nobody else uses. */
const steps = new Set<Undo>()
let ending: Promise<void> | undefined
let endingSince = 0

/** A terminal tells all of its processes, and one that started us hands it on: that is once. */
const onceMs = 500

/** Has something undone where the command is ended before it is done. Answers how to say that it is done. */
export function undoIfInterrupted(undo: Undo): () => void {
  steps.add(undo)
  return () => void steps.delete(undo)
}

/** From then on nobody is told of what fails: it fails because we leave. */
export const isInterrupted = () => ending !== undefined

/** Ctrl-C, a closed terminal, or a reader of our output that has read enough (`| head`). Asked twice, we go at once. */
export function endWhenInterrupted(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => end(128 + constants.signals[signal], 'Stopped before it was finished.'))
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    end(128 + constants.signals.SIGPIPE)
  })
  // That nobody reads how far it has come, as in a terminal that was closed, ends nothing, least of all what is undone.
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
      // The others are undone all the same.
    }
  }
}
