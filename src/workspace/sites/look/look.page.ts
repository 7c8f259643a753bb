import { appPath } from '../../../app-path.ts'
import { organizationRights } from '../../../access/rights.ts'
import { hidden, section, writingOver } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../../http/html.ts'
import type { FontRow } from '../../../sites/fonts/queries.ts'
import { isOpen } from '../audiences.ts'
import { type BelowSite, belowSite } from '../below-site.ts'
import type { Said } from '../../said.ts'
import { type FontField, fontOptions, options } from './fonts.ts'
import { type LinkRow, type LookForm, marksOf, modes, mostLinks, standard } from './look.form.ts'

interface LookParts extends BelowSite, Said {
  /** The current settings. */
  now: LookForm
  /** The same, with what the user typed before it was refused. */
  look: LookForm
  /** How many links there are in addition to those in the form. */
  moreLinks: number
  /** The fonts of the organization. */
  fonts: FontRow[]
  /** Where readers find the site. */
  address: string
  hasSpaces: boolean
  /** Whether this server counts what readers do. */
  isCounting: boolean
}

/** How a site looks: the settings that most people change. */
export function lookPage(place: Place, parts: LookParts): Html {
  const { path, form, now, look } = parts
  return belowSite(
    place,
    parts,
    'Look',
    html`<div class="work-head">
        <p class="aside">Readers see changes as soon as you save.</p>
        ${seeing(place, parts)}
      </div>
      <form ${writingOver(place.link(`${path}/look`))}>
        ${hidden({ form, seen: marksOf(now) })}
        ${section('theme', 'Theme', 'How much colour there is.', themesOf(look))}
        ${section('colours', 'Colour', 'For links, buttons and the current page.', coloursOf(parts))}
        ${section('type', 'Shape and font', 'Fonts are served from this server; readers’ browsers contact no other.', typeOf(place, parts))}
        ${section('modes', 'Light or dark', 'Every theme has both.', modeOf(look))}
        ${section('logo', 'Logo and icon', 'Uploaded here, or at an address on the web.', picturesOf(place, parts))}
        ${section('header', 'Header', 'Links at the top of every page.', linksOf(parts))}
        ${section('footer', 'Footer', 'At the end of every page.', footerOf(look))}
        ${section('copies', 'Downloads', 'What readers can download or copy.', copiesOf(look))}
        ${section('asking', 'Feedback', 'What readers are asked about a page.', askingOf(place, parts))}
        <div class="work-save"><button class="btn primary">Save look</button></div>
      </form>`,
  )
}

/** A site that everybody can read needs no preview. */
function seeing(place: Place, { path, rights, access, address, hasSpaces }: LookParts): HtmlValue {
  if (!hasSpaces) return undefined
  if (isOpen(access.site)) return html`<a class="btn" href="${address}">View as a reader</a>`
  return rights.secrets && html`<a class="btn" href="${place.link(`${path}/preview`)}">Preview as a reader</a>`
}

const themes = {
  clean: 'Quiet: black on white, or white on black.',
  muted: 'Greys tinted with the colour.',
  bold: 'The header is filled with the colour.',
  gradient: 'The top of each page fades into the background.',
}

const themesOf = ({ theme }: LookForm) =>
  html`<ul class="rows" role="list">
    ${Object.entries(themes).map(
      ([word, means]) =>
        html`<li>
          <label class="choice">
            <input type="radio" name="theme" value="${word}" ${word === theme && html`checked`} />
            <span class="row-main">
              <strong>${titled(word)}</strong>
              <span class="row-more">${means}</span>
            </span>
          </label>
        </li>`,
    )}
  </ul>`

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function coloursOf({ now, look }: LookParts): Html {
  const isStandard = now.light === standard.light && now.dark === standard.dark
  return html`<div class="work-pair">
      ${colour('light', 'On light pages', look.light)} ${colour('dark', 'On dark pages', look.dark)}
    </div>
    ${
      isStandard
        ? html`<p class="aside">These are the defaults.</p>`
        : html`<label class="choice">
            <input type="checkbox" name="standard" value="on" />
            <span>Reset to the defaults</span>
          </label>`
    }`
}

const colour = (name: string, label: string, value: string) =>
  html`<label class="field"><span>${label}</span><input type="color" name="${name}" value="${value}" /></label>`

