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

/** What applies to every operation, explained once before them. */
export const chapters = [
  { id: 'start', title: 'First request' },
  { id: 'tokens', title: 'Tokens' },
  { id: 'errors', title: 'Errors' },
  { id: 'paging', title: 'Lists and paging' },
  { id: 'idempotency', title: 'Safe retries' },
  { id: 'etags', title: 'Concurrent changes' },
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

/** Links to an operation if this version has it; otherwise shows only the label. */
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
          All operations are below <code>${url}/v1</code>. Requests and responses are JSON in UTF-8. The examples need
          <code>curl</code> 7.82 or newer, for <code>--json</code>.
        </p>
        <p>
          Your first token is the administrator’s. The first start prints it in the terminal; without a terminal, it is
          written to the file <code>admin-token</code> in the data folder. Use it to ask who you are.
        </p>
        <p>
          Unknown fields in requests are ignored. New fields may be added to responses at any time, so ignore the ones
          you do not know.
        </p>`,
      aside: codeBlock(
        'curl',
        highlightShell(
          `export LECTERN_TOKEN=lct_…\n\ncurl "${url}/v1/user" \\\n  --header "Authorization: Bearer $LECTERN_TOKEN"`,
        ),
      ),
    },
    tokens: {
      text: html`<p>
          Send your token in the header <code>Authorization: Bearer lct_…</code>; the API accepts no cookies and no
          other credentials. A token can do whatever its owner can do at that time.
        </p>
        <p>
          ${link('createToken', 'Create a token')} for each script, with a label, an expiry date and the scopes that it
          needs. A token with scopes can do only what they allow. Its secret is shown only once.
          ${link('revokeToken', 'Revoke it')}, and it stops working immediately.
        </p>
        <p>On the server itself, <code>npm run lectern -- tokens create</code> creates one as well.</p>`,
      aside: codeBlock(
        'curl',
        highlightShell(
          `curl "${url}/v1/user/tokens" \\\n  --header "Authorization: Bearer $LECTERN_TOKEN" \\\n  --json '{\n    "label": "Nightly export",\n    "scopes": ["space:read"]\n  }'`,
        ),
      ),
    },
    errors: {
      text: html`<p>
          All errors have the same shape. Handle them by <code>type</code>, which is stable, and show
          <code>message</code> to people. <code>details</code> lists the invalid fields. What you are not allowed to see
          answers 404, as if it did not exist.
        </p>
        <p>
          Every response has an <code>X-Request-Id</code>. Quote it when you report a problem: it identifies the request
          in the server log.
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
          Lists return <code>items</code>, usually the total number as <code>count</code>, and <code>next.page</code> if
          there are more. To get the next page, send that as <code>page</code> with the same filters. It is valid for a
          day.
        </p>
        <p>
          The default <code>limit</code> is 50, the maximum 1,000. Items that exist the whole time are returned exactly
          once, even if others are added or removed in the meantime.
        </p>`,
      aside: jsonBlock('200', {
        next: { page: 'WyIyMDI2LTAx…' },
        count: 42,
        items: [{ object: 'organization', id: '…' }],
      }),
    },
    idempotency: {
      text: html`<p>
        If the network fails, you cannot know whether a request was processed. Send a unique
        <code>Idempotency-Key</code> with each POST, and retry with the same key: nothing happens twice, and you get the
        first response again, marked <code>Idempotency-Replayed: true</code>. Keys are kept for a day. PUT, PATCH and
        DELETE can be retried as they are.
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
        Responses have an <code>ETag</code>. Send it as <code>If-None-Match</code> with the next read to get 304 if
        nothing has changed, or as <code>If-Match</code> with an update to have it refused with 412 if somebody else has
        changed the object. Operations that write or merge content take the id of the revision instead, in quotes.
      </p>`,
    },
    'rate-limits': {
      text: limits
        ? html`<p>
            ${limits.perCredential.toLocaleString('en')} requests per minute for each token,
            ${limits.perAddress.toLocaleString('en')} for each IP address without one. <code>X-RateLimit-Limit</code>,
            <code>-Remaining</code> and <code>-Reset</code> show your current usage. Beyond the limit, requests are
            answered with 429, and <code>Retry-After</code> says how many seconds to wait.
          </p>`
        : html`<p>
            This server has no rate limits. On servers that do, requests beyond the limit are answered with 429 and
            <code>Retry-After</code>.
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
  invalid_request: 'The request is invalid; see details',
  invalid_json: 'The body is not JSON',
  invalid_page_token: 'The page token belongs to another list, or has expired',
  idempotency_key_reused: 'The idempotency key was used for a different request',
  unauthenticated: 'The token is missing or invalid',
  forbidden: 'You can see it, but are not allowed to do this',
  insufficient_scope: 'The token lacks the required scope',
  not_found: 'It does not exist, or you cannot see it',
  method_not_allowed: 'The method is not supported here; see Allow',
  conflict: 'Its current state does not allow this',
  taken: 'The name or id is already in use',
  last_administrator: 'This is the last administrator',
  account_exists: 'This e-mail address has an account: sign in first',
  still_running: 'The first request with this key is still running',
  precondition_failed: 'It has changed since you read it',
  merge_rule: 'A merge rule is not met; see details',
  body_too_large: 'The body is too large',
  range_not_satisfiable: 'The requested range is beyond the end of the file',
  url_too_long: 'The URL is too long',
  unsupported_media_type: 'Send application/json',
  rate_limited: 'Too many requests: wait as long as Retry-After says',
  headers_too_large: 'The headers are too large',
  internal_error: 'A bug in the server: quote X-Request-Id',
  unavailable: 'Temporarily unavailable: try again',
  storage_full: "The server's disk is full",
}
