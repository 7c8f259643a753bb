import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../../published/icons/icons.ts'
import { type Words, around, fill } from '../../published/words/words.ts'
import { type Json, type JsonObject, at, isTrue, objectAt, shortJson, textAt } from './json.ts'
import { tagOf } from './discriminator.ts'
import { exampleOfParameter } from './example.ts'
import { drawFurther } from './further.ts'
import { drawMarkdown } from './markdown.ts'
import {
  type AllowedValues,
  type Variants,
  isList,
  labelOf,
  mapValuesOf,
  choicesOf,
  meaningOf,
  onlyVariantOf,
  rulesOf,
  shapeOf,
  valuesOf,
} from './shape.ts'
import type { Spec } from './spec.ts'
import { type Body, type Way, countFields, deepest, fieldsFor, levelsFor, mostFields } from './unfold.ts'

/** Draws schemas, with nested fields collapsed. A recursive schema ends with its name. */
export class Props {
  readonly spec: Spec
  readonly #icons: Icons
  readonly #words: Words
  #levels = deepest
  #left: number
  #visits = 2 * mostFields

  constructor(spec: Spec, icons: Icons, words: Words, most = mostFields) {
    this.spec = spec
    this.#left = most
    this.#icons = icons
    this.#words = words
  }

  /** How many more fields may be drawn. */
  get left(): number {
    return this.#left
  }

  /** Limits the depth so that all bodies together draw about this many fields. */
  plan(bodies: readonly Body[], fields: number): void {
    this.#levels = levelsFor(this.spec, bodies, fields)
  }

  /** Draws a body: its fields, or its type and description if it has none. */
  body(schema: unknown, way: Way): Html | undefined {
    const inside = this.#inside(schema, way, [], 0)
    const value = this.#meaning(schema)
    const about = html`${isTrue(value, 'deprecated') && html`<p>${drawDeprecated(this.#words)}</p>`}${this.#about(value)}`
    if (inside) return html`${about}${inside}`
    return html`<dl class="props">${row(html`<span class="type">${this.#label(schema)}</span>`, about)}</dl>`
  }

  /** Draws as many parameters as there is room for, and the number of the remaining ones. */
  parameters(all: readonly JsonObject[]): Html {
    const shown = all.slice(0, Math.max(0, this.#left))
    this.#left -= shown.length
    return this.#list(
      shown.map((each) => this.#parameter(each)),
      all.length - shown.length,
    )
  }

  #list(rows: readonly Html[], more: number): Html {
    return html`<dl class="props">${rows}${more > 0 && row(html`<span class="type">${this.#more(more)}</span>`)}</dl>`
  }

  /** Draws a parameter or a header: a schema with a name. */
  #parameter(parameter: JsonObject): Html {
    const { schema, content } = parameter
    const inContent = Object.values(objectAt({ content: content ?? {} }, 'content'))[0]
    const shape = schema ?? at(inContent, 'schema') ?? {}
    const description = textAt(parameter, 'description') ?? textAt(this.#meaning(shape), 'description')
    return this.#row(textAt(parameter, 'name') ?? '', shape, {
      way: 'request',
      above: [],
      level: 0,
      isRequired: isTrue(parameter, 'required'),
      isDeprecated: isTrue(parameter, 'deprecated'),
      description,
      example: exampleOfParameter(this.spec, parameter),
    })
  }

  #meaning(schema: unknown): JsonObject {
    return meaningOf(this.spec, shapeOf(this.spec, schema).value)
  }

  #label(schema: unknown): string {
    return labelOf(this.spec, schema, this.#words)
  }

  #row(name: string, schema: Json, about: About): Html {
    const value = this.#meaning(schema)
    const term = html`<code>${name}</code><span class="type">${this.#label(schema)}</span>${
        about.isRequired && html`<span class="need">${this.#words.required}</span>`
      }${this.#marks(value, about.isDeprecated ?? false)}`
    const details = this.#folded(name, schema, about)
    const description = drawMarkdown(about.description ?? textAt(value, 'description'))
    const further = drawFurther(value, this.#words)
    return row(term, html`${description}${this.#facts(value, about.example)}${further}${details}`)
  }

  /** Draws the schema of a field, collapsed. */
  #folded(name: string, schema: Json, { way, above, level }: About): Html | undefined {
    const again = this.#again(schema, above)
    if (again !== undefined) return html`<div class="vals">${withCode(this.#words.sameAs, again)}</div>`
    if (level + 1 >= this.#levels || above.length >= deepest) return this.#counted(schema, way)
    const inside = this.#inside(schema, way, above, level + 1)
    return inside && this.#fold(withCode(this.#words.fieldsOf, name), inside)
  }

  /** If there is no room for the nested fields, draws how many there are. */
  #counted(schema: Json, way: Way): Html | undefined {
    const count = countFields(this.spec, { schema, way })
    return count === 0 ? undefined : html`<div class="vals">${this.#more(count)}</div>`
  }

  #more(count: number): string {
    return count === 1 ? this.#words.oneMoreField : fill(this.#words.moreFields, count)
  }

  #fold(title: Html, inside: Html): Html {
    return html`<details>
      <summary>${this.#icons.draw('chev', 'flip')}${title}</summary>
      ${inside}
    </details>`
  }