const typeOf = (place: Place, { look, fonts, organization, access }: LookParts) =>
  html`<div class="work-pair">
      <label class="field">
        <span>Corners</span>
        <select name="corners">
          ${options({ straight: 'Straight', rounded: 'Rounded', circular: 'Round' }, look.corners)}
        </select>
      </label>
      ${fontField('font', 'Font', look, fonts)} ${fontField('headingFont', 'Font of headings', look, fonts)}
      ${fontField('codeFont', 'Font of code', look, fonts)}
    </div>
    ${
      organizationRights(access.membership).createContent &&
      html`<p class="aside work-more">
        <a href="${place.link(`${appPath.organization(organization.id)}/fonts`)}">Your own fonts</a> are uploaded on a
        separate page, for all sites. Save your changes here first.
      </p>`
    }`

const fontField = (name: FontField, label: string, look: LookForm, fonts: readonly FontRow[]) =>
  html`<label class="field">
    <span>${label}</span>
    <select name="${name}">
      ${fontOptions(fonts, name, look[name])}
    </select>
  </label>`

const modeOf = ({ mode }: LookForm) =>
  html`<label class="field">
    <span>What readers see</span>
    <select name="mode">
      ${options(modes, mode)}
    </select>
  </label>`

const picturesOf = (place: Place, { path, look: { logo, logoDark, icon, iconDark } }: LookParts) =>
  html`<p><a class="btn" href="${place.link(`${path}/pictures`)}">Upload a logo or an icon</a></p>
    <div class="work-pair">
      ${text('logo', 'Logo', logo, 'https://')}
      ${text('logoDark', 'Logo on dark pages, if different', logoDark, 'https://')}
      ${text('icon', 'Browser tab icon: an emoji or an address', icon)}
      ${text('iconDark', 'Icon on dark pages, if different', iconDark, 'https://')}
    </div>
    <p class="aside">
      Without a logo the site shows its title, without an icon the Lectern sign. Save your changes before you upload
      one.
    </p>`

const text = (name: string, label: string, value: string, placeholder = '') =>
  html`<label class="field">
    <span>${label}</span>
    <input name="${name}" value="${value}" placeholder="${placeholder}" autocomplete="off" />
  </label>`

const noLink: LinkRow = { from: '', title: '', address: '', isFixed: false }

function linksOf({ look: { links }, moreLinks }: LookParts): Html {
  const free = Math.min(Math.max(2, 6 - links.length), mostLinks - links.length)
  return html`<div class="work-lines">${[...links, ...Array.from({ length: free }, () => noLink)].map(lineOf)}</div>
    <p class="aside">
      An address begins with https://, with mailto: or, on this server, with a slash. Empty both fields to take a link
      away. ${moreLinks > 0 && `There are ${moreLinks} more links. They stay as they are; change them through the API.`}
    </p>`
}

function lineOf({ from, title, address, isFixed }: LinkRow, at: number): Html {
  const known = from === '' ? undefined : from
  if (isFixed)
    return html`<p class="work-fixed">
      ${hidden({ [`from-${at}`]: known })}<strong>${title}</strong>
      <span class="row-more">a menu, or a link to content; change it through the API</span>
    </p>`
  return html`<div class="work-line">
    ${hidden({ [`from-${at}`]: known })} ${lineField(`title-${at}`, `Title of link ${at + 1}`, 'Title', title)}
    ${lineField(`address-${at}`, `Address of link ${at + 1}`, 'https://', address)}
  </div>`
}

const lineField = (name: string, label: string, placeholder: string, value: string) =>
  html`<span class="field">
    <input name="${name}" value="${value}" aria-label="${label}" placeholder="${placeholder}" autocomplete="off" />
  </span>`

const footerOf = ({ copyright }: LookForm) =>
  text('copyright', 'Copyright or another line of text', copyright, '© Acme')

const copiesOf = ({ pdf, markdown }: LookForm) =>
  html`${switchOf('pdf', 'PDF of a page or of the whole site', pdf)}
  ${switchOf('markdown', 'Markdown, to copy or open', markdown)}`

const askingOf = (place: Place, { path, look, isCounting }: LookParts) =>
  html`${switchOf('feedback', 'Whether the page was helpful, and what could be better', look.feedback)}
    <p class="aside">
      ${
        isCounting
          ? html`The question is at the end of every page.
              <a href="${place.link(`${path}/insights`)}">Insights</a> shows what they say, and nothing about who says
              it.`
          : 'Counting is turned off on this server, so pages do not ask.'
      }
    </p>`

const switchOf = (name: string, label: string, value: string) =>
  html`<label class="choice">
    <input type="checkbox" name="${name}" value="on" ${value === 'on' && html`checked`} />
    <span>${label}</span>
  </label>`
