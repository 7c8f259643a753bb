import type { Fields } from '../../account/forms.ts'
import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { conflict } from '../../http/errors.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { schemaOf, templateConditions } from '../../sites/adaptive/claims.ts'
import { wantedIn } from '../overtaken.ts'
import type { BuiltParts } from './site.parts.ts'

/** Sections and spaces of a site that only some readers see, because they have a condition. */

const longest = 1024

/** How many suggestions are listed. Nobody looks through more. */
const mostTemplates = 100

const example = 'visitor.claims.plan == "pro"'

/** The form field for who sees something. `typed` is input that was refused. */
export function conditionField(
  place: Place,
  { path, seen: { site } }: BuiltParts,
  { now, typed }: { now: string | null; typed: string | undefined },
): Html {
  const seen = inOneLine(now)
  return html`${hidden({ seen })}
    <label class="field">
      <span>Only for readers who meet this condition</span>
      <input
        name="condition"
        value="${typed ?? seen}"
        list="conditions"
        maxlength="${longest}"
        placeholder="${example}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
      />
    </label>
    <p class="aside">
      An expression about what the site <a href="${place.link(`${path}/claims`)}">knows about its readers</a>. Leave it
      empty to show it to all readers. ${!site.adaptive_enabled && areOff}
    </p>`
}

/** The condition as the field shows it. Programs may have written it in several lines. */
const inOneLine = (condition: string | null) => (condition ?? '').replace(/\s*[\r\n]\s*/g, ' ')

const areOff = 'Conditions are off there, so anything that has one is hidden from everyone.'

/** The conditions to choose from, if the site declares what it knows about readers. */
export function possibleConditions({ seen: { site } }: BuiltParts): HtmlValue {
  const templates = templateConditions(schemaOf(site)).slice(0, mostTemplates)
  return html`<datalist id="conditions">
    ${templates.map(({ condition, description }) => html`<option value="${condition}">${description}</option>`)}
  </datalist>`
}

/**
 * Returns the condition that the form asks for; undefined if it does not change. The action checks whether it is a
 * valid expression.
 */
export function conditionIn({ condition = '', seen }: Fields, now: string | null): string | null | undefined {
  const typed = condition.trim()
  if ([...typed].length > longest) throw conflict(`A condition has at most ${longest} characters.`)
  const wanted = wantedIn(typed, { seen, now: inOneLine(now), isNow })
  return wanted === '' ? null : wanted
}

const isNow = (now: string) => (now === '' ? 'shown it to all readers' : `changed the condition to “${now}”`)
