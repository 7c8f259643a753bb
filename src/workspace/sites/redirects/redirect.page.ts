import { pathWith } from '../../../account/answer.ts'
import { hidden, writingOver } from '../../../account/parts.ts'
import type { SiteRedirectRow } from '../../../db/tables.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import type { ShownSpace } from '../../../sites/structure/structure.ts'
import { type BelowSite, belowSite } from '../below-site.ts'
import { type TypedRedirect, redirectFields } from './fields.ts'
import type { Said } from '../../said.ts'

interface RedirectParts extends BelowSite, Said {
  row: SiteRedirectRow
  /** The redirect as the form shows it. The target is empty if a form cannot name it. */
  now: TypedRedirect
  spaces: ShownSpace[]
  typed?: TypedRedirect
}

/** The form for changing a redirect. */
export function redirectPage(place: Place, parts: RedirectParts): Html {
  const { path, form, row, now, spaces, typed } = parts
  const drafts = row.draft ? 'on' : undefined
  const seen = { seen: row.updated_at.toISOString(), seenSource: now.source, seenTo: now.to, seenSpace: now.space }
  return belowSite(
    place,
    parts,
    row.draft ? 'Draft of a redirect' : 'Redirect',
    html`<form ${writingOver(place.link(`${path}/redirects/${row.id}`))} class="fields">
        ${hidden({ form, drafts, ...seen })} ${redirectFields(spaces, typed ?? now, now.to === '')}
        ${
          now.to === '' &&
          html`<p class="aside">
            It leads to a section, or to a page that no longer exists. Leave the target empty to keep it.
          </p>`
        }
        <div><button class="btn primary">Save redirect</button></div>
      </form>
      <p class="aside work-more">
        <a href="${place.link(pathWith(`${path}/redirects`, { drafts }))}">All redirects</a>
      </p>`,
  )
}
