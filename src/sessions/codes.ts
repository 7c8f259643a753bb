import { randomInt } from 'node:crypto'
import type { UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { networkOf } from '../http/network.ts'
import { type Secrets, hashOf } from '../secrets.ts'
import {
  type CodeRow,
  type Count,
  countOnce,
  countWrongTry,
  deleteCodes,
  findCount,
  lockCodes,
  upsertCode,
} from './codes.queries.ts'
import { type CodeHolder, findCodeHolder, findCodeHolderById } from './holder.queries.ts'

const digits = 8

/**
 * Limits per hour. More codes are sent for an address in total than one network can request, so that a stranger's
 * requests lock nobody out.
 */
const most = { 'asked-by': 60, 'asked-for-by': 5, 'asked-for': 20 }
const mostFailedBy = 100

/** Too many attempts. Wait this many seconds. */
export interface TooOften {
  tooOften: true
  seconds: number
}

/**
 * Creates the code that is mailed to an address, for the browser that requested it. The requester cannot see whether
 * the address has an account: the same is counted, written and answered. `code` must only be mailed.
 */
export async function makeMailedCode(
  tx: Transaction,
  secrets: Secrets,
  asked: { email: string; organizationId: string | undefined; address: string; browser: string },
): Promise<TooOften | { tooOften: false; user: UserRow | undefined; code: string }> {
  const { email, organizationId, address, browser } = asked
  const network = networkOf(address)
  const counted = [
    ['asked-by', network],
    ['asked-for-by', `${email.toLowerCase()} ${network}`],
    ['asked-for', email.toLowerCase()],
  ] as const
  // One after the other: a request that is refused here is not counted for the next limit.
  for (const [what, key] of counted) {
    const count = await countOnce(tx, what, hashOf(key))
    if (count.times > most[what]) return tooOften(count)
  }
  const user = (await findCodeHolder(tx, email, organizationId))?.user
  const code = await keepCode(tx, secrets, { email, kind: 'mailed', userId: user?.id ?? null, browser })
  return { tooOften: false, user, code }
}

/** Creates a code that the operator hands out. It works in any browser. */
export function makeHandedCode(tx: Transaction, secrets: Secrets, { id, email }: UserRow): Promise<string> {
  return keepCode(tx, secrets, { email, kind: 'handed', userId: id, browser: null })
}

export type Verdict = TooOften | { tooOften: false; holder?: CodeHolder; kind?: CodeRow['kind'] }

/**
 * Tries a code. A right code is used up, and a wrong one is counted. Therefore this returns normally in both cases: an
 * exception would roll back the count. Browsers that did not request the code cannot use it up for the one that did.
 */
export async function tryCode(
  tx: Transaction,
  secrets: Secrets,
  tried: { email: string; code: string; address: string; browser: string },
): Promise<Verdict> {
  const { email, address, browser } = tried
  const network = hashOf(networkOf(address))
  const failed = await findCount(tx, 'failed-by', network)
  if (failed && failed.times >= mostFailedBy) return tooOften(failed)

  const addressHash = hashOfAddress(email)
  const code = tried.code.replace(/[\s-]/g, '')
  const rows = await lockCodes(tx, addressHash, hashOf(browser))
  const right = rows.find((row) => row.user_id !== null && isRight(secrets, email, row, code))
  const holder = right && (await findCodeHolderById(tx, right.user_id!))
  if (right && holder) {
    await deleteCodes(tx, addressHash)
    return { tooOften: false, holder, kind: right.kind }
  }
  await countOnce(tx, 'failed-by', network)
  await countWrongTry(tx, addressHash, rows)
  // Strangers can do this as often as they like, so it must not discard the cached rights and heads.
  tx.leaveMain()
  return { tooOften: false }
}

async function keepCode(
  tx: Transaction,
  secrets: Secrets,
  draft: { email: string; kind: CodeRow['kind']; userId: string | null; browser: string | null },
): Promise<string> {
  const { email, kind, userId, browser } = draft
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  await upsertCode(tx, {
    addressHash: hashOfAddress(email),
    kind,
    userId,
    // Keyed with the instance's secret: with so few digits, a plain hash could easily be reversed.
    codeHash: secrets.sign('sign-in-code', said(email, kind, code)),
    browserHash: browser === null ? Buffer.alloc(0) : hashOf(browser),
  })
  return code
}

function isRight(secrets: Secrets, email: string, { kind, code_hash }: CodeRow, code: string): boolean {
  return secrets.verify('sign-in-code', said(email, kind, code), code_hash)
}

const said = (email: string, kind: CodeRow['kind'], code: string) => `${email.toLowerCase()} ${kind} ${code}`

const hashOfAddress = (email: string) => hashOf(email.toLowerCase())

const tooOften = ({ seconds_left }: Count): TooOften => ({ tooOften: true, seconds: Math.max(1, seconds_left) })
