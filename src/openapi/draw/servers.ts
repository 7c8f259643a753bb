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

/** A server of an API. */
export interface Server {
  /** As written in the specification, with its variables in braces. */
  url: string
  description: string | undefined
  variables: Variable[]
}

export interface Variable {
  name: string
  value: string | undefined
  /** If not empty, only these values are allowed. */
  allowed: string[]
  description: string | undefined
}

const mostServers = 50
const mostVariables = 10
const mostAllowed = 50

/** Nobody reads a longer address. A long value repeated in an address would fill the memory. */
const longestAddress = 2_000
const longestValue = 200

/**
 * Returns the servers of an operation. Its own take precedence, then those of its path, then those of the whole
 * specification.
 */
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

/** Returns the address of a server with its variables filled in. */
export function addressOf(server: Server | undefined): string {
  const address = server ? withValues(server) : ''
  return withoutSlash(before(address) + address)
}

/**
 * Returns the same address with the variables left as placeholders. A variable may contain the host, so what goes
 * before the address is determined with the values filled in.
 */
const openAddressOf = (server: Server) => withoutSlash(before(withValues(server)) + server.url)

function withValues({ url, variables }: Server): string {
  const values = new Map(variables.map(({ name, value }) => [name, value]))
  return filled(url, (name) => values.get(name))
}

/** Returns what makes an address absolute: a relative one gets a made-up host. */
function before(url: string): string {
  if (hasHost.test(url)) return ''
  if (url.startsWith('//')) return 'https:'
  return `https://api.example.com${url.startsWith('/') ? '' : '/'}`
}

// The lookbehind lets a match begin at the first slash only. Otherwise a long row of slashes would be tried from each
// of them.
const withoutSlash = (address: string) => address.replace(/(?<!\/)\/+$/, '')

/** The scheme of an address may be a variable, too. */
const hasHost = /^(?:[a-z][a-z\d+.-]*|\{[^{}]*\}):\/\//i

/** Fills in the names in braces that have a value. The others stay. */
export const filled = (address: string, valueOf: (name: string) => string | undefined) =>
  shortened(address, longestAddress).replace(/\{([^{}]*)\}/g, (written: string, name: string) => {
    const value = valueOf(name)
    return value === undefined ? written : shortened(value, longestValue)
  })

/** Whether the servers offer a choice, or information that the samples do not show. */
export const isChoice = (servers: readonly Server[]) =>
  servers.length > 1 || servers.some(({ variables }) => variables.length > 0)

/**
 * The servers of an operation, collapsed below the one that its samples call. With script, choosing another one changes
 * the samples. Without, the list is for reading only.
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
  // Operations with the same list of servers share the choice.
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
