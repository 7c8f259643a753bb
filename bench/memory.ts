import { readFile, readdir } from 'node:fs/promises'

/**
 * Watches the memory of a process and its descendants, without the database. `stop` returns the highest total. All of
 * them run the same program, whose file pages are in memory only once.
 */
export function watchMemory(pid: number): { stop: () => number } {
  let most = 0
  const look = async () => {
    const each = await Promise.all((await familyOf(pid)).map((member) => memoryOf(member).catch(() => nothing)))
    const own = each.reduce((sum, { own }) => sum + own, 0)
    most = Math.max(most, own + Math.max(0, ...each.map(({ files }) => files)))
  }
  const timer = setInterval(() => void look(), 100)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

const nothing = { own: 0, files: 0 }

/** In megabytes: the private memory of a process, and its mapped files, most of which is the program itself. */
async function memoryOf(pid: number): Promise<{ own: number; files: number }> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)![1]) / 1024
  const own = megabytes('Anonymous')
  return { own, files: megabytes('Rss') - own }
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
