import { hash } from 'node:crypto'
import { type Html, attributes, html } from '../../content/html/template.ts'
import { asAddress } from '../../percent.ts'
import type { Icons } from '../../published/icons/icons.ts'
import type { Words } from '../../published/words/words.ts'
import { shortened } from '../../shortened.ts'
import type { Numbered } from './code.ts'
import { type JsonObject, at, isObject, listAt, objectAt, textAt } from './json.ts'
import { drawMarkdown } from './markdown.ts'
import type { Manner } from './room.ts'
import { asText } from './serialize.ts'
import type { Operation, Spec } from './spec.ts'

/** Where an API answers. */
export interface Server {
  /** As it was written, with its variables in brackets. */
  url: string
  description: string | undefined
  variables: Variable[]
}

export interface Variable {
  name: string
  value: string | undefined
  /** Set: only these. */
  allowed: string[]
  description: string | undefined
}

const mostServers = 50
const mostVariables = 10
const mostAllowed = 50

/** More than anybody reads. A long value that stands in an address again and again would fill the memory. */
const longestAddress = 2_000
const longestValue = 200

/** Where an operation can be called: its own word counts, then that of its path, then that of the whole specification. */
export function serversOf(spec: Spec, { operation, pathItem }: Operation): Server[] {
  const lists = [operation, pathItem, spec.document].map((holder) => listAt(holder, 'servers').filter(isObject))
  return (lists.find(({ length }) => length > 0) ?? []).slice(0, mostServers).map(asServer)
}

function asServer(server: JsonObject): Server {
  const names = Object.entries(objectAt(server, 'variables')).slice(0, mostVariables)
  return {
    url: shortened(textAt(server, 'url') ?? '', longestAddress),
    description: textAt(server, 'description') ?? textAt(server, 'name'),
    variables: names.map(([name, variable]) => {
      const value = at(variable, 'default')
      return {
        name,
        value: value === undefined ? undefined : shortened(asText(value), longestValue),
        allowed: listAt(variable, 'enum')
          .slice(0, mostAllowed)
          .map((each) => shortened(asText(each), longestValue)),
        description: textAt(variable, 'description'),
      }
    }),
  }
}

/** Its address with the variables filled in. */
export function addressOf(server: Server | undefined): string {
  const address = server ? withValues(server) : ''
  return withoutSlash(before(address) + address)
}

/** The same with its variables left open. One of them may bring the host along: what is before it is told by the values. */
const openAddressOf = (server: Server) => withoutSlash(before(withValues(server)) + server.url)

function withValues({ url, variables }: Server): string {
  const values = new Map(variables.map(({ name, value }) => [name, value]))
  return filled(url, (name) => values.get(name))
}

/** What is relative has a host made up for it. */
function before(url: string): string {
  if (hasHost.test(url)) return ''
  if (url.startsWith('//')) return 'https:'
  return `https://api.example.com${url.startsWith('/') ? '' : '/'}`
}

// From the first of them: else a long row of slashes would be looked at from each of them.
const withoutSlash = (address: string) => address.replace(/(?<!\/)\/+$/, '')

/** The first word of an address may be a variable, too. */
const hasHost = /^(?:[a-z][a-z\d+.-]*|\{[^{}]*\}):\/\//i

/** An address with its names in brackets filled in, where there is a value; the others stay. */
export const filled = (address: string, valueOf: (name: string) => string | undefined) =>
  shortened(address, longestAddress).replace(/\{([^{}]*)\}/g, (written: string, name: string) => {
    const value = valueOf(name)
    return value === undefined ? written : shortened(value, longestValue)
  })

/** Whether there is anything to choose, or to know, beside what samples show. */
export const isChoice = (servers: readonly Server[]) =>
  servers.length > 1 || servers.some(({ variables }) => variables.length > 0)

/**
 * The servers of an operation, folded away below the one that its samples call. With script, choosing another one changes
 * the samples; without, they are all there to be read.
 */
export function drawServers(
  servers: readonly Server[],
  { id, words, room, canChoose }: Numbered & Required<Manner> & { canChoose: boolean },
  icons: Icons,
): Html | undefined {
  const shown = servers.slice(0, room.servers)
  if (!isChoice(servers) || shown.length === 0) return undefined
  const rows = shown.map((server, index) => {
    const radio = attributes({
      type: 'radio',
      class: 'js-only',
      name: `${id}-server`,
      value: asAddress(openAddressOf(server)),
      checked: index === 0,
      hidden: shown.length === 1,
      autocomplete: 'off',
    })
    return html`<div>
      <dt>
        <label>${canChoose && html`<input${radio} />`}<code>${server.url}</code></label>
      </dt>
      <dd>
        ${drawMarkdown(server.description)}${server.variables.map((each) => drawVariable(each, words, canChoose))}
      </dd>
    </div>`
  })
  const more = servers.length - shown.length
  // The same list of another operation is the same choice.
  const key = hash('sha256', JSON.stringify(servers.map(({ url }) => url)), 'base64url').slice(0, 12)
  return html`<details${attributes({ class: 'servers', 'data-servers': canChoose && key })}>
    <summary>
      ${icons.draw('chev', 'flip')}<span>${words.server}</span><code data-base="">${addressOf(servers[0])}</code>
    </summary>
    <dl class="props">${rows}</dl>
    ${more > 0 && html`<p class="vals">+ ${more} …</p>`}
  </details>`
}

function drawVariable({ name, value, allowed, description }: Variable, words: Words, canChoose: boolean): Html {
  const isFree = allowed.length === 0
  const field = attributes({ class: 'js-only', 'data-variable': name, autocomplete: 'off', 'aria-label': name })
  const all = new Set(value === undefined ? allowed : [...allowed, value])
  const options = [...all].map((each) => html`<option${attributes({ selected: each === value })}>${each}</option>`)
  const control = isFree
    ? html`<input${field} type="text" value="${value ?? ''}" maxlength="${longestValue}" spellcheck="false" />`
    : html`<select${field}>${options}</select>`
  return html`<div class="vals">
      <code>{${name}}</code>${canChoose && control}${
        isFree
          ? (value ?? '') !== '' && html`<span>${words.defaultValue}: <code>${value}</code></span>`
          : allowed.map((each) => html`<code>${each}</code>`)
      }
    </div>
    ${drawMarkdown(description)}`
}
