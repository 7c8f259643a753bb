import { appPath } from '../../app-path.ts'
import { buttonForm, hidden, section, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import { type Visibility, audiences, isOpen } from './audiences.ts'
import { frame } from '../frame.ts'
import { renamingForm } from '../renaming.page.ts'
import { rows } from '../rows.ts'
import { sectionRows } from './structure/sections.page.ts'
import { isAboutLinks, shareLinksOf } from './share-links/share-links.page.ts'
import { type SiteParts, stateOf } from './site.parts.ts'
import { spacesOf } from './structure/site-spaces.page.ts'
import { longestTitle, shortestTitle } from './site-title.ts'
import { tagOf } from './sites.page.ts'
import { saidOn, tabsOfSite } from '../top.ts'

/** A site: where it is, who can read it and what it shows. Members with the rights to do so can change all of that. */
export function sitePage(place: Place, parts: SiteParts): Html {
  const { organization, rights } = parts
  const { title, published } = parts.seen.site
  const when = published ? 'Takes effect for readers at once.' : 'Takes effect once the site is published.'
  const home = appPath.organization(organization.id)
  return frame(
    place,
    title,
    html`<p class="review-space">
        <a href="${place.link(home)}">${organization.title}</a> › <a href="${place.link(`${home}/sites`)}">Sites</a>
      </p>
      <h1>${title}</h1>
      ${rights.admin && tabsOfSite(place, parts.path)} ${!isAboutLinks(parts) && saidOn(parts)}
      ${standing(place, parts)}
      ${parts.seen.structure.inSections ? sectionsOf(place, parts) : spacesAtRoot(place, parts)}
      ${rights.edit && section('audience', 'Who can read it', when, audienceOf(place, parts))}
      ${
        rights.secrets &&
        parts.seen.site.visibility === 'share-link' &&
        section(
          'secret-links',
          'Secret links',
          'Anyone with a secret link can read the site.',
          shareLinksOf(place, parts),
        )
      }
      ${section('settings', 'Settings', 'More settings of this site.', html`${settings(place, parts)} ${rights.edit && more(place)}`)}
      ${rights.edit && section('site-title', 'Title', 'The name readers see.', naming(place, parts))}
      ${rights.edit && section('delete', 'Delete', 'Its spaces stay.', deleting(place, parts))}`,
    ['copy', 'check'],
  )
}

const found = 'What readers find on the site. Merged changes appear at once.'

const spacesAtRoot = (place: Place, parts: SiteParts) =>
  section(
    'spaces',
    'Spaces',
    found,
    html`${spacesOf(place, parts)}
    ${
      parts.rights.edit &&
      html`<p class="aside work-more">
        To give something its own tab in the header, such as an API reference,
        <a href="${place.link(`${parts.path}/sections`)}">create a section</a> of it.
      </p>`
    }`,
  )

function sectionsOf(place: Place, parts: SiteParts): Html {
  const { path, rights, seen } = parts
  return section(
    'sections',
    'Sections',
    found,
    html`${
      seen.structure.top.length === 0
        ? html`<p class="none">None that you can read.</p>`
        : sectionRows(place, parts, { forms: false })
    }
    ${rights.edit && html`<div><a class="btn" href="${place.link(`${path}/sections`)}">Manage sections</a></div>`}`,
  )
}

/** Whether readers find the site, and where. */
function standing(place: Place, parts: SiteParts): Html {
  const { path, rights, seen } = parts
  const { site, structure } = seen
  const mayPreview = rights.secrets && !isOpen(site) && structure.siteSpaces.length > 0
  return html`<div class="work-standing">
    <div class="work-where">${whereOf(parts)}</div>
    ${rights.publish && !site.published && publishing(place, parts)}
    ${mayPreview && html`<a class="btn" href="${place.link(`${path}/preview`)}">Preview as a reader</a>`}
    ${rights.publish && site.published && hiding(place, parts)}
  </div>`
}

function whereOf({ address, rights, seen: { site } }: SiteParts): Html {
  const who = audiences[site.visibility]
  if (!site.published)
    return html`<p>${tagOf(false)} Nobody can read it yet.</p>
      <p class="row-more">Once it is published, it is for ${who}, at <code>${address}</code></p>`
  if (isOpen(site))
    return html`<p>${tagOf(true)} <a href="${address}">${address}</a></p>
      <p class="row-more">It is for ${who}.</p>`
  const isSecret = site.visibility === 'share-link'
  return html`<p>${tagOf(true)} It is for ${who}.</p>
    ${isSecret && rights.secrets && html`<p class="row-more">The links are below.</p>`}
    ${!isSecret && html`<p class="row-more">At <a href="${address}">${address}</a></p>`}`
}

const publishing = (place: Place, { path, form, seen }: SiteParts) =>
  buttonForm(place, {
    action: `${path}/publish`,
    fields: { form, seen: stateOf(seen.site, seen.structure) },
    label: 'Publish',
    look: 'primary',
  })

const hiding = (place: Place, { path, form }: SiteParts) =>
  asking(
    'Take offline',
    html`<form method="post" action="${place.link(`${path}/unpublish`)}" class="review-ask">
      ${hidden({ form })}
      <p>Take the site offline? Readers cannot open it until you publish it again. Nothing is lost.</p>
      <button class="btn danger">Take offline</button>
    </form>`,
  )

function audienceOf(place: Place, { path, form, seen, visibility }: SiteParts): Html {
  const now = seen.site.visibility
  return html`<form ${writingOver(place.link(`${path}/visibility`))}>
    ${hidden({ form, seen: now })}
    <ul class="rows" role="list">
      ${Object.entries(audiences).map(
        ([word, who]) =>
          html`<li>
            <label class="choice">
              <input type="radio" name="visibility" value="${word}" ${word === (visibility ?? now) && html`checked`} />
              <span class="row-main">
                <strong>For ${who}</strong>
                <span class="row-more">${means(place)[word as Visibility]}</span>
              </span>
            </label>
          </li>`,
      )}
    </ul>
    <button class="btn">Save visibility</button>
  </form>`
}

const means = (place: Place): Record<Visibility, HtmlValue> => ({
  public: 'Search engines may list the site.',
  unlisted: 'Search engines are asked to stay away.',
  'share-link': 'Create and revoke the links on this page.',
  'visitor-auth': html`This requires your own service that identifies readers. To set it up, see
    <code>docs/site-settings.md</code> and the
    <a href="${place.link('/docs/api#updateSitePublishingAuthById')}">API reference</a>. Until then nobody can read the
    site.`,
})

const settingPages = [
  { at: 'look', title: 'Look', about: 'Theme, colour, font, logo, links in the header.', isRead: false },
  { at: 'redirects', title: 'Redirects', about: 'Where old paths lead.', isRead: true },
  { at: 'address', title: 'Address', about: 'Name in the address, and a custom domain.', isRead: false },
  {
    at: 'claims',
    title: 'Content for some readers',
    about: 'Claims about readers, and conditions.',
    isRead: false,
  },
]

const settings = (place: Place, { path, rights }: SiteParts) =>
  rows(
    settingPages
      .filter(({ isRead }) => rights.edit || isRead)
      .map(
        ({ at, title, about }) =>
          html`<li>
            <span class="row-main">
              <a href="${place.link(`${path}/${at}`)}"><strong>${title}</strong></a>
              <span class="row-more">${about}</span>
            </span>
          </li>`,
      ),
    '',
  )

const naming = (place: Place, { path, form, seen: { site }, title }: SiteParts) =>
  renamingForm(place, {
    action: `${path}/title`,
    form,
    now: site.title,
    typed: title,
    shortest: shortestTitle,
    longest: longestTitle,
  })

const deleting = (place: Place, { path, form, seen: { site } }: SiteParts) =>
  asking(
    'Delete this site',
    html`<form ${writingOver(place.link(`${path}/delete`))} class="review-ask">
      ${hidden({ form, seen: String(site.published) })}
      <p>
        Delete “${site.title}”, with its settings, looks, redirects and secret links?
        ${site.published && 'Readers can no longer open it. '}This cannot be undone. Its spaces and their content stay.
      </p>
      <button class="btn danger">Delete site</button>
    </form>`,
  )

const more = (place: Place) =>
  html`<p class="aside work-more">
    The API can do more: previews for a certain reader, menu icons, looks for single spaces. See
    <code>docs/site-settings.md</code> and the <a href="${place.link('/docs/api#updateSiteById')}">API reference</a>.
  </p>`
