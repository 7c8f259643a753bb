import { type Html, html, trusted } from '../../content/html/template.ts'
import type { Icons } from '../../published/icons/icons.ts'
import { english } from '../../published/words/english.ts'
import { type Words, fill } from '../../published/words/words.ts'
import { shortened } from '../../shortened.ts'
import { type Numbered, type Panel, copyButton, drawPanels } from './code.ts'
import { exampleOfMedia, examplesOf } from './example.ts'
import { drawFurther } from './further.ts'
import { type JsonObject, at, isTrue, objectAt, textAt } from './json.ts'
import { drawLinks, linksOf } from './links.ts'
import { drawMarkdown } from './markdown.ts'
import { Props, drawDeprecated } from './props.ts'
import { isJson, mediaOf } from './request.ts'
import { type Manner, type Room, enough } from './room.ts'
import { samplesOf } from './samples.ts'
import { asAddress } from '../../percent.ts'
import { addressOf, drawServers, isChoice, serversOf } from './servers.ts'
import { type Scheme, securityOf } from './security.ts'
import type { Operation, Spec } from './spec.ts'
import type { Body } from './unfold.ts'
import { written } from './written.ts'

const mostStatuses = 40

/** Draws an operation or a webhook: its input and responses, and next to them how to call it. */
export async function drawOperation(
  spec: Spec,
  operation: Operation,
  { id, needsTitle = false, words = english, room = enough }: Numbered & { needsTitle?: boolean } & Manner,
  icons: Icons,
): Promise<Html> {
  const props = new Props(spec, icons, words)
  props.plan(bodiesOf(spec, operation, room), room.fields)
  const { operation: described, isWebhook } = operation
  const summary = textAt(described, 'summary')
  const title = summary ?? `${operation.method.toUpperCase()} ${operation.path}`
  const samples = isWebhook ? [] : samplesOf(spec, operation, room.values)
  const servers = serversOf(spec, operation)
  const base = isChoice(servers) ? asAddress(addressOf(servers[0])) : undefined
  const panels = samples.map(({ title, code, language }) => ({
    title,
    code,
    language,
    label: fill(words.sample, title),
    ...(base !== undefined && { base }),
  }))
  const canChoose = samples.some(({ code }) => base !== undefined && code.includes(base))
  const aside = [
    !isWebhook && drawServers(servers, { id, words, room, canChoose }, icons),
    await drawPanels(
      panels,
      { id: `${id}-code`, label: words.language, copy: words.copyCode, sync: 'language' },
      icons,
    ),
    await drawExamples(spec, operation, { id: `${id}-answer`, words, room }, icons),
  ].filter((part) => part !== undefined && part !== false)

  return html`<section class="block op" aria-label="${title}">
    ${needsTitle && summary !== undefined && html`<h2 class="op-title">${summary}</h2>`}${drawLine(operation, words, icons)}
    <div class="op-grid">
      <div>
        ${drawNotes(described, words, icons)}${drawMarkdown(textAt(described, 'description'))}${drawFurther(described, words)}
        ${drawSecurity(spec, operation, words)}${drawParameters(operation, props, words)}
        ${drawBody(operation, props, words)}${drawResponses(operation, props, words, icons)}
        ${drawCallbacks(operation, props, { words, room }, icons)}
      </div>
      ${aside.length > 0 && html`<div class="op-aside">${aside}</div>`}
    </div>
  </section>`
}

/** Returns all schemas that are shown for the operation. */
export function bodiesOf(spec: Spec, operation: Operation, room: Room): Body[] {
  const schemaIn = (holder: JsonObject) => at(mediaOf(holder)?.media, 'schema')
  const sent = spec.resolve(at(operation.operation, 'requestBody')).value
  const answers = responsesOf(spec, operation).map(({ response }) => response)
  return [
    { schema: schemaIn(sent), way: operation.isWebhook ? 'response' : 'request' },
    ...answers.map((response): Body => ({ schema: schemaIn(response), way: 'response' })),
    ...spec
      .callbacksOf(operation)
      .slice(0, room.callbacks)
      .flatMap((callback) => bodiesOf(spec, callback, room)),
  ]
}

const tones: Record<string, string> = {
  get: 'info',
  post: 'success',
  put: 'warning',
  patch: 'warning',
  delete: 'danger',
}

function drawLine({ method, path, isWebhook }: Operation, words: Words, icons: Icons): Html {
  return html`<div class="op-line">
    <span class="verb" data-tone="${tones[method] ?? 'plain'}">${method.toUpperCase()}</span
    ><span class="op-path">${isWebhook ? html`<b>${path}</b>` : drawPath(path)}</span
    >${copyButton(icons, words.copyPath)}
  </div>`
}

/**
 * Draws parameters in the colour of the site, and the last word of the path in bold. The path may break at every slash.
 */
