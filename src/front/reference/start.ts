import { type ErrorType, errorTypes } from '../../http/errors.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { codeBlock, highlightShell, jsonBlock } from '../code.ts'
import type { Place } from '../layout.ts'
import type { Group } from './description.ts'
import { anchor } from './operation.ts'

export interface RateLimits {
  perCredential: number
  perAddress: number
}

/** What holds for every operation, told once before them. */
export const chapters = [
  { id: 'start', title: 'First call' },
  { id: 'tokens', title: 'Tokens' },
  { id: 'errors', title: 'Errors' },
  { id: 'paging', title: 'Lists and paging' },
  { id: 'idempotency', title: 'Repeating a call' },
  { id: 'etags', title: 'Changing safely' },
  { id: 'rate-limits', title: 'Rate limits' },
] as const

type ChapterId = (typeof chapters)[number]['id']

interface Chapter {
  text: Html
  aside?: Html
}

export function startSections(place: Place, limits: RateLimits | undefined, groups: Group[]): Html[] {
  const told = tell(place.url, limits, operationLink(groups))
  return chapters.map(({ id, title }) => {
    const { text, aside } = told[id]
    return html`<section class="op chapter" id="${id}">
      <h2>${title}${anchor(id)}</h2>
      <div class="op-grid">
        <div class="text">${text}</div>
        ${aside && html`<div class="op-aside">${aside}</div>`}
      </div>
    </section>`
  })
}

/** A link to an operation, as long as this version has it. */
function operationLink(groups: Group[]) {
  const known = new Set(groups.flatMap((group) => group.operations.map((each) => each.operationId)))
  return (id: string, label: string): HtmlValue => (known.has(id) ? html`<a href="#${id}">${label}</a>` : label)
}

function tell(
  url: string,
  limits: RateLimits | undefined,
  link: ReturnType<typeof operationLink>,
): Record<ChapterId, Chapter> {
  return {
    start: {
      text: html`<p>
          Every operation lives below <code>${url}/v1</code>. Send and read JSON in UTF-8. The examples are for
          <code>curl</code> 7.82 or newer, which knows <code>--json</code>.
        </p>
        <p>
          Your first token is the administrator’s. The first start prints it in the terminal; where there is no
          terminal, it waits in the file <code>admin-token</code> of the data folder. With it, ask who you are.
        </p>
        <p>Fields that we do not know are ignored, and new ones may appear in answers: read those you need.</p>`,
      aside: codeBlock(
        'curl',
        highlightShell(
          `export LECTERN_TOKEN=lct_…\n\ncurl "${url}/v1/user" \\\n  --header "Authorization: Bearer $LECTERN_TOKEN"`,
        ),
      ),
    },
    tokens: {
      text: html`<p>
          A token goes into the header <code>Authorization: Bearer lct_…</code>. There are no cookies and no other way
          in. It may do what its owner may do at that moment.
        </p>
        <p>
          ${link('createToken', 'Create a token')} for each script, with a label, a date when it ends, and the scopes it
          needs: a token with scopes does what they name and nothing else. Its secret is shown once.
          ${link('revokeToken', 'Revoke it')}, and it stops with the next call.
        </p>
        <p>On the server itself, <code>npm run lectern -- tokens create</code> makes one as well.</p>`,
      aside: codeBlock(
        'curl',
        highlightShell(
          `curl "${url}/v1/user/tokens" \\\n  --header "Authorization: Bearer $LECTERN_TOKEN" \\\n  --json '{\n    "label": "Nightly export",\n    "scopes": ["space:read"]\n  }'`,
        ),
      ),
    },
    errors: {
      text: html`<p>
          Every answer from 400 on has the same shape. Decide by <code>type</code>, a word that stays; show
          <code>message</code> to people. <code>details</code> names the fields that are wrong. What you may not see
          answers 404, as if it were not there.
        </p>
        <p>
          Every answer carries <code>X-Request-Id</code>. Quote it when something goes wrong on our side: it finds the
          line in the log.
        </p>
        ${errorTable()}`,
      aside: jsonBlock('400', {
        error: {
          code: 400,
          type: 'invalid_request',
          message: 'body.title: at least 2 characters',
          details: [{ path: 'body.title', rule: 'minLength', message: 'at least 2 characters' }],
        },
      }),
    },
    paging: {
      text: html`<p>
          A list answers <code>items</code>, often how many there are in all as <code>count</code>, and, when there is
          more, <code>next.page</code>. Send that as <code>page</code> with the same filters to go on. It is valid for a
          day.
        </p>
        <p>
          <code>limit</code> is 50 unless you say otherwise, at most 1,000. What was there all along comes exactly once,
          whatever is written meanwhile.
        </p>`,
      aside: jsonBlock('200', {
        next: { page: 'WyIyMDI2LTAx…' },
        count: 42,
        items: [{ object: 'organization', id: '…' }],
      }),
    },
    idempotency: {
      text: html`<p>
        The network may fail after we did what you asked. Send an <code>Idempotency-Key</code> of your own with a POST,
        and repeat the call with the same key: the answer is the first one again, marked
        <code>Idempotency-Replayed: true</code>, and nothing happens twice. Keys are kept for a day. PUT, PATCH and
        DELETE may be repeated as they are.
      </p>`,
      aside: codeBlock(
        'curl',
        highlightShell(
          `curl "${url}/v1/orgs" \\\n  --header "Authorization: Bearer $LECTERN_TOKEN" \\\n  --header "Idempotency-Key: $(uuidgen)" \\\n  --json '{ "title": "Handbook" }'`,
        ),
      ),
    },
    etags: {
      text: html`<p>
        Answers carry an <code>ETag</code>. Send it back as <code>If-None-Match</code> with the next read, and you get
        304 if nothing changed; as <code>If-Match</code> with a change, and it is refused with 412 if somebody else was
        faster. What writes or merges content takes the id of the revision instead, in quotes.
      </p>`,
    },
    'rate-limits': {
      text: limits
        ? html`<p>
            ${limits.perCredential.toLocaleString('en')} calls a minute for each token,
            ${limits.perAddress.toLocaleString('en')} for each address without one. <code>X-RateLimit-Limit</code>,
            <code>-Remaining</code> and <code>-Reset</code> tell where you stand. Past the limit comes 429, and
            <code>Retry-After</code> says how many seconds to wait.
          </p>`
        : html`<p>
            This instance counts no calls. Where one does, past the limit comes 429 with <code>Retry-After</code>.
          </p>`,
    },
  }
}

