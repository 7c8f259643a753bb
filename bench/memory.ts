import { readFile, readdir } from 'node:fs/promises'
import { residentMegabytes } from './server.ts'

/** The most that a process and those below it took together, without the database. `stop` answers it. */
export function watchMemory(pid: number): { stop: () => number } {
  let most = 0
  const look = async () => {
    const sizes = await Promise.all((await familyOf(pid)).map((each) => residentMegabytes(each).catch(() => 0)))
    most = Math.max(
      most,
      sizes.reduce((sum, size) => sum + size, 0),
    )
  }
  const timer = setInterval(() => void look(), 100)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

async function familyOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const [, program, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(stat) ?? []
    if (parent !== undefined && program !== 'postgres') parents.set(Number(name), Number(parent))
  }
  const isBelow = (each: number): boolean => each === pid || (parents.has(each) && isBelow(parents.get(each)!))
  return [...parents.keys()].filter(isBelow)
}
