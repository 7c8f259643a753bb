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
  /** What the user typed before it was refused. */
  typed?: string
}

const mostShown = 100

/** What a site knows about its readers, and whether conditions apply. */
export const claimsPage = (place: Place, parts: ClaimsParts): Html =>
  belowSite(
    place,
    parts,
    'Content for some readers',
    html`<p class="aside">
        A section, a space, a page or a part of a page can have a condition, such as
        <code>visitor.claims.plan == "pro"</code>. What the site knows about a reader is called a claim. Claims are
        signed by your own service or come with the address. To set this up, see <code>docs/site-settings.md</code>.
      </p>
      ${section('conditions', 'Conditions', 'Turn conditions on or off.', switching(place, parts))}
      ${section('claims', 'Claims', 'What conditions can refer to.', declaring(place, parts))} ${possible(parts)}`,
  )

function switching(place: Place, { path, form, access: { site } }: ClaimsParts): Html {
  const action = `${path}/claims/switch`
  if (!site.adaptive_enabled)
    return html`<p>Conditions are off. Anything that has one is hidden from everyone.</p>
      ${buttonForm(place, { action, fields: { form, conditions: 'on' }, label: 'Turn on conditions' })}`
  return html`<p>Conditions are on. Readers see content with a condition only if they meet it.</p>
    ${asking(
      'Turn off conditions',
      html`<form method="post" action="${place.link(action)}" class="review-ask">
        ${hidden({ form, conditions: 'off' })}
        <p>Turn off conditions? Anything that has one is then hidden from everyone until you turn them on again.</p>
        <button class="btn danger">Turn off</button>
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
      For example, <code>plan</code> is one of “free” and “pro”, and <code>beta</code> is true or false. Claims that
      anyone can write into the address go below <code>unsigned</code>.
      ${site.adaptive_schema === null && 'As long as nothing is declared, conditions can use any claim, and claims in the address are ignored.'}
    </p>`
}

/** Identifies the claims that the user had seen when they changed them. */
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
    'Examples',
    'Conditions you can build from these claims. Combine them with && and ||.',
    rows(items, '', templates.length - items.length),
  )
}
