import { statfs } from 'node:fs/promises'
import { type Step, findMissingBytes } from '../doctor/files.ts'
import { invariants } from '../doctor/invariants.ts'
import { anyPurging, besidesPurging } from '../doctor/purging.ts'
import { readOptions } from './arguments.ts'
import type { Command } from './command.ts'
import type { Instance } from './open.ts'
import { showProgress } from './progress.ts'
import type { Database } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'

const enoughBytes = 1024 ** 3
/** The time limit of each check, which counts over all data, however much that is. */
const mostMs = 30 * 60_000

export interface Finding {
  check: string
  ok: boolean
  detail: string
}

export const doctor: Command = {
  help: `lectern doctor [--files] [--json]
    Checks the database, the disk and the consistency of the data. Exits with 1 if there are problems. Checks that the
    bytes of all files exist; with --files, reads every file to detect damage.`,
  needsInstallation: true,

  async run(args, open) {
    const { json, files } = readOptions(args, { json: 'flag', files: 'flag' })
    const progress = files ? showProgress('Reading files') : undefined
    const findings = await examine(await open(), json ? undefined : say, progress?.step)
    progress?.done()
    if (json) console.log(JSON.stringify({ ok: findings.every(({ ok }) => ok), findings }))
    if (findings.every(({ ok }) => ok)) return
    if (!json) console.error(help)
    process.exitCode = 1
  },
}

const help = `Problems were found (✗). Before anything else, make a copy of the data folder and the database. A backup from
before the problem can be restored into an empty folder. If anything is unclear, report it to the makers of Lectern.`

function say({ check, ok, detail }: Finding): void {
  console.log(`${ok ? '✓' : '✗'} ${check}${detail && `: ${detail}`}`)
}

/** `tell` is called with each finding as soon as it is available. With `step`, all files are read. */
export async function examine(
  { db, store, config }: Pick<Instance, 'db' | 'store' | 'config'>,
  tell: (finding: Finding) => void = () => {},
  step?: Step,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const note = (finding: Finding) => {
    findings.push(finding)
    tell(finding)
  }
  note(await databaseAnswers(db))
  note(await diskHasRoom(config.dataFolder))
  const { any: isPurging } = await db.one(anyPurging)
  for (const { promise, broken } of invariants) {
    const { count } = await askPatiently(db, isPurging ? besidesPurging(broken) : broken)
    note(counted(promise, count))
  }
  note(filesFound(await findMissingBytes(db, store, step), step !== undefined))
  return findings
}

async function askPatiently<Row>(db: Database, statement: Statement<Row>): Promise<Row> {
  return transaction(db, nobody, async (tx) => {
    await tx.allow(mostMs)
    return tx.one(statement)
  })
}

const counted = (check: string, count: number): Finding => ({
  check,
  ok: count === 0,
  detail: count === 0 ? '' : `${count} found`,
})

function filesFound({ count, named }: { count: number; named: string[] }, wereRead: boolean): Finding {
  const finding = counted(`The bytes of every file are there${wereRead ? ' and unchanged' : ''}`, count)
  if (finding.ok) return finding
  const more = count > named.length ? ['and others'] : []
  const advice = wereRead
    ? 'Restore them from a backup, or delete what is left of them and upload the files again.'
    : 'Restore them from a backup, or upload the files again.'
  return { ...finding, detail: [finding.detail, ...named, ...more, advice].join('\n    ') }
}

async function databaseAnswers(db: Database): Promise<Finding> {
  const { version } = await db.one(sql<{ version: string }>`select current_setting('server_version') as version`)
  return { check: 'The database responds and is up to date', ok: true, detail: `PostgreSQL ${version}` }
}

async function diskHasRoom(folder: string): Promise<Finding> {
  const check = 'The data folder has free space'
  const found = await statfs(folder).catch(({ code }: NodeJS.ErrnoException) => code)
  // A node that keeps its database, files and secret elsewhere has no data folder.
  if (found === 'ENOENT') return { check, ok: true, detail: 'there is none, and none is needed here' }
  if (typeof found !== 'object') return { check, ok: false, detail: `it cannot be looked at (${found}): ${folder}` }
  const free = found.bavail * found.bsize
  const isEnough = free > enoughBytes
  const advice = isEnough ? '' : `. Make room for 1024 MiB or more on the disk of ${folder}`
  return { check, ok: isEnough, detail: `${Math.floor(free / 1024 ** 2)} MiB free${advice}` }
}
