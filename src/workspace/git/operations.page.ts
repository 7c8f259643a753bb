import { moment } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import type { Operation } from '../../git/present.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { leftOut } from '../left-out.page.ts'
import { counted, rows } from '../rows.ts'

const done = { import: 'Imported', export: 'Exported' } as const

/** Used for operations that failed or are not done yet. */
const doing = { import: 'Importing', export: 'Exporting' } as const

const tones = { running: 'info', success: 'success', failure: 'danger', timeout: 'danger' } as const

const words = { running: 'under way', success: 'done', failure: 'failed', timeout: 'took too long' } as const

const phases = {
  waiting: 'Waiting for its turn.',
  fetching: 'Fetching the repository.',
  reading: 'Reading the files.',
  writing: 'Writing the pages.',
} as const

export const isUnderWay = ({ state }: Operation) => state === 'running'

/** The last operation on the repository of a space, with its result. `path` is that of the space. */
export function lastOperation(place: Place, path: string, operation: Operation): Html {
  return html`<div class="work-standing">
      <div class="work-where" ${isUnderWay(operation) && html`role="status"`}>
        <p>${stateOf(operation)} ${nameOf(operation)}</p>
        <p class="row-more">${outcomeOf(operation)}</p>
      </div>
      ${toChangeRequest(place, path, operation)}
    </div>
    ${problemsOf(operation)}`
}

/** The operations before it, in a line or two each. */
export function earlierOperations(operations: readonly Operation[]): Html {
  const items = operations.map(
    (each) =>
      html`<li>
        <span class="row-main">
          <strong>${nameOf(each)}</strong>
          <span class="row-more">${outcomeOf(each)}</span>
        </span>
        ${stateOf(each)}
      </li>`,
  )
  return rows(items, 'None.')
}

const nameOf = ({ direction, state, startedAt, endedAt }: Operation) =>
  html`${(state === 'success' ? done : doing)[direction]}, ${state === 'running' && 'since'}
  ${moment(new Date(endedAt ?? startedAt))}`

const stateOf = ({ state }: Operation) => html`<span class="tag" data-tone="${tones[state]}">${words[state]}</span>`

function outcomeOf(operation: Operation): HtmlValue {
  const { state, phase = 'fetching', error, direction } = operation
  if (state === 'running') return `${phases[phase]} You can leave this page: it continues.`
  if (state !== 'success') return `${error ?? 'Something went wrong.'} ${state === 'timeout' ? 'Try again later.' : ''}`
  return direction === 'import' ? whatCame(operation) : whatWent(operation)
}

function whatCame({ result = {} }: Operation): HtmlValue {
  const { changes = 0, changeRequest } = result
  const many = `${counted(changes, 'page or file', 'pages and files')} created, changed or removed`
  if (changeRequest) return html`${many} in change request #${changeRequest.number}${atCommit(result)}.`
  if (changes === 0) return html`Nothing was new${atCommit(result)}.`
  return html`${many} in the main content${atCommit(result)}.`
}

function whatWent({ result = {} }: Operation): HtmlValue {
  const { written = 0, removed = 0 } = result
  if (written === 0 && removed === 0) return html`The branch already had everything${atCommit(result)}.`
  return html`${counted(written, 'file')} written, ${removed} removed${atCommit(result)}.`
}

const atCommit = ({ commit }: { commit?: string }): HtmlValue =>
  commit !== undefined && html`, at commit <code>${shortId(commit)}</code>`

/** Shortens a commit id to the length that hosts show. */
export const shortId = (commit: string): string => commit.slice(0, 7)

const toChangeRequest = (place: Place, path: string, { result }: Operation): HtmlValue =>
  result?.changeRequest &&
  html`<a class="btn" href="${place.link(`${path}/~/changes/${result.changeRequest.number}`)}"
    >To the change request</a
  >`

function problemsOf({ result }: Operation): HtmlValue {
  const { problems = [], problemCount = 0 } = result ?? {}
  if (problems.length === 0) return undefined
  return html`${leftOut(problems.map(({ path, message }) => ({ source: path, reason: message })))}
  ${problemCount > problems.length && html`<p class="aside">The first ${problems.length} of ${problemCount}.</p>`}`
}
