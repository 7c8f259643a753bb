import type { Fields } from '../../account/forms.ts'
import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { conflict } from '../../http/errors.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { schemaOf, templateConditions } from '../../sites/adaptive/claims.ts'
import { wantedIn } from '../overtaken.ts'
import type { BuiltParts } from './site.parts.ts'

/** What only some readers see: a section, or a space of a site, with a condition. */

const longest = 1024

/** More than anybody looks through. */
const mostTemplates = 100

const example = 'visitor.claims.plan == "pro"'

/** The field of a form that says who sees something. `typed`: what was refused before. */
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

/** As the field has it: programs may have written several lines. */
const inOneLine = (condition: string | null) => (condition ?? '').replace(/\s*[\r\n]\s*/g, ' ')

const areOff = 'Conditions are off there, so anything that has one is hidden from everyone.'

/** To choose from, where the site says what it knows. */
export function possibleConditions({ seen: { site } }: BuiltParts): HtmlValue {
  const templates = templateConditions(schemaOf(site)).slice(0, mostTemplates)
  return html`<datalist id="conditions">
    ${templates.map(({ condition, description }) => html`<option value="${condition}">${description}</option>`)}
  </datalist>`
}

/** What a form wants; undefined where it is so already. Whether it is an expression, the action says. */
export function conditionIn({ condition = '', seen }: Fields, now: string | null): string | null | undefined {
  const typed = condition.trim()
  if ([...typed].length > longest) throw conflict(`A condition has at most ${longest} characters.`)
  const wanted = wantedIn(typed, { seen, now: inOneLine(now), isNow })
  return wanted === '' ? null : wanted
}

const isNow = (now: string) => (now === '' ? 'shown it to all readers' : `changed the condition to “${now}”`)
