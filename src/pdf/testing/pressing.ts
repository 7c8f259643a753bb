import { globSync, readFileSync } from 'node:fs'

/** Returns the process id of the press that this process started, if there is one. */
export function findPress(): number | undefined {
  for (const path of globSync('/proc/[0-9]*/stat')) {
    try {
      const [, id, parent] = /^(\d+) \(.*\) \S (\d+)/s.exec(readFileSync(path, 'utf8')) ?? []
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8')
      if (Number(parent) === process.pid && command.includes('press.process')) return Number(id)
    } catch {
      // The process has ended in the meantime.
    }
  }
  return undefined
}
