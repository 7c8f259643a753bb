import { setImmediate } from 'node:timers/promises'
import type { Block } from '../../content/blocks.ts'
import { parse } from '../../content/parse.ts'
import { write } from '../../content/write.ts'
import { english } from '../../published/words/english.ts'
import { type Words, fill } from '../../published/words/words.ts'
import { shortened } from '../../shortened.ts'
import { tagOf } from './discriminator.ts'
import { exampleOfMedia, exampleOfParameter } from './example.ts'
import { type Json, type JsonObject, at, isTrue, objectAt, shortJson, textAt } from './json.ts'
import { furtherOf } from './further.ts'
import { linksOf } from './links.ts'
import { withoutHeadings } from './markdown.ts'
import { bodiesOf, noteOn, places, responsesOf, standsIn } from './operation.ts'
import { exampleOf } from './props.ts'
import { mediaOf } from './request.ts'
import { type Manner, enough } from './room.ts'
import { samplesOf } from './samples.ts'
import { mostFieldsOfAll, mostSchemas } from './schemas.ts'
import { securityOf } from './security.ts'
import { isChoice, serversOf } from './servers.ts'
import {
  type Variants,
  isList,
  labelOf,
  mapValuesOf,
  choicesOf,
  meaningOf,
  rulesOf,
  shapeOf,
  valuesOf,
} from './shape.ts'
import { type Operation, type Spec, schemaReference } from './spec.ts'
import { type Way, countFields, deepest, fieldsFor, levelsFor, mostFields } from './unfold.ts'
import { written } from './written.ts'

/**
 * Returns an operation or a webhook as Markdown, for readers who get a page as text: everything that the drawing shows.
 */
export function writeOperation(
  spec: Spec,
  operation: Operation,
  { needsTitle = false, words = english, room = enough }: { needsTitle?: boolean } & Manner,
): string {
  const { operation: described, method, path, isWebhook } = operation
  const text = new SchemaText(spec, words, levelsFor(spec, bodiesOf(spec, operation, room), room.fields))
  const [sample] = isWebhook ? [] : samplesOf(spec, operation, room.values)
  return paragraphs([
    needsTitle ? heading(oneLine(textAt(described, 'summary'))) : undefined,
    code(`${method.toUpperCase()} ${path}`),
    noteOn(described, words),
    markdown(textAt(described, 'description')),
    writeFurther(described, words),
    isWebhook ? undefined : writeServers(spec, operation, words),
    writeSecurity(spec, operation, words),
    ...writeParameters(spec, operation, text, words),
    ...writeBody(spec, operation, text, words),
    sample && fenced(sample.code, sample.language),
    ...writeResponses(spec, operation, text, words, room.values),
    ...writeCallbacks(spec, operation, text, { words, room }),
  ])
}

function writeCallbacks(spec: Spec, operation: Operation, text: SchemaText, { words, room }: Required<Manner>) {
  const all = spec.callbacksOf(operation)
  const parts = all.flatMap((callback, at) => {
    const line = code(`${callback.method.toUpperCase()} ${callback.path}`)
    if (at >= room.callbacks) return [line]
    return [
      line,
      noteOn(callback.operation, words),
      markdown(textAt(callback.operation, 'description') ?? textAt(callback.operation, 'summary')),
      writeFurther(callback.operation, words),
      ...writeParameters(spec, callback, text, words),
      ...writeBody(spec, callback, text, words),
      ...writeResponses(spec, callback, text, words, room.values),
    ]
  })
  return all.length === 0 ? [] : [`**${words.callbacks}**`, ...parts]
}

/** Returns the named schemas as Markdown. */
export async function writeSchemas(
  spec: Spec,
  names: readonly string[],
  { needsTitle = true, words = english, room = enough }: { needsTitle?: boolean } & Manner,
): Promise<string> {
  const known = names.filter((name) => Object.hasOwn(spec.schemas, name)).slice(0, mostSchemas)
  const parts: (string | undefined)[] = []
  let left = mostFieldsOfAll
  for (const name of known) {
    const schema = schemaReference(name)
    const body = { schema, way: 'response' as const }
    const most = Math.min(mostFields, left)
    const text = new SchemaText(spec, words, levelsFor(spec, [body], room.fields), most)
    const { value } = shapeOf(spec, schema)
    const title = [needsTitle && `**${name}**`, isTrue(value, 'deprecated') && `(${words.deprecated})`]
    const further = writeFurther(value, words)
    parts.push(
      title.filter(Boolean).join(' '),
      markdown(textAt(value, 'description')),
      further,
      text.body(schema, 'response'),
    )
    left -= most - text.left
    await setImmediate()
  }
  return paragraphs(parts)
}

