import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { type Schema, isNull, listItem, nameOf, variantsOf } from './description.ts'

/** Returns a name for the type, with links to the objects that are described further down. */
function typeLabel(schema: Schema): HtmlValue {
  const name = nameOf(schema)
  if (name !== undefined) return html`<a href="#object-${name}">${name}</a>`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return 'enum'
  if (constants(schema)) return variantsOf(schema).some(isNull) ? 'enum | null' : 'enum'
  if (schema.allOf) return between(schema.allOf.map(typeLabel), ' & ')
  const variants = variantsOf(schema)
  if (variants.length > 1 || variants[0] !== schema) return between(distinct(variants.map(typeLabel)), ' | ')
  if (schema.type === 'array') return arrayLabel(schema.items)
  const values = valuesOfMap(schema)
  if (values) return html`map of ${typeLabel(values)}`
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return schema.format === undefined ? type : `${type} (${schema.format})`
}

function arrayLabel(items: Schema = {}): HtmlValue {
  return variantsOf(items).length > 1 && !constants(items) ? html`(${typeLabel(items)})[]` : html`${typeLabel(items)}[]`
}

/** Describes in words what an operation returns. */
export function answerLabel(schema: Schema): HtmlValue {
  const item = listItem(schema)
  return item ? html`<a href="#paging">list</a> of ${typeLabel(item)}` : typeLabel(schema)
}

/** For what is sent, required fields are marked; for what is received, optional ones. */
export type Direction = 'sent' | 'received'

/** Lists the fields of an object; those of inline objects are folded inside. */
export function fields(schema: Schema, direction: Direction): HtmlValue {
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties)
  if (names.length === 0) return undefined
  return html`<dl class="props">
    ${names.map((name) => field(name, properties[name]!, required.includes(name), direction))}
  </dl>`
}

/** Shows one field or parameter, with everything that is known about it. */
export function field(name: string, schema: Schema, isRequired: boolean, direction: Direction): Html {
  const mark =
    direction === 'sent' ? isRequired && html` <em>required</em>` : !isRequired && html` <small>optional</small>`
  const { description, deprecated } = schema
  const more = [description && prose(description), values(schema), inside(name, schema, direction)]
  return html`<div>
    <dt><code>${name}</code> <i>${typeLabel(schema)}</i>${mark}${deprecated && html` ${deprecatedTag}`}</dt>
    <dd>${more}</dd>
  </div>`
}

export const deprecatedTag = html`<span class="tag" data-tone="warning">Deprecated</span>`

/** Formats our own text, in which backticks mark code. */
export function prose(text: string): HtmlValue {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
}

/** Shows the fields of objects without a name. Named objects are linked instead, so there are no cycles. */
export function inside(name: string, schema: Schema, direction: Direction): HtmlValue {
  const objects = inlineObjects(schema)
  if (objects.length === 0) return undefined
  return html`<details>
    <summary>${objects.length > 1 ? 'Variants' : 'Fields'} of <code>${name}</code></summary>
    ${objects.map((each) => fields(each, direction))}
  </details>`
}

export function inlineObjects(schema: Schema): Schema[] {
  if (schema.properties) return [schema]
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [schema.items ?? valuesOfMap(schema)]
  return parts.flatMap((each) => (each && each !== schema ? inlineObjects(each) : []))
}

const manyWords = 12

function values(given: Schema): HtmlValue {
  const schema = withoutNull(given)
  const items = schema.type === 'array' ? schema.items : undefined
  const words = wordsOf(schema) ?? (items && wordsOf(items))
  const limits = [...limitsOf(schema), ...(items ? limitsOf(items).map((each) => ['each ', each]) : [])]
  const list = words?.map((word) => html`<code>${String(word)}</code>`)
  return [
    list &&
      (list.length > manyWords
        ? html`<details>
            <summary>${list.length} values</summary>
            <p class="vals">${list}</p>
          </details>`
        : html`<p class="vals">${list}</p>`),
    limits.length > 0 && html`<p class="vals">${between(limits, ' · ')}</p>`,
  ]
}

function wordsOf(schema: Schema): unknown[] | undefined {
  return constants(schema) ?? variantsOf(schema).find((each) => each.enum)?.enum
}

/** Returns the words to choose from, if they are written as a union. */
function constants(schema: Schema): unknown[] | undefined {
  const choices = variantsOf(schema).filter((each) => !isNull(each))
  const words = choices.map((each) => each.const)
  return words.length > 1 && !words.includes(undefined) ? words : undefined
}

/** A nullable value has the limits of the value. */
function withoutNull(schema: Schema): Schema {
  const choices = variantsOf(schema).filter((each) => !isNull(each))
  return choices.length === 1 ? { default: schema.default, ...choices[0] } : schema
}

function limitsOf(schema: Schema): HtmlValue[] {
  return [
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(schema.minimum, schema.maximum),
    schema.pattern !== undefined && html`matches <code>${schema.pattern}</code>`,
    schema.default !== undefined &&
      html`default
        <code>${typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}</code>`,
  ].filter((each) => each !== false && each !== undefined)
}

function range(least: number | undefined, most: number | undefined, noun?: string): string | undefined {
  const unit = noun === undefined ? '' : ` ${noun}${(most ?? least) === 1 ? '' : 's'}`
  if (least !== undefined && most !== undefined) return `${format(least)} to ${format(most)}${unit}`
  if (most !== undefined) return `at most ${format(most)}${unit}`
  return least === undefined ? undefined : `at least ${format(least)}${unit}`
}

const format = (value: number) => value.toLocaleString('en')

/** TypeBox writes a map as an object with one pattern for its keys. */
function valuesOfMap({ additionalProperties, patternProperties }: Schema): Schema | undefined {
  if (typeof additionalProperties === 'object') return additionalProperties
  return Object.values(patternProperties ?? {})[0]
}

function between(parts: HtmlValue[], separator: string): HtmlValue {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part]))
}

const distinct = (labels: HtmlValue[]) => [...new Map(labels.map((each) => [String(each), each])).values()]
