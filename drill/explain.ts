import type { Db } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { ensure } from './drill.ts'
import type { Arena, Step } from './history.ts'
import { type State, apply, isSettled, mergeStates } from './model.ts'
import type { Random } from './random.ts'
import { checkNumbers, readBack } from './read-back.ts'

interface Revision {
  id: string
  line_id: string
  seq: number
  base_seq: number | null
  parents: string[]
  type: string
  merged_from: string | null
  request: string | null
}

/** How long another node may still show the previous state. */
const newsMs = 1_000

/**
 * Looks for a single serial order, which is the order of each line's revisions. Every answered write must be one
 * revision and every revision one write, each must follow from the one before as the model says, and no order may
 * contradict the clocks.
 */
export async function explain(arena: Arena, db: Db, start: State, random: Random): Promise<string> {
  const revisions = await db.all(
    sql<Revision>`
    select r.id, r.line_id, r.seq, r.base_seq, r.parents, r.type, r.merged_from, c.id as request
    from revisions r join lines l on l.organization_id = r.organization_id and l.id = r.line_id
    left join change_requests c on c.organization_id = r.organization_id and c.line_id = r.line_id
    where l.space_id = ${arena.space} order by (c.id is not null), r.line_id, r.seq`.asSlow(),
  )
  const branches = await db.all(
    sql<{ request: string; base_seq: number }>`
    select c.id as request, l.base_seq from change_requests c
    join lines l on l.organization_id = c.organization_id and l.id = c.line_id where c.space_id = ${arena.space}`.asSlow(),
  )
  const bases = new Map(branches.map(({ request, base_seq }) => [request, base_seq]))
  const history = new History(arena, revisions, bases)
  history.replay(start)
  history.checkOrder()
  history.checkRefusals()
  await checkNumbers(arena, db)
  const compared = await readBack(arena, history.main, history.states, random)
  return `${arena.steps.length} steps of ${history.countOf()}; ${revisions.length} revisions replayed, ${compared} pages read back`
}

class History {
  readonly #arena: Arena
  readonly main: Revision[]
  readonly #byId: Map<string, Revision>
  readonly #branches: Map<string, Revision[]>
  /** The current base of each change request. */
  readonly #bases: ReadonlyMap<string, number>
  readonly states = new Map<string, State>()
  readonly #writes: Map<string, Step>
  /**
   * If several updates were answered with the same revision, only the first created it. The others found nothing to do.
   */
  readonly #updates = new Map<string, Step>()