  /** Returns the name of the schema if it is one of its own enclosing schemas. */
  #again(schema: unknown, above: readonly string[]): string | undefined {
    const { pointer, name, value } = shapeOf(this.spec, schema)
    if (pointer !== undefined && above.includes(pointer)) return name
    const next = isList(value) ? at(value, 'items') : (mapValuesOf(value) ?? onlyVariantOf(this.spec, value))
    return next === undefined || above.length > deepest ? undefined : this.#again(next, above.concat('…'))
  }

  /** Draws the fields of a schema, of its list items, or of its variants. */
  #inside(schema: unknown, way: Way, above: readonly string[], level: number): Html | undefined {
    if (this.#visits-- <= 0) return undefined
    const { value, pointer, name } = shapeOf(this.spec, schema)
    if (pointer !== undefined && above.includes(pointer)) {
      return html`<p class="vals">${withCode(this.#words.sameAs, name ?? '')}</p>`
    }
    if (above.length >= deepest) return undefined
    const within = [...above, pointer ?? '']
    const fields = this.#fields(value, way, within, level)
    const others = this.#others(value, way, within, level)
    if (fields || others) return html`${fields}${others}`
    if (isList(value)) return this.#inside(at(value, 'items') ?? {}, way, within, level)
    const values = mapValuesOf(value)
    return values && this.#inside(values, way, within, level)
  }

  #fields(value: JsonObject, way: Way, above: readonly string[], level: number): Html | undefined {
    const fields = fieldsFor(this.spec, value, way)
    if (fields.length === 0) return undefined
    const shown = fields.slice(0, Math.max(0, this.#left))
    this.#left -= shown.length
    const rows = shown.map(({ name, schema, isRequired }) => this.#row(name, schema, { way, above, level, isRequired }))
    return this.#list(rows, fields.length - shown.length)
  }

  /**
   * Draws the variants of a schema. If there are several lists of variants, one of each applies: they are joined by
   * "and".
   */
  #others(value: JsonObject, way: Way, above: readonly string[], level: number): Html | undefined {
    const drawn = choicesOf(this.spec, value).flatMap((choice) => this.#choice(choice, way, above, level) ?? [])
    if (drawn.length === 0) return undefined
    return html`${drawn.map((each, at) => html`${at > 0 && html`<p class="vals">${this.#words.and}</p>`}${each}`)}`
  }

  #choice(choice: Variants, way: Way, above: readonly string[], level: number): Html | undefined {
    const { schemas } = choice
    // A thing or null is drawn as that thing: there is nothing to choose from.
    if (schemas.length === 1) return this.#inside(schemas[0], way, above, level)
    const all = schemas.map((schema) => ({ schema, inside: this.#inside(schema, way, above, level) }))
    if (!all.some(({ inside }) => inside)) return undefined
    const drawn = all.map(({ schema, inside }) => {
      const title = this.#variant(choice, schema)
      return inside ? this.#fold(title, inside) : html`<div>${title}${this.#about(this.#meaning(schema))}</div>`
    })
    return html`<div class="props others">${drawn}</div>`
  }

  /** Returns the title of a variant, and the field value that identifies it. */
  #variant({ kind, union }: Variants, schema: Json): Html {
    const title = textAt(shapeOf(this.spec, schema).value, 'title') ?? this.#label(schema)
    const tag = tagOf(this.spec, union, schema)
    const told = tag && html` <span class="type">${tag.field}: ${tag.values.join(', ')}</span>`
    const mark = isTrue(this.#meaning(schema), 'deprecated') && html` ${drawDeprecated(this.#words)}`
    return html`${this.#words[kind]}: <code>${title}</code>${told}${mark}`
  }

  #marks(value: JsonObject, isDeprecated: boolean): Html {
    const { readOnly, writeOnly } = this.#words
    return html`${isTrue(value, 'readOnly') && html`<span class="tag" data-tone="plain">${readOnly}</span>`}${
      isTrue(value, 'writeOnly') && html`<span class="tag" data-tone="plain">${writeOnly}</span>`
    }${(isDeprecated || isTrue(value, 'deprecated')) && drawDeprecated(this.#words)}`
  }

  #about(value: JsonObject): Html {
    return html`${drawMarkdown(textAt(value, 'description'))}${this.#facts(value)}${drawFurther(value, this.#words)}`
  }

  /** Draws the allowed values, the default, an example, and the other rules for a value. */
  #facts(value: JsonObject, given?: Json): Html {
    const values = valuesOf(this.spec, value)
    const [fallback, pattern, example] = [at(value, 'default'), textAt(value, 'pattern'), given ?? exampleOf(value)]
    const named = (name: string, text: string) => html`<div class="vals">${name}: <code>${text}</code></div>`
    return html`${drawAllowed(values)}${
      fallback !== undefined && named(this.#words.defaultValue, shortJson(fallback))
    }${example !== undefined && values.shown.length === 0 && named(this.#words.example, shortJson(example))}${
      pattern !== undefined && named(this.#words.pattern, pattern)
    }${rulesOf(value, this.#words).map((rule) => html`<div class="vals">${rule}</div>`)}`
  }
}

