import { Explained } from './explained.ts'

/**
 * Named points at which a crash test can end the process, like a power cut would: `LECTERN_FAIL=<name>:<n>:kill` kills
 * it when it passes that point for the n-th time. Without the setting, a point costs one comparison.
 */
let armed: { name: string; left: number } | undefined

export function armFailpoint(setting: string | undefined): void {
  if (setting === undefined) return
  const [, name, count] = /^([\w.-]+):(\d+):kill$/.exec(setting) ?? []
  if (name === undefined) throw new Explained(`LECTERN_FAIL must read <name>:<n>:kill, and is "${setting}".`)
  armed = { name, left: Number(count) }
}

export function failpoint(name: string): void {
  if (armed?.name !== name) return
  armed.left -= 1
  if (armed.left === 0) process.kill(process.pid, 'SIGKILL')
}
