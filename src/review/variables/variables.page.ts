import { hidden, inField, writingOver } from '../../account/parts.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { asking } from '../../workspace/asking.ts'
import { type Around, withinPage } from '../within.page.ts'

/** The limits of the API. */
const longestName = 64
export const longestValue = 256

export interface Variable {
  name: string
  value: string
}

interface ListedVariables {
  variables: readonly Variable[]
  more: number
  /** Refused input, for a new or an existing variable. */
  typed?: Variable & { isNew: boolean }
}

/** The expression with which a page shows it. */
const variableLine = (name: string) => `{{ space.vars.${name} }}`

/** The variables of a change request: a form for a new one, their values, and the line with which a page shows each. */
export function variablesPage(place: Place, around: Around, listed: ListedVariables): Html {
  const { variables, more, typed } = listed
  const fresh = typed?.isNew ? typed : { name: '', value: '' }
  const base = `${around.path}/~/variables`
  return withinPage(
    place,
    around,
    'Variables',
    html`<p class="aside">A version, an address, a name: written once and shown on every page that uses it.</p>
      <form method="post" action="${place.link(base)}" class="fields inline review-variable">
        ${hidden({ form: around.form })}
        <label class="field">
          <span>Name: letters, digits and _</span>
          <input
            name="name"
            value="${fresh.name}"
            maxlength="${longestName}"
            pattern="[A-Za-z_$][A-Za-z0-9_$]*"
            autocapitalize="none"
            spellcheck="false"
            autocomplete="off"
            required
          />
        </label>
        <label class="field grow">
          <span>Value</span>
          <input name="value" value="${fresh.value}" maxlength="${longestValue}" autocomplete="off" />
        </label>
        <button class="btn primary">Add variable</button>
      </form>
      <section aria-label="All variables" class="review-files">
        <h2>All variables</h2>
        ${
          variables.length === 0
            ? html`<p class="none">None yet. Add the first one above.</p>`
            : html`<p>To show a value, copy its line and paste it into the text of a page.</p>
                <ul role="list">
                  ${variables.map((each) => html`<li>${variableOf(place, base, around, each, typed)}</li>`)}
                </ul>`
        }
        ${more > 0 && html`<p class="none">And ${more} more. Use the API to list them.</p>`}
      </section>`,
    ['copy', 'check'],
  )
}

function variableOf(
  place: Place,
  base: string,
  { form }: Around,
  { name, value }: Variable,
  typed: ListedVariables['typed'],
): Html {
  const refused = typed?.isNew === false && typed.name === name ? typed.value : undefined
  return html`${codeBlock(namedValue({ name, value }), html`${variableLine(name)}`)}
    <div class="review-does">
      ${asking(
        'Change value',
        html`<form ${writingOver(place.link(`${base}/${name}`))} class="review-ask fields">
          ${hidden({ form, seen: value })}
          <label class="field">
            <span>Value of ${name}</span>
            ${valueField(refused ?? value)}
          </label>
          <button class="btn">Save value</button>
        </form>`,
        `Change value: ${name}`,
        refused !== undefined,
      )}
      ${asking(
        'Delete',
        html`<form method="post" action="${place.link(`${base}/${name}/delete`)}" class="review-ask">
          ${hidden({ form })}
          <p>Delete ${name}? Pages that use it will show nothing in its place.</p>
          <button class="btn danger">Delete variable</button>
        </form>`,
        `Delete ${name}`,
      )}
    </div>`
}

export const namedValue = ({ name, value }: Variable): Html =>
  html`<span class="work-value"
    ><strong>${name}</strong> <span class="row-more">${value === '' ? 'has no value' : value}</span></span
  >`

/** A value set through the API may have several lines, which a single-line field would join. */
const valueField = (value: string): Html =>
  value.includes('\n')
    ? html`<textarea name="value" rows="4" maxlength="${longestValue}">${inField(value)}</textarea>`
    : html`<input name="value" value="${value}" maxlength="${longestValue}" autocomplete="off" />`