function drawPath(path: string): Html {
  const segments = path.split('/')
  const last = segments.findLastIndex((segment) => segment !== '' && !segment.startsWith('{'))
  const drawn = segments.map((segment, at) => {
    const text = /^\{.*\}$/.test(segment)
      ? html`<i>${segment}</i>`
      : at === last
        ? html`<b>${segment}</b>`
        : html`${segment}`
    return at === segments.length - 1 ? text : html`${text}/${trusted('<wbr>')}`
  })
  return html`${drawn}`
}

/** Returns what readers should know before they rely on the operation. */
export function noteOn(operation: JsonObject, words: Words): string | undefined {
  const stability = textAt(operation, 'x-stability')
  const sunset = textAt(operation, 'x-deprecated-sunset')
  return isTrue(operation, 'deprecated')
    ? [words.deprecatedOperation, sunset && fill(words.sunset, shortened(sunset, 100))].filter(Boolean).join(' ')
    : stability && fill(words.unstable, stability)
}

function drawNotes(operation: JsonObject, words: Words, icons: Icons): Html | undefined {
  const note = noteOn(operation, words)
  return note === undefined
    ? undefined
    : html`<div class="block hint" data-tone="warning" role="note">
        ${icons.draw('warning')}
        <div class="flow"><p>${note}</p></div>
      </div>`
}

function drawSecurity(spec: Spec, operation: Operation, words: Words): Html | undefined {
  const { choices, isOptional } = securityOf(spec, operation)
  if (choices.length === 0) return undefined
  const rows = choices.map(
    (schemes, at) =>
      html`<div>
        <dt>
          ${schemes.map(({ title, isDeprecated }, index) => html`${index > 0 && ` ${words.and} `}<code>${title(words)}</code>${isDeprecated && drawDeprecated(words)}`)}${
            choices.length > 1 && html`<span class="type">${at === 0 ? words.oneOfThese : words.or}</span>`
          }
        </dt>
        <dd>${schemes.map((scheme) => drawScheme(scheme, words))}</dd>
      </div>`,
  )
  return html`<h3 class="op-h">${words.authorization} ${isOptional && html`<small>${words.optional}</small>`}</h3>
    <dl class="props">${rows}</dl>`
}

const drawScheme = ({ description, addresses, scopes }: Scheme, words: Words) =>
  html`${drawMarkdown(description)}${addresses.map(
    ({ name, url }) => html`<div class="vals">${name}: <code>${url}</code></div>`,
  )}${scopes.length > 0 && drawScopes(scopes, words)}`

/** Draws scopes side by side, or one per line if they have descriptions. */
function drawScopes(scopes: Scheme['scopes'], words: Words): Html {
  if (!scopes.some(({ about }) => about)) {
    return html`<div class="vals">${words.scopes}: ${scopes.map(({ name }) => html`<code>${name}</code>`)}</div>`
  }
  const lines = scopes.map(({ name, about }) => html`<div class="vals"><code>${name}</code> ${about}</div>`)
  return html`<div class="vals">${words.scopes}:</div>
    ${lines}`
}

/** The locations of parameters, with the titles of their sections. */
export const places = [
  ['path', 'pathParameters'],
  ['query', 'queryParameters'],
  ['header', 'headers'],
  ['cookie', 'cookies'],
] as const

/** A single parameter may describe the whole query. */
export const standsIn = (parameter: JsonObject, place: string) =>
  at(parameter, 'in') === place || (place === 'query' && at(parameter, 'in') === 'querystring')

function drawParameters(operation: Operation, props: Props, words: Words): Html[] {
  const all = props.spec.parametersOf(operation)
  return places.flatMap(([place, title]) => {
    const here = all.filter((parameter) => standsIn(parameter, place))
    if (here.length === 0) return []
    return [
      html`<h3 class="op-h">${words[title]}</h3>
        ${props.parameters(here)}`,
    ]
  })
}

function drawBody({ operation, isWebhook }: Operation, props: Props, words: Words): Html | undefined {
  const { value: body } = props.spec.resolve(at(operation, 'requestBody'))
  const found = mediaOf(body)
  if (!found) return undefined
  const about = [shortType(found.type), !isTrue(body, 'required') && !isWebhook && words.optional]
    .filter(Boolean)
    .join(', ')
  return html`<h3 class="op-h">${isWebhook ? words.payload : words.body} <small>${about}</small></h3>
    ${drawMarkdown(textAt(body, 'description'))}${props.body(at(found.media, 'schema') ?? {}, isWebhook ? 'response' : 'request')}${others(body, found.type, words)}`
}

/** Lists the other content types of a body or a response. */
function others(body: JsonObject, shown: string, words: Words): Html | undefined {
  const types = Object.keys(objectAt(body, 'content')).filter((type) => type !== shown)
  return types.length === 0
    ? undefined
    : html`<div class="vals">${words.alsoAs} ${types.slice(0, 10).map((type) => html`<code>${type}</code>`)}</div>`
}

const shortType = (type: string) => (isJson(type) ? 'JSON' : type)

interface Status {
  status: string
  response: JsonObject
}

