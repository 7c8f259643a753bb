import { hidden, writingOver } from '../../account/parts.ts'
import type { MergeRule, MergeRules } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { type KeptRules, isPlain, plainRules } from './merge-rules.ts'
import { counted } from '../rows.ts'
import { asSeen } from '../seen.ts'

interface RulesParts {
  action: string
  form: string
  now: MergeRules
  /** The rules of the organization, for a space. */
  above?: MergeRules
  kept?: KeptRules
}

/** The form for merge rules. Rules that it cannot show were set through the API and stay as they are. */
export function mergeRulesForm(place: Place, { action, form, now, above, kept }: RulesParts): Html {
  const type = kept?.type ?? now.type
  const set = kept?.rules ?? rulesIn(now).map((rule) => rule.type)
  const choice = (word: string, title: string, more: HtmlValue) =>
    html`<li>
      <label class="choice">
        <input type="radio" name="type" value="${word}" ${word === type && html`checked`} />
        <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
      </label>
    </li>`
  return html`<form ${writingOver(place.link(action))}>
    ${hidden({ form, seen: asSeen(now) })}
    <ul class="rows" role="list">
      ${above && choice('inherit', 'Same as the organization', inWords(above))}
      ${choice('none', 'Nothing', 'Anyone who may merge can do so at any time.')}
      ${choice('rules', 'All rules chosen here', above ? 'In this space alone.' : 'In every space without its own rules.')}
    </ul>
    <fieldset class="work-choices work-rules">
      <legend>Rules</legend>
      ${Object.entries(plainRules).map(
        ([word, says]) =>
          html`<label class="choice">
            <input type="checkbox" name="${word}" value="on" ${set.includes(word) && html`checked`} />
            <span>${says}</span>
          </label>`,
      )}
    </fieldset>
    ${othersIn(now)}
    <button class="btn">Save rules</button>
  </form>`
}

const rulesIn = (kept: MergeRules): MergeRule[] => (kept.type === 'rules' ? kept.rules : [])

function othersIn(now: MergeRules): HtmlValue {
  const others = rulesIn(now).filter((rule) => !isPlain(rule)).length
  if (others === 0) return undefined
  return html`<p class="aside">
    ${counted(others, 'more rule')} set through the API, which this page cannot show.
    ${others === 1 ? 'It stays as it is' : 'They stay as they are'}, unless you choose something else above.
  </p>`
}

function inWords(rules: MergeRules): string {
  const all = rulesIn(rules)
  const plain = all.flatMap((rule) => (isPlain(rule) ? [plainRules[rule.type]] : []))
  const others = all.length - plain.length
  const said = [...plain, ...(others > 0 ? [`${counted(others, 'rule')} set through the API`] : [])]
  return said.length === 0 ? 'No rules at the moment.' : `${said.join('. ')}.`
}
