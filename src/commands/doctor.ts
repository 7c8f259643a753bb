import { statfs } from 'node:fs/promises'
import { countMissingBytes } from '../doctor/files.ts'
import { invariants } from '../doctor/invariants.ts'
import { anyPurging, besidesPurging } from '../doctor/purging.ts'
import { readOptions } from './arguments.ts'
import type { Command, OpenInstance } from './command.ts'
import { sql } from '../db/sql.ts'

const enoughBytes = 1024 ** 3

export interface Finding {
  check: string
  ok: boolean
  detail: string
}

export const doctor: Command = {
  help: `lectern doctor [--json]
    Checks database, disk and the promises that the data must keep. Exit code 1 where something is wrong.`,

  async run(args, open) {
    const { json } = readOptions(args, { json: 'flag' })
    const findings = await examine(await open())
    if (json) console.log(JSON.stringify({ ok: findings.every(({ ok }) => ok), findings }))
    else
      for (const { check, ok, detail } of findings) console.log(`${ok ? '✓' : '✗'} ${check}${detail && `: ${detail}`}`)
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1
  },
}

export async function examine(instance: OpenInstance): Promise<Finding[]> {
  const findings = [await databaseAnswers(instance), await diskHasRoom(instance.config.dataFolder)]
  const { any: isPurging } = await instance.db.one(anyPurging)
  for (const { promise, broken } of invariants) {
    const { count } = await instance.db.one(isPurging ? besidesPurging(broken) : broken)
    findings.push(counted(promise, count))
  }
  findings.push(counted('The bytes of every file are there', await countMissingBytes(instance.db, instance.store)))
  return findings
}

const counted = (check: string, count: number): Finding => ({
  check,
  ok: count === 0,
  detail: count === 0 ? '' : `${count} found`,
})

async function databaseAnswers({ db }: OpenInstance): Promise<Finding> {
  const { version } = await db.one(sql<{ version: string }>`select current_setting('server_version') as version`)
  return { check: 'The database answers and is up to date', ok: true, detail: `PostgreSQL ${version}` }
}

async function diskHasRoom(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  return {
    check: 'The data folder has room',
    ok: free > enoughBytes,
    detail: `${Math.floor(free / 1024 ** 2)} MiB free`,
  }
}