const paragraphs = (parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n')

/** Returns a heading whose text is taken literally, whatever characters it contains. */
function heading(text: string | undefined): string | undefined {
  if (!text) return undefined
  const block: Block = { type: 'heading', level: 2, inlines: [{ type: 'text', text }] }
  return write({ source: '', parsed: [], blocks: [block] }).trim()
}

/** Returns a code span with more backticks around the text than there are in it. */
function code(text: string): string {
  const ticks = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([row]) => row.length)))
  return text.includes('`') ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`
}

function fenced(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, 1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([row]) => row.length))))
  return `${ticks}${language}\n${text}\n${ticks}`
}

const longest = 20_000

function markdown(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { blocks } = parse(shortened(text.trim(), longest))
  return write({ source: '', parsed: [], blocks: blocks.map(withoutHeadings) }).trim()
}

/** Returns a text in one line, for use in a list. */
const oneLine = (text: string | undefined) => text && shortened(text.trim().replaceAll(/\s+/g, ' '), longest)

/** Ends a text with a full stop, because more text follows. */
const sentence = (text: string | undefined) => (text && /[\p{L}\p{N})\]`*]$/u.test(text) ? `${text}.` : text)

function writeFurther(holder: unknown, words: Words): string | undefined {
  const further = furtherOf(holder, words)
  if (!further) return undefined
  const { href, title } = further
  const block: Block = {
    type: 'paragraph',
    inlines: [{ type: 'link', href, inlines: [{ type: 'text', text: title }] }],
  }
  return write({ source: '', parsed: [], blocks: [block] }).trim()
}

/** Lists the servers if they offer more than the sample shows. */
function writeServers(spec: Spec, operation: Operation, words: Words): string | undefined {
  const servers = serversOf(spec, operation)
  if (!isChoice(servers)) return undefined
  const lines = servers.flatMap(({ url, description, variables }) => [
    `- ${[code(url), oneLine(description)].filter(Boolean).join(': ')}`,
    ...variables.map(({ name, value, allowed, description }) => {
      const facts = [
        sentence(oneLine(description)),
        sentence(allowed.map(code).join(', ')),
        value ? `${words.defaultValue}: ${code(value)}.` : undefined,
      ].filter(Boolean)
      return `  - ${code(`{${name}}`)}${facts.length === 0 ? '' : `: ${facts.join(' ')}`}`
    }),
  ])
  return `**${words.servers}**\n\n${lines.join('\n')}`
}

function writeLinks(spec: Spec, response: JsonObject, words: Words): string | undefined {
  const links = linksOf(spec, response)
  if (links.length === 0) return undefined
  const lines = links.map(({ name, description, target, values, body }) => {
    const facts = [
      sentence(oneLine(description)),
      sentence(values.map(({ name, value }) => code(`${name} = ${value}`)).join(', ')),
      body === undefined ? undefined : `${words.body}: ${code(body)}.`,
    ].filter(Boolean)
    const leads = target === undefined ? '' : ` (${code(target)})`
    return `- ${code(name)}${leads}${facts.length === 0 ? '' : `: ${facts.join(' ')}`}`
  })
  return `${words.links}:\n\n${lines.join('\n')}`
}

function writeSecurity(spec: Spec, operation: Operation, words: Words): string | undefined {
  const { choices, isOptional } = securityOf(spec, operation)
  if (choices.length === 0) return undefined
  const lines = choices.map((schemes) =>
    schemes
      .map(({ title, isDeprecated, addresses, scopes }) =>
        [
          code(title(words)),
          ...(isDeprecated ? [`(${words.deprecated})`] : []),
          ...addresses.map(({ name, url }) => `${name}: ${code(url)}`),
          ...scopes.map(({ name }) => code(name)),
        ].join(' '),
      )
      .join(` ${words.and} `),
  )
  const about = isOptional ? ` (${words.optional})` : ''
  return `**${words.authorization}**${about}\n\n${lines.map((line) => `- ${line}`).join('\n')}`
}

