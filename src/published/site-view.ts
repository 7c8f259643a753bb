import { conditionOf, isShown } from '../audience/snapshots/conditions.ts'
import type { Section, SiteSnapshot, Variant } from '../audience/snapshots/snapshot.ts'
import {
  type Place,
  seesLink,
  variantLike,
  visiblePlaces,
  visibleSections,
  visibleVariants,
} from '../audience/snapshots/structure.ts'
import type { Visitor } from '../audience/visitors/visitor.ts'
import type { App } from '../http/routes.ts'
import { openToAgents } from './agents/address.ts'
import { lookAsShown } from '../sites/customization/customization.ts'
import type { ContentReference, Customization, Look } from '../sites/customization/schema.ts'
import { addressNow } from '../sites/pictures/present.ts'
import { type LinkRow, type ShownSection, isGroup, isLink } from '../sites/structure/structure.ts'
import { firstFile } from './look/fonts.ts'
import { emojiOf } from './icons/emoji.ts'
import type { Footer, HeaderLink, SectionItem, SiteView, Themed } from './frame/view.ts'
import { iconNamed } from './icons/icons.ts'
import { pathTo } from './links.ts'
import { OwnFont, chosenFont } from './look/own-fonts.ts'
import { type References, loadReferences } from './references.ts'
import { socialLinks } from './icons/social.ts'
import { languageOf, titleAt } from './site-title.ts'
import { isExternal } from './surroundings.ts'
import { lookAttributes } from './look/theme.ts'
import { wordsFor } from './words/words.ts'

/** Where a reader is on a site, and where the site begins for them. */
export interface Whereabouts {
  snapshot: SiteSnapshot
  visitor: Visitor
  place: Place
  /** Where the site begins, with a slash at its end. */
  base: string
  isPreview: boolean
}

/** Returns the frame around every page of a site, as far as this visitor may see it. */
export async function viewSite(app: App, where: Whereabouts): Promise<SiteView> {
  const { snapshot, visitor, place, base } = where
  const look = lookAsShown(snapshot.site.customization, place.variant.customization)
  const leadsTo = await loadReferences(app, where, base, linksIn(look))
  const style = app.looks.styleSheet(snapshot.fonts, snapshot.site.customization, place.variant.customization)
  const asset = (name: string) => `${base}~/assets/${app.looks.path(name)}`
  const language = languageOf(place, look)
  const now = (address: string) => addressNow(app, (id) => snapshot.pictures.has(id), address)
  const { logo } = look.header
  return {
    title: titleAt(snapshot, place, look),
    home: base,
    ...(logo && { logo: eachOf(logo, now) }),
    language,
    words: wordsFor(language),
    look: {
      attributes: lookAttributes(look.styling, look.header.preset),
      themeToggle: look.themes.toggeable,
      defaultTheme: look.themes.default,
      headless: look.header.preset === 'none',
      pagination: look.pagination.enabled,
      copyPage: look.pageActions.markdown,
      ...(look.pageActions.items.includes('mcp') && { mcp: openToAgents(app, snapshot) }),
      newTabs: look.externalLinks.target === 'blank',
    },
    asset,
    diagrams: `${base}~/assets/${app.looks.diagrams}`,
    stylesheet: `${base}~/assets/${style}`,
    favicon: faviconOf(look, now) ?? { light: asset('favicon.svg') },
    ...(look.socialPreview.url !== undefined && { picture: now(look.socialPreview.url) }),
    font: fontEarly(chosenFont(snapshot.fonts, look.styling.font), base, asset),
    headerLinks: headerLinks(look, visitor, leadsTo),
    headerSocial: socialLinks(look, 'header'),
    footer: footerOf(look, leadsTo, now),
    ...announced(where, look, leadsTo),
    sections: sectionItems(where),
    variants: variantChoices(where),
    search: searchFrom(where, place),
    ...(snapshot.site.visibility === 'visitor-auth' && { signOut: `${base}~/auth/logout` }),
  }
}

/** Returns the address of the font file that a page of text certainly needs. */
function fontEarly(chosen: unknown, base: string, asset: (name: string) => string): string {
  if (chosen instanceof OwnFont && chosen.first !== undefined) return `${base}~/assets/${chosen.first}`
  return asset(firstFile(chosen) ?? 'inter-latin-opsz-normal.woff2')
}

/** Returns how to search from a place, or from none. If there are several places, it determines what is searched. */
export function searchFrom(
  { snapshot, visitor, base }: Pick<Whereabouts, 'snapshot' | 'visitor' | 'base'>,
  place: Place | undefined,
): SiteView['search'] {
  const isOneOfMany = visiblePlaces(snapshot, visitor).length > 1
  const at = isOneOfMany ? place?.variant.row.id : undefined
  const query = at === undefined ? '' : `?at=${at}`
  return {
    page: `${base}~/search`,
    link: `${base}~/search${query}`,
    answers: `${base}~/search.json${query}`,
    at,
    scopes: visibleSections(snapshot, visitor).map(({ row }) => ({ id: row.id, title: row.title })),
  }
}

type Now = (address: string) => string

const eachOf = ({ light, dark }: Required<Themed>, now: Now): Themed => ({ light: now(light), dark: now(dark) })