  constructor(arena: Arena, revisions: Revision[], bases: ReadonlyMap<string, number>) {
    this.#arena = arena
    this.#bases = bases
    this.main = revisions.filter(({ request }) => request === null)
    this.#byId = new Map(revisions.map((revision) => [revision.id, revision]))
    this.#branches = Map.groupBy(
      revisions.filter(({ request }) => request !== null),
      ({ request }) => request!,
    )
    this.#writes = new Map()
    for (const step of arena.steps) {
      if (step.kind === 'update') this.#noteUpdate(step)
      if (step.kind !== 'edit' && step.kind !== 'merge') continue
      ensure(!this.#writes.has(step.revision), `Two writes were answered with the revision ${step.revision}`)
      ensure(this.#byId.has(step.revision), `LOST: the revision ${step.revision} was answered and is not there`)
      this.#writes.set(step.revision, step)
    }
  }

  #noteUpdate(step: Step): void {
    // A change request without a revision of its own reports main's.
    if (this.#byId.get(step.revision)?.request !== step.request) return
    const known = this.#updates.get(step.revision) ?? step
    const [sentAt, answeredAt] = [Math.min(known.sentAt, step.sentAt), Math.max(known.answeredAt, step.answeredAt)]
    this.#updates.set(step.revision, { ...step, sentAt, answeredAt, node: known.node === step.node ? step.node : -1 })
  }

  countOf(): string {
    const counts = Map.groupBy(this.#arena.steps, ({ kind }) => kind)
    return [...counts].map(([kind, steps]) => `${steps.length} ${kind}`).join(', ')
  }

  replay(start: State): void {
    this.states.set(this.main[0]!.id, new Map())
    let isStarted = false
    // Main and branches depend on each other: a merge needs the branch, and a branch needs its base. Main's order
    // leads.
    for (const [i, revision] of this.main.entries()) {
      if (i === 0) continue
      ensure(revision.seq === this.main[i - 1]!.seq + 1, 'Main has a gap')
      ensure(
        revision.parents[0] === this.main[i - 1]!.id,
        `Revision ${revision.seq} of main does not follow the one before`,
      )
      if (!isStarted) {
        this.states.set(revision.id, start)
        isStarted = true
        continue
      }
      this.states.set(revision.id, this.#next(revision, this.states.get(this.main[i - 1]!.id)!))
    }
    for (const request of this.#branches.keys()) this.#branchState(request, Infinity)
  }

  #next(revision: Revision, before: State): State {
    const step = this.#writes.get(revision.id)
    ensure(step, `Nobody was answered with the revision ${revision.seq} of main (${revision.type})`)
    if (step.kind === 'edit') return apply(before, step.change!)
    const request = revision.merged_from
    ensure(request !== null && request === step.request, `Revision ${revision.seq} merges another change request`)
    const branch = this.#branches.get(request)
    const branchHead = revision.parents[1]
    const head = branchHead === undefined ? undefined : this.#byId.get(branchHead)
    // A change request without a revision of its own changes nothing.
    if (!head || !branch) return before
    const ours = this.#branchState(request, head.seq)
    ensure(isSettled(ours), `Change request ${request} was merged with conflicts in it`)
    ensure(branch.at(-1)!.id === head.id, `Change request ${request} was written to after its merge`)
    const merged = mergeStates(this.#mainAt(head.base_seq!), ours, before)
    ensure(isSettled(merged), `Revision ${revision.seq} of main merges what conflicts`)
    return merged
  }

  #mainAt(seq: number): State {
    const state = this.states.get(this.main[seq - 1]!.id)
    ensure(state, `A branch stands on revision ${seq} of main, which came later`)
    return state
  }

  #branchState(request: string, upTo: number): State {
    const branch = this.#branches.get(request)!
    let state = this.#mainAt(branch[0]!.base_seq!)
    let base = branch[0]!.base_seq!
    for (const revision of branch) {
      if (revision.seq > upTo) break
      const known = this.states.get(revision.id)
      state = known ?? this.#branchNext(revision, state, base)
      this.states.set(revision.id, state)
      base = revision.base_seq!
    }
    return state
  }

  #branchNext(revision: Revision, before: State, baseBefore: number): State {
    if (revision.type === 'update') {
      ensure(isSettled(before), `Change request ${revision.request} was updated with conflicts in it`)
      return mergeStates(this.#mainAt(baseBefore), before, this.#mainAt(revision.base_seq!))
    }
    const step = this.#writes.get(revision.id)
    ensure(step?.kind === 'edit', `Nobody was answered with a revision of ${revision.request} (${revision.type})`)
    return apply(before, step.change!)
  }

  /** A write that was answered before another one was sent must come before it. */
  checkOrder(): void {
    for (const line of [this.main, ...this.#branches.values()]) {
      let earliestAnswer = Infinity
      for (const revision of line.toReversed()) {
        const step = this.#writes.get(revision.id)
        if (!step) continue
        ensure(
          step.sentAt <= earliestAnswer,
          `Revision ${revision.seq} stands before one that was answered earlier than it was sent`,
        )
        earliestAnswer = Math.min(earliestAnswer, step.answeredAt)
      }
    }
    for (const step of this.#arena.steps) if (step.kind === 'read') this.#checkRead(step)
  }

  #checkRead(step: Step): void {
    const revision = this.#byId.get(step.revision)
    ensure(revision, `A reader was shown the revision ${step.revision}, which is none`)
    const { least, most } = this.#range(this.main, step)
    ensure(revision.seq >= least, `A reader saw revision ${revision.seq}, and ${least} was answered before`)
    ensure(revision.seq <= most, `A reader saw revision ${revision.seq} before anybody asked for it`)
    const state = this.states.get(revision.id)!
    const isSame =
      state.size === step.titles!.size && [...state].every(([id, page]) => step.titles!.get(id) === page.title)
    ensure(isSame || revision.seq <= 1, `A reader saw other pages than revision ${revision.seq} has`)
  }

  /** The range of revisions of a line that may have been the newest while a step was under way. */
  #range(line: Revision[], { node, sentAt, answeredAt }: Step): { least: number; most: number } {
    let [least, most] = [line[0]!.seq, line[0]!.seq]
    for (const { id, seq } of line) {
      const write = this.#writes.get(id) ?? this.#updates.get(id)
      const seenFrom = write ? write.answeredAt + (write.node === node ? 0 : newsMs) : -Infinity
      if (seenFrom < sentAt) least = Math.max(least, seq)
      if (!write || write.sentAt < answeredAt) most = Math.max(most, seq)
    }
    return { least, most }
  }

  /** Checks that every refusal had a reason at that time. */
  checkRefusals(): void {
    for (const step of this.#arena.steps) {
      if (step.kind === 'merge-conflicts') this.#checkConflicts(step)
      else if (step.kind === 'merge-refused' || (step.kind === 'refused-edit' && this.#wasMerged(step))) {
        ensure(this.#wasMerged(step), `Change request ${step.request} was called merged, and nobody had asked for it`)
      } else if (step.kind === 'refused-edit') {
        const page = step.change!.page
        const isMissing = this.#during(step).some((state) => state === undefined || !state.has(page))
        ensure(isMissing, `An edit of ${page} was refused, and it was there all the time: ${step.refusal}`)
      } else if (step.kind === 'stale-edit') {
        const line = this.#lineOf(step)
        const { least, most } = this.#range(line, step)
        const wasHead = line.find(({ id }) => id === step.ifMatch)
        ensure(
          least !== most || wasHead?.seq !== least || (line === this.main && step.request !== undefined),
          'If-Match was refused, and nothing had changed',
        )
      }
    }
  }

  #wasMerged({ request, answeredAt }: Step): boolean {
    return this.#arena.steps.some(
      (other) => other.kind === 'merge' && other.request === request && other.sentAt < answeredAt,
    )
  }

  #lineOf({ request }: Step): Revision[] {
    return request === undefined ? this.main : (this.#branches.get(request) ?? this.main)
  }

  /**
   * The states that the line may have had during the step. Contains undefined where the model does not know the state.
   */
  #during(step: Step): (State | undefined)[] {
    if (step.request !== undefined && !this.#branches.has(step.request))
      return [this.#mainAt(this.#bases.get(step.request)!)]
    const line = this.#lineOf(step)
    const { least, most } = this.#range(line, step)
    const states = line.filter(({ seq }) => seq >= least && seq <= most).map(({ id }) => this.states.get(id))
    return least === line[0]!.seq ? [...states, this.#before(line[0]!)] : states
  }

  /** Until it is written to, a branch shows main as of its base. */
  #before(first: Revision): State | undefined {
    return first.request !== null && first.type === 'edits' ? this.#mainAt(first.base_seq!) : undefined
  }

  #checkConflicts(step: Step): void {
    const theirs = this.states.get(step.revision)
    ensure(theirs, 'A merge reports conflicts with a revision that is none')
    const branch = this.#branches.get(step.request!) ?? []
    const { least, most } = this.#range(branch, step)
    const explained = branch.some(({ id, seq, base_seq }) => {
      const ours = this.states.get(id)!
      const isUnsettled = () => !isSettled(ours) || !isSettled(mergeStates(this.#mainAt(base_seq!), ours, theirs))
      return seq >= least && seq <= most && isUnsettled()
    })
    ensure(explained, `A merge of ${step.request} reports conflicts that the model does not find`)
  }
}
