import { buttonForm, hidden, inField, section, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { schemaOf, templateConditions } from '../../sites/adaptive/claims.ts'
import { asking } from '../asking.ts'
import { type BelowSite, belowSite } from './below-site.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { asSeen } from '../seen.ts'

interface ClaimsParts extends BelowSite, Said {
  /** What somebody typed before it was refused. */
  typed?: string
}

const mostShown = 100

/** What a site knows about its readers, and whether conditions count. */
export const claimsPage = (place: Place, parts: ClaimsParts): Html =>
  belowSite(
    place,
    parts,
    'What only some readers see',
    html`<p class="aside">
        A section, a space, a page or a part of a page can have a condition, such as
        <code>visitor.claims.plan == "pro"</code>. What the site knows about a reader are claims: a service of yours
        signs them, or they come with the address. How, is in <code>docs/site-settings.md</code>.
      </p>
      ${section('conditions', 'Conditions', 'Whether they count.', switching(place, parts))}
      ${section('claims', 'Claims', 'What conditions can be about.', declaring(place, parts))} ${possible(parts)}`,
  )

function switching(place: Place, { path, form, access: { site } }: ClaimsParts): Html {
  const action = `${path}/claims/switch`
  if (!site.adaptive_enabled)
    return html`<p>They are switched off. Whatever has a condition is hidden from everybody.</p>
      ${buttonForm(place, { action, fields: { form, conditions: 'on' }, label: 'Switch conditions on' })}`
  return html`<p>They are switched on. Readers find what has a condition where that holds for them.</p>
    ${asking(
      'Switch conditions off',
      html`<form method="post" action="${place.link(action)}" class="review-ask">
        ${hidden({ form, conditions: 'off' })}
        <p>Switch them off? Whatever has a condition is hidden from everybody then, until they are on again.</p>
        <button class="btn danger">Switch them off</button>
      </form>`,
    )}`
}

const example = JSON.stringify(
  {
    type: 'object',
    properties: {
      plan: { type: 'string', enum: ['free', 'pro'] },
      unsigned: { type: 'object', properties: { beta: { type: 'boolean' } } },
    },
  },
  null,
  2,
)

function declaring(place: Place, { path, form, access: { site }, typed }: ClaimsParts): Html {
  const now = site.adaptive_schema === null ? '' : JSON.stringify(site.adaptive_schema, null, 2)
  const text = typed ?? now
  return html`<form ${writingOver(place.link(`${path}/claims`))} class="fields">
      ${hidden({ form, seen: claimsOf(site) })}
      <label class="field">
        <span>A JSON Schema that declares them</span>
        <textarea name="claims" class="work-code" rows="14" placeholder="${example}">${inField(text)}</textarea>
      </label>
      <div><button class="btn">Save claims</button></div>
    </form>
    <p class="aside">
      For example, <code>plan</code> is one of “free” and “pro”, and <code>beta</code> is true or false. Whatever
      anybody may write into the address themselves stands below <code>unsigned</code>.
      ${site.adaptive_schema === null && 'As long as nothing is declared, conditions may name any claim, and of the address nothing counts.'}
    </p>`
}

/** What somebody has seen when they change it. */
export const claimsOf = ({ adaptive_schema }: { adaptive_schema: unknown }): string => asSeen(adaptive_schema)

function possible({ access: { site } }: ClaimsParts): HtmlValue {
  const templates = templateConditions(schemaOf(site))
  if (templates.length === 0) return undefined
  const items = templates.slice(0, mostShown).map(
    ({ condition, description }) =>
      html`<li>
        <span class="row-main"><code>${condition}</code> <span class="row-more">${description}</span></span>
      </li>`,
  )
  return section(
    'possible',
    'To choose from',
    'Conditions that can be made of these claims. They can be joined by && and ||.',
    rows(items, '', templates.length - items.length),
  )
}