function writeParameters(spec: Spec, operation: Operation, text: SchemaText, words: Words): string[] {
  const all = spec.parametersOf(operation)
  return places.flatMap(([place, title]) => {
    const here = all.filter((parameter) => standsIn(parameter, place))
    return here.length === 0 ? [] : [`**${words[title]}**\n\n${text.parameters(here)}`]
  })
}

function writeBody(spec: Spec, { operation, isWebhook }: Operation, text: SchemaText, words: Words) {
  const { value: body } = spec.resolve(at(operation, 'requestBody'))
  const found = mediaOf(body)
  if (!found) return []
  return [
    `**${isWebhook ? words.payload : words.body}** (${code(found.type)})`,
    markdown(textAt(body, 'description')),
    text.body(at(found.media, 'schema') ?? {}, isWebhook ? 'response' : 'request'),
  ]
}

function writeResponses(spec: Spec, operation: Operation, text: SchemaText, words: Words, values: number) {
  const all = responsesOf(spec, operation)
  const first = all.find(({ status }) => status.startsWith('2'))
  const parts = all.flatMap(({ status, response }) => {
    const found = mediaOf(response)
    const about = oneLine(textAt(response, 'description'))
    const headers = Object.entries(objectAt(response, 'headers')).slice(0, 50)
    const example =
      found && status === first?.status ? exampleOfMedia(spec, found.media, 'response', values) : undefined
    return [
      `${code(status)}${found ? ` (${code(found.type)})` : ''}${about === undefined ? '' : `: ${about}`}`,
      headers.length > 0
        ? `${words.headers}:\n\n${text.parameters(headers.map(([name, header]) => ({ ...spec.resolve(header).value, name })))}`
        : undefined,
      headers.length > 0 && found ? `${words.body}:` : undefined,
      found && at(found.media, 'schema') !== undefined ? text.body(at(found.media, 'schema')!, 'response') : undefined,
      found && example !== undefined ? writeExample(spec, found, example) : undefined,
      writeLinks(spec, response, words),
    ]
  })
  return all.length === 0 ? [] : [`**${words.responses}**`, ...parts]
}

function writeExample(spec: Spec, media: NonNullable<ReturnType<typeof mediaOf>>, example: Json): string {
  const { code, language } = written(spec, media, example)
  return fenced(code, language === 'text' ? '' : language)
}

interface Field {
  isRequired: boolean
  isDeprecated?: boolean
  description?: string | undefined
  example?: Json | undefined
}

/** Writes schemas as nested lists. */
class SchemaText {
  readonly #spec: Spec
  readonly #words: Words
  readonly #levels: number
  /** Limits the work: schemas that may each be any of the others would be written in every order. */
  #visits = 2 * mostFields
  #left: number

  constructor(spec: Spec, words: Words, levels: number, most = mostFields) {
    this.#spec = spec
    this.#left = most
    this.#words = words
    this.#levels = levels
  }

  /** How many more fields may be written. */
  get left(): number {
    return this.#left
  }