export function responsesOf(spec: Spec, { operation }: Operation): Status[] {
  return Object.entries(objectAt(operation, 'responses'))
    .filter(([status]) => /^([1-5](\d\d|XX)|default)$/i.test(status))
    .slice(0, mostStatuses)
    .map(([status, response]) => ({ status, response: spec.resolve(response).value }))
}

/** Draws each status with its description. The fields of the first success are expanded. */
function drawResponses(operation: Operation, props: Props, words: Words, icons: Icons): Html | undefined {
  const all = responsesOf(props.spec, operation)
  if (all.length === 0) return undefined
  const first = all.find(({ status }) => status.startsWith('2'))
  const rows = all.map(({ status, response }) => {
    const found = mediaOf(response)
    const schema = found && at(found.media, 'schema')
    const [headers, links] = [drawHeaders(response, props, words), drawLinks(linksOf(props.spec, response), words)]
    const body = schema === undefined ? undefined : props.body(schema, 'response')
    // Needs a label if headers are shown as well.
    const named =
      body && headers
        ? html`<p class="part">${words.body}</p>
            ${body}`
        : body
    const hasInside = body !== undefined || headers !== undefined || links !== undefined
    return html`<div>
      <dt>${drawStatus(status)}${found && html`<span class="type">${shortType(found.type)}</span>`}</dt>
      <dd>
        ${drawMarkdown(textAt(response, 'description'))}${found && others(response, found.type, words)}${
          hasInside &&
          html`<details ${status === first?.status && 'open'}>
            <summary>${icons.draw('chev', 'flip')}${words.holds}</summary>
            ${headers}${named}${links}
          </details>`
        }
      </dd>
    </div>`
  })
  return html`<h3 class="op-h">${words.responses}</h3>
    <dl class="props">${rows}</dl>`
}

function drawCallbacks(
  operation: Operation,
  props: Props,
  { words, room }: Required<Manner>,
  icons: Icons,
): Html | undefined {
  const all = props.spec.callbacksOf(operation)
  if (all.length === 0) return undefined
  const drawn = all.map((callback, at) => {
    const line = drawLine(callback, words, icons)
    if (at >= room.callbacks) return line
    const { operation: described } = callback
    return html`${line}${drawNotes(described, words, icons)}
    ${drawMarkdown(textAt(described, 'description') ?? textAt(described, 'summary'))}${drawFurther(described, words)}
    ${drawParameters(callback, props, words)}${drawBody(callback, props, words)}${drawResponses(callback, props, words, icons)}`
  })
  return html`<h3 class="op-h">${words.callbacks}</h3>
    ${drawn}`
}

function drawHeaders(response: JsonObject, props: Props, words: Words): Html | undefined {
  const headers = Object.entries(objectAt(response, 'headers')).slice(0, 50)
  if (headers.length === 0) return undefined
  return html`<p class="part">${words.headers}</p>
    ${props.parameters(headers.map(([name, header]) => ({ ...props.spec.resolve(header).value, name })))}`
}

const toneOf = (status: string) => (status.startsWith('2') ? 'success' : /^[45]/.test(status) ? 'danger' : 'plain')

const drawStatus = (status: string) =>
  html`<span class="status" data-tone="${toneOf(status)}"><span class="dot"></span>${status}</span>`

/** Draws example responses, by status. For a webhook, draws the payload. */
async function drawExamples(
  spec: Spec,
  operation: Operation,
  { id, words, room }: Numbered & Required<Manner>,
  icons: Icons,
): Promise<Html | undefined> {
  const { value: body } = spec.resolve(at(operation.operation, 'requestBody'))
  const sent = operation.isWebhook ? panelsOf(spec, body, words.payload, words.payload, room) : []
  const answers = operation.isWebhook
    ? []
    : responsesOf(spec, operation).filter(({ response }) => !hidesSample(response))
  const panels = answers.flatMap(({ status, response }) =>
    panelsOf(spec, response, drawStatus(status), `${words.response} ${status}`, room),
  )
  const [label, copy] = operation.isWebhook ? [words.payload, words.copyPayload] : [words.response, words.copyResponse]
  return drawPanels([...sent, ...panels], { id, label, copy }, icons)
}

const hidesSample = (response: JsonObject) => isTrue(response, 'x-hideSample')

const mostExamples = 8

/**
 * Returns a panel for each given example, with its name if there are several; otherwise a panel with a generated
 * example.
 */
function panelsOf(spec: Spec, holder: JsonObject, title: Html | string, label: string, room: Room): Panel[] {
  const found = mediaOf(holder)
  if (!found) return []
  const given = at(found.media, 'example') === undefined ? examplesOf(spec, found.media) : []
  // A page with hundreds of operations only has room for one example each.
  if (given.length < 2 || room.values < enough.values) {
    const example = exampleOfMedia(spec, found.media, 'response', room.values)
    return example === undefined ? [] : [{ title, label, ...written(spec, found, example) }]
  }
  return given.slice(0, mostExamples).map(({ name, value }) => ({
    title: html`${title} ${name}`,
    label: `${label} ${name}`,
    ...written(spec, found, value),
  }))
}
