import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { codeBlock, highlightShell, jsonBlock } from '../code.ts'
import { icon } from '../layout.ts'
import { bodies } from './bodies.ts'
import { type Operation, type Parameter, type Schema, listItem } from './description.ts'
import { type ExampleParts, exampleAnswer, exampleBody, exampleValue } from './example.ts'
import { answerLabel, deprecatedTag, field, fields, inlineObjects, inside, prose } from './schema.ts'

/** One operation: what it does, who may call it, what to send and what it returns; beside it a call and its answer. */
export function operationSection(operation: Operation, parts: ExampleParts): Html {
  const { operationId, summary, description, deprecated, parameters = [], requestBody } = operation
  return html`<section class="op" id="${operationId}">
    <h3>${summary}${deprecated && html` ${deprecatedTag}`}${anchor(operationId)}</h3>
    <div class="op-line">${verb(operation.method)}<code>${pathParts(operation.path)}</code></div>
    ${access(operation)}
    <div class="op-grid">
      <div>
        ${description && html`<p class="op-text">${prose(description)}</p>`}
        ${parameterList(
          'Path',
          parameters.filter((each) => each.in === 'path'),
        )}
        ${parameterList(
          'Query',
          parameters.filter((each) => each.in === 'query'),
        )}
        ${requestBody && bodyFields(requestBody.content['application/json'].schema)} ${answers(operation)}
      </div>
      <div class="op-aside">
        ${codeBlock('curl', highlightShell(curl(operation, parts)))}${sampleAnswer(operation, parts)}
      </div>
    </div>
  </section>`
}

const tones: Record<string, string> = {
  GET: 'info',
  POST: 'success',
  PUT: 'violet',
  PATCH: 'warning',
  DELETE: 'danger',
}

export const verb = (method: string) => html`<span class="verb" data-tone="${tones[method]}">${method}</span>`

export const anchor = (id: string) => html`<a class="anchor" href="#${id}" aria-label="Link to this">#</a>`

/** Highlights parameters, and lets a long path wrap after each of its slashes. */
function pathParts(path: string): HtmlValue {
  return path
    .split(/(?<=\/)/)
    .map(
      (part) =>
        html`${part.split(/(\{\w+\})/).map((each) => (each.startsWith('{') ? html`<i>${each}</i>` : each))}<wbr />`,
    )
}

function access(operation: Operation): Html {
  if (operation.security.length === 0)
    return html`<p class="op-who">${icon('globe')} Anyone may call this, without a token.</p>`
  const scope = operation['x-scope']
  return html`<p class="op-who">
    ${icon('key')}
    <span>The caller needs ${prose(operation['x-needs'] ?? 'a token')}.</span>
    ${scope ? html`<span>Scope <code>${scope}</code></span>` : html`<span>Unscoped tokens only.</span>`}
  </p>`
}

const heading = (title: string, small?: HtmlValue) =>
  html`<h4 class="op-h">${title}${small && html` <small>${small}</small>`}</h4>`

function parameterList(title: string, parameters: Parameter[]): HtmlValue {
  if (parameters.length === 0) return undefined
  const each = parameters.map(({ name, schema, required, description }) =>
    field(name, { ...schema, description: description ?? whatIdIs(name) }, required, 'sent'),
  )
  return html`${heading(title)}
    <dl class="props">${each}</dl>`
}

/** `siteSpaceId` → "The id of the site space." */
function whatIdIs(name: string): string | undefined {
  if (!name.endsWith('Id')) return undefined
  const words = name.slice(0, -2).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `The id of the ${words}${name === 'changeRequestId' ? ', or its number in the space' : ''}.`
}

function bodyFields(schema: Schema): HtmlValue {
  const plain = schema.properties
    ? fields(schema, 'sent')
    : html`<dl class="props">${field('body', schema, true, 'sent')}</dl>`
  return plain && html`${heading('Body', 'JSON')}${plain}`
}

/** Successful answers in detail. Errors are the same everywhere and explained once, at the top of the page. */
function answers({ responses }: Operation): Html {
  const good = Object.entries(responses).filter(([status]) => status < '4')
  return html`${heading('Answer')}
    <dl class="props">
      ${good.map(([status, { description, content }]) => {
        const schema = content?.['application/json']?.schema
        const [otherType = 'no body'] = Object.keys(content ?? {})
        const told = description === 'Done' || description === '' ? undefined : prose(description)
        const body = schema && answerFields(schema)
        return html`<div>
          <dt>${statusDot(status)} <i>${schema ? answerLabel(schema) : otherType}</i></dt>
          <dd>${told}${body}</dd>
        </div>`
      })}
      <div>
        <dt>
          ${statusDot('4xx')} <i><a href="#errors">Error</a></i>
        </dt>
        <dd></dd>
      </div>
    </dl>`
}

function answerFields(schema: Schema): HtmlValue {
  const item = listItem(schema)
  if (item) return inlineObjects(item).length > 0 && inside('items', item, 'received')
  return schema.$ref === undefined && inside('answer', schema, 'received')
}

const statusDot = (status: string) =>
  html`<span class="status" data-tone="${status < '3' ? 'success' : status < '4' ? 'info' : 'danger'}">${status}</span>`

function sampleAnswer({ responses }: Operation, parts: ExampleParts): HtmlValue {
  const [status, answer] = Object.entries(responses).find(([code]) => code < '3') ?? []
  const schema = answer?.content?.['application/json']?.schema
  return status !== undefined && schema && jsonBlock(statusDot(status), exampleAnswer(schema, parts))
}

/** A call to paste into a shell: ids are variables, and the body contains what is needed. */
function curl(operation: Operation, parts: ExampleParts): string {
  const { operationId, method, path, parameters = [], requestBody, security } = operation
  const query = parameters.filter((each) => each.in === 'query' && each.required)
  const address =
    parts.url + path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`) + queryOf(query, parts)
  const body =
    requestBody && (bodies[operationId] ?? exampleBody(requestBody.content['application/json'].schema, parts))
  const lines = [
    `curl "${address}"`,
    method !== 'GET' && !(method === 'POST' && body) && `--request ${method}`,
    security.length > 0 && '--header "Authorization: Bearer $LECTERN_TOKEN"',
    body !== undefined && `--json '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")}'`,
  ]
  return lines.filter(Boolean).join(' \\\n  ')
}

function queryOf(query: Parameter[], parts: ExampleParts): string {
  const pairs = query.map(({ name, schema }) => `${name}=${encodeURI(String(exampleValue(name, schema, parts)))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const shellName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