interface About {
  way: Way
  /** The pointers of the enclosing schemas. */
  above: readonly string[]
  /** How many fields enclose it. */
  level: number
  isRequired?: boolean
  isDeprecated?: boolean
  description?: string | undefined
  example?: Json | undefined
}

/** The tag for parts of an API that new code should not use. */
export const drawDeprecated = ({ deprecated }: Words) =>
  html`<span class="tag" data-tone="warning">${deprecated}</span>`

const row = (term: Html, text?: Html) =>
  html`<div>
    <dt>${term}</dt>
    <dd>${text}</dd>
  </div>`

/** Puts a name, marked up as code, into a phrase. */
function withCode(word: string, name: string): Html {
  const [before, behind] = around(word)
  return html`${before}<code>${name}</code>${behind}`
}

/** Draws allowed values side by side, or one per line if any of them has a description. */
function drawAllowed({ shown, more: others }: AllowedValues): Html | undefined {
  if (shown.length === 0) return undefined
  const more = others > 0 && html` <span>+ ${others} …</span>`
  if (!shown.some(({ about }) => about)) {
    return html`<div class="vals">${shown.map(({ value }) => html`<code>${value}</code>`)}${more}</div>`
  }
  const lines = shown.map(({ value, about }) => html`<div class="vals"><code>${value}</code> ${about}</div>`)
  return html`${lines}${more && html`<div class="vals">${more}</div>`}`
}

/** Returns examples of simple values only: objects are shown with the whole body. */
export function exampleOf(value: JsonObject): Json | undefined {
  const examples = at(value, 'examples')
  const example = at(value, 'example') ?? (Array.isArray(examples) ? (examples[0] as Json | undefined) : undefined)
  return typeof example === 'object' ? undefined : example
}