  /** Writes as many items as there is room for, and the number of the remaining ones. */
  #withinRoom<Item>(all: readonly Item[], write: (item: Item) => readonly string[]): string[] {
    const shown = all.slice(0, Math.max(0, this.#left))
    this.#left -= shown.length
    const more = all.length - shown.length
    return [...shown.flatMap(write), ...(more > 0 ? [this.#more(more)] : [])]
  }

  #more(count: number): string {
    return `- ${count === 1 ? this.#words.oneMoreField : fill(this.#words.moreFields, count)}`
  }

  parameters(all: readonly JsonObject[]): string {
    return this.#withinRoom(all, (each) => [this.#parameter(each)]).join('\n')
  }

  body(schema: Json, way: Way): string {
    const lines = this.#inside(schema, way, [], 0)
    return lines.length > 0 ? lines.join('\n') : code(labelOf(this.#spec, schema, this.#words))
  }

  #parameter(parameter: JsonObject): string {
    const [inContent] = Object.values(objectAt(parameter, 'content'))
    const schema = at(parameter, 'schema') ?? at(inContent, 'schema') ?? {}
    const about = {
      isRequired: isTrue(parameter, 'required'),
      isDeprecated: isTrue(parameter, 'deprecated'),
      description: textAt(parameter, 'description'),
      example: exampleOfParameter(this.#spec, parameter),
    }
    return this.#line(textAt(parameter, 'name') ?? '', schema, about)
  }

  #line(name: string, schema: Json, about: Field): string {
    const words = this.#words
    const value = meaningOf(this.#spec, shapeOf(this.#spec, schema).value)
    const marks = [
      code(labelOf(this.#spec, schema, words)),
      about.isRequired && words.required,
      (about.isDeprecated || isTrue(value, 'deprecated')) && words.deprecated,
    ].filter(Boolean)
    const values = valuesOf(this.#spec, value)
    const listed = values.shown.map((each) => [code(each.value), oneLine(each.about)].filter(Boolean).join(' '))
    const more = values.more > 0 ? [`+ ${values.more} …`] : []
    const example = values.shown.length > 0 ? undefined : (about.example ?? exampleOf(value))
    const [fallback, pattern] = [at(value, 'default'), textAt(value, 'pattern')]
    const named = (word: string, said: Json | undefined) =>
      said === undefined ? undefined : `${word}: ${code(shortJson(said))}.`
    const facts = [
      sentence(oneLine(about.description ?? textAt(value, 'description'))),
      sentence([...listed, ...more].join(', ')),
      named(words.defaultValue, fallback),
      named(words.example, example),
      named(words.pattern, pattern),
      ...rulesOf(value, words),
      writeFurther(value, words),
    ].filter(Boolean)
    return `- ${code(name)} (${marks.join(', ')})${facts.length === 0 ? '' : `: ${facts.join(' ')}`}`
  }

  /** Returns the lines for the inside of a schema. Nested fields are indented below their parent. */
  #inside(schema: Json, way: Way, above: readonly string[], level: number): string[] {
    if (this.#visits-- <= 0) return []
    const { value, pointer, name } = shapeOf(this.#spec, schema)
    if (pointer !== undefined && above.includes(pointer)) return [`- ${fill(this.#words.sameAs, code(name ?? ''))}`]
    if (above.length >= deepest) return []
    if (level >= this.#levels) return this.#counted(schema, way)
    const within = [...above, pointer ?? '']
    const fields = this.#withinRoom(fieldsFor(this.#spec, value, way), (field) => [
      this.#line(field.name, field.schema, field),
      ...this.#inside(field.schema, way, within, level + 1).map((line) => `  ${line}`),
    ])
    const others = this.#others(value, way, within, level)
    if (fields.length > 0 || others.length > 0) return [...fields, ...others]
    const next = isList(value) ? at(value, 'items') : mapValuesOf(value)
    return next === undefined ? [] : this.#inside(next, way, within, level)
  }

  /**
   * Writes the variants of a schema. If there are several lists of variants, one of each applies: they are joined by
   * "and".
   */
  #others(value: JsonObject, way: Way, above: readonly string[], level: number): string[] {
    const choices = choicesOf(this.#spec, value).map((choice) => this.#choice(choice, way, above, level))
    const [first = [], ...more] = choices.filter(({ length }) => length > 0)
    return [...first, ...more.flatMap((lines) => [`- ${this.#words.and}`, ...lines])]
  }

  #choice({ kind, schemas, union }: Variants, way: Way, above: readonly string[], level: number): string[] {
    const all = schemas.map((each) => ({ each, inside: this.#inside(each, way, above, level) }))
    if (schemas.length === 1 || all.every(({ inside }) => inside.length === 0))
      return all.flatMap(({ inside }) => inside)
    return all.flatMap(({ each, inside }) => {
      const title = textAt(shapeOf(this.#spec, each).value, 'title') ?? labelOf(this.#spec, each, this.#words)
      const tag = tagOf(this.#spec, union, each)
      const told = tag ? ` (${code(`${tag.field}: ${tag.values.join(', ')}`)})` : ''
      const isOld = isTrue(meaningOf(this.#spec, shapeOf(this.#spec, each).value), 'deprecated')
      const mark = isOld ? ` (${this.#words.deprecated})` : ''
      return [`- ${this.#words[kind]}: ${code(title)}${told}${mark}`, ...inside.map((line) => `  ${line}`)]
    })
  }

  #counted(schema: Json, way: Way): string[] {
    const count = countFields(this.#spec, { schema, way })
    if (count === 0) return []
    return [this.#more(count)]
  }
}
