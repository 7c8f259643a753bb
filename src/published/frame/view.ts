import type { Html } from '../../content/html/template.ts'
import type { IconName } from '../icons/icons.ts'
import type { Words } from '../words/words.ts'

/** Everything that a page of a site shows around its text. Whoever fills it has decided what this reader may see. */
export interface SiteView {
  title: string
  /** The address of its start page. */
  home: string
  logo?: Themed
  language: string
  /** Of the frame, in that language. */
  words: Words
  look: Look
  /** Where the files of the pages lie. */
  asset: (name: string) => string
  /** The library that draws diagrams. */
  diagrams: string
  /** The style sheet with the site's own colours. */
  stylesheet: string
  favicon: Themed
  /** What other sites show for a page that has no picture of its own. */
  picture?: string
  /** The font of its text, to be there early. */
  font: string
  headerLinks: HeaderLink[]
  /** Accounts elsewhere that the header shows. */
  headerSocial: SocialLink[]
  footer: Footer
  announcement?: Announcement
  sections: SectionItem[]
  variants: Choice[]
  search: Search
  /** Readers who signed in can leave again. */
  signOut?: string
}

export interface Search {
  /** The page of results, for a form. */
  page: string
  /** The same from here, for a link. */
  link: string
  /** Where the script asks, from here. */
  answers: string
  /** The place that is searched first, if it matters. */
  at: string | undefined
  scopes: { id: string; title: string }[]
}

export interface Themed {
  light: string
  dark?: string
}

export interface Look {
  /** Attributes of the root element, for the style sheet. */
  attributes: Record<string, string | boolean | undefined>
  themeToggle: boolean
  defaultTheme: 'light' | 'dark' | 'system'
  /** Whether there is no header where the tree of pages stands beside the text: it has what would be in there. */
  headless: boolean
  pagination: boolean
  copyPage: boolean
  /** Where assistants ask this site, if pages are to say so. */
  mcp?: string
  /** Whether links out of the site open beside it. */
  newTabs: boolean
}

export interface Choice {
  title: string
  href: string
  current: boolean
}

export interface SectionItem extends Choice {
  icon?: IconName
  emoji?: string
  description?: string
  /** Out of the site. */
  external?: boolean
  /** Of a group: what is in it. */
  items?: SectionItem[]
}

export interface HeaderLink {
  title: string
  /** What it is called where its title says nothing. */
  label?: string
  href?: string
  look: 'link' | 'button-primary' | 'button-secondary'
  links: { title: string; href: string }[]
}

export interface Footer {
  logo?: Themed
  groups: { title: string; links: { title: string; href: string }[] }[]
  copyright?: string
  privacy?: string
  social: SocialLink[]
}

export interface SocialLink {
  title: string
  href: string
  icon: IconName
}

export interface Announcement {
  message: string
  tone: 'info' | 'warning' | 'danger' | 'success'
  links: readonly { title: string; href: string }[]
}

export interface NavItem {
  title: string
  href?: string
  emoji?: string
  icon?: IconName
  external?: boolean
  current: boolean
  /** It is on the way to the current page, or it is it. */
  open: boolean
  /** What is below it, made when it is asked for: of a large tree, a page shows a few branches. */
  readonly items: readonly NavItem[]
  readonly hasItems: boolean
  /** A heading over the pages below it, no page of its own. */
  group: boolean
}

/** `place` is how far down in the picture its frame is, in percent; without one it is in the middle. */
export interface Picture {
  src: string
  place?: number
}

/** A hero is as wide as the text, the other as all that is beside the menu. */
export interface Cover {
  light: Picture
  dark?: Picture
  size: 'hero' | 'full'
}

export interface PageView {
  site: SiteView
  title: string
  description?: string
  /** What is told of it elsewhere: its description, or else how its text begins. */
  summary?: string
  emoji?: string
  icon?: IconName
  cover?: Cover
  canonical: string
  /** What the page is in other languages, itself included. */
  alternates: { language: string; href: string }[]
  /** What readers of other languages are offered instead. */
  offers: { language: string; href: string }[]
  noIndex: boolean
  picture?: string
  nav: NavItem[]
  crumbs: { title: string; href?: string }[]
  outline: { anchor: string; title: string; level: number }[]
  article: Html
  previous?: { title: string; href: string }
  next?: { title: string; href: string }
  updatedAt?: Date
  markdown?: string
  pdf?: string
  feed?: string
  /** Where the file of the page can be edited, in its repository. */
  edit?: string
  /** Set: readers are asked whether the page helps. Where the answer goes, and which page it is about. */
  rating?: { action: string; at: string; page: string }
  needs: ReadonlySet<'diagrams' | 'math'>
  layout: {
    title: boolean
    description: boolean
    outline: boolean
    tableOfContents: boolean
    pagination: boolean
    metadata: boolean
    cover: boolean
    wide: boolean
  }
}