/** An emoji is turned into a picture of itself. */
function faviconOf({ favicon: { icon, emoji } }: Customization, now: Now): Themed | undefined {
  if (icon) return eachOf(icon, now)
  if (emoji === undefined) return undefined
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${emojiOf(emoji)}</text></svg>`
  return { light: `data:image/svg+xml,${encodeURIComponent(drawing)}` }
}

function linksIn({ header, footer, announcement }: Customization): (ContentReference | null | undefined)[] {
  return [
    ...header.links.flatMap(({ to, links }) => [to, ...links.map((link) => link.to)]),
    ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
    header.primaryLink?.to,
    announcement?.link?.to,
  ]
}

/** Leaves out links that lead nowhere for this visitor. */
function headerLinks({ header }: Customization, { scope }: Visitor, leadsTo: References): HeaderLink[] {
  const shown = header.links.filter(
    ({ condition }) => condition === undefined || isShown(conditionOf(condition), scope),
  )
  const usual = shown.flatMap(({ title, style, to, links }): HeaderLink[] => {
    const below = reachable(links, leadsTo)
    const href = leadsTo(to)
    return href === undefined && below.length === 0 ? [] : [{ title, href, look: style ?? 'link', links: below }]
  })
  const first = header.primaryLink ? reachable([header.primaryLink], leadsTo) : []
  return [...usual, ...first.map((link): HeaderLink => ({ ...link, look: 'button-primary', links: [] }))]
}

function footerOf(look: Look, leadsTo: References, now: Now): Footer {
  const { footer, privacyPolicy } = look
  return {
    ...(footer.logo && { logo: eachOf(footer.logo, now) }),
    // A group in which this reader sees nothing is left out.
    groups: footer.groups
      .map(({ title, links }) => ({ title, links: reachable(links, leadsTo) }))
      .filter(({ links }) => links.length > 0),
    ...(footer.copyright !== undefined && { copyright: footer.copyright }),
    ...(privacyPolicy.url !== undefined && { privacy: privacyPolicy.url }),
    social: socialLinks(look, 'footer'),
  }
}

/**
 * Returns the announcement of a site to all of its readers. A preview announces that it is one, so that nobody takes it
 * for the site.
 */
function announced(
  { snapshot, place, base, isPreview }: Whereabouts,
  look: Customization,
  leadsTo: References,
): Pick<SiteView, 'announcement'> {
  if (isPreview) {
    const words = wordsFor(languageOf(place, look))
    const leave = { title: words.leavePreview, href: `${base}~/auth/logout` }
    const { draft } = snapshot
    const back = draft?.reviewUrl === undefined ? [] : [{ title: words.backToReview, href: draft.reviewUrl }]
    const message = draft ? `${words.preview} #${draft.number} ${draft.subject}`.trim() : words.preview
    return { announcement: { message, tone: 'warning', links: [...back, leave] } }
  }
  if (!look.announcement?.enabled) return {}
  const { message, style, link } = look.announcement
  const href = leadsTo(link?.to)
  const links = link && href !== undefined ? [{ title: link.title, href }] : []
  return { announcement: { message, tone: style, links } }
}

function reachable(links: readonly { title: string; to: ContentReference }[], leadsTo: References) {
  return links.flatMap(({ title, to }) => {
    const href = leadsTo(to)
    return href === undefined ? [] : [{ title, href }]
  })
}

/** Returns sections and links in their order. Those in a group are placed where the group is. */
function sectionItems({ snapshot, visitor, place, base }: Whereabouts): SectionItem[] {
  const visible = new Map(visibleSections(snapshot, visitor).map((section) => [section.row.id, section]))
  const itemOf = (section: Section): SectionItem => {
    const variant = variantLike(section.variants, visitor, place.variant)!
    const href = base + pathTo(snapshot, visitor, { section, variant })
    return { ...saidOf(section.row), href, current: section === place.section }
  }
  const linkOf = (link: LinkRow): SectionItem => ({
    ...saidOf(link),
    href: link.url,
    current: false,
    external: isExternal(link.url, base),
  })
  const shownOf = (item: ShownSection | LinkRow): SectionItem[] => {
    if (isLink(item)) return seesLink(item, visitor) ? [linkOf(item)] : []
    return visible.has(item.id) ? [itemOf(visible.get(item.id)!)] : []
  }
  return snapshot.structure.top.flatMap((item): SectionItem[] => {
    if (!isGroup(item)) return shownOf(item)
    const items = item.children.flatMap(shownOf)
    const [first] = items
    if (!first) return []
    const icon = iconNamed(item.icon ?? undefined)
    const current = items.some((each) => each.current)
    return [{ title: item.title, href: first.href, current, ...(icon && { icon }), items }]
  })
}

function saidOf({ title, description, icon }: ShownSection | LinkRow) {
  const drawn = iconNamed(icon ?? undefined)
  return { title, ...(description !== null && { description }), ...(drawn && { icon: drawn }) }
}

function variantChoices({ snapshot, visitor, place, base }: Whereabouts) {
  const level = place.section?.variants ?? snapshot.root
  return visibleVariants(level, visitor).map((variant: Variant) => ({
    title: variant.title,
    href: base + pathTo(snapshot, visitor, { section: place.section, variant }),
    current: variant === place.variant,
  }))
}