function errorTable(): Html {
  const rows = (Object.keys(errorTypes) as ErrorType[]).map(
    (type) =>
      html`<tr>
        <td>${errorTypes[type]}</td>
        <td><code>${type}</code></td>
        <td>${meanings[type]}</td>
      </tr>`,
  )
  return html`<details class="fold">
    <summary>All types of errors</summary>
    <div class="table scroll">
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Type</th>
            <th>When</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </details>`
}

const meanings: Record<ErrorType, string> = {
  invalid_request: 'Something in the request is wrong; details says what',
  invalid_json: 'The body is not JSON',
  invalid_page_token: 'The page is of another list, or too old',
  idempotency_key_reused: 'The key belongs to a different request',
  unauthenticated: 'No token, or one that does not hold',
  forbidden: 'You may see it but not do this',
  insufficient_scope: 'The token was narrowed to other scopes',
  not_found: 'It is not there, or you may not see it',
  method_not_allowed: 'The address takes other methods: see Allow',
  conflict: 'It is in a state that does not allow this',
  taken: 'The name or id is in use',
  last_administrator: 'Somebody has to remain in charge',
  account_exists: 'This address has an account: sign in first',
  still_running: 'The first call with this key is not done yet',
  precondition_failed: 'It changed since you read it',
  merge_rule: 'A rule for merges is not met; details says which',
  body_too_large: 'The body is too large',
  range_not_satisfiable: 'The file is shorter than the part you asked for',
  url_too_long: 'The address is too long',
  unsupported_media_type: 'Send application/json',
  rate_limited: 'Too many calls: wait for Retry-After',
  headers_too_large: 'The headers are too large',
  internal_error: 'Our bug: quote X-Request-Id',
  unavailable: 'The database is away for a moment: try again',
  storage_full: 'The disk of the server is full',
}
