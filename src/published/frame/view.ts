import type { Html } from '../../content/html/template.ts'
import type { IconName } from '../icons/icons.ts'
import type { Words } from '../words/words.ts'

/**
 * Everything that a page of a site shows around its text. The code that fills it has decided what this reader may see.
 */
export interface SiteView {
  title: string
  /** The address of its start page. */
  home: string
  logo?: Themed
  language: string
  /** The phrases of the frame, in that language. */
  words: Words
  look: Look
  /** Returns the address of a file that pages use. */
  asset: (name: string) => string
  /** The address of the library that draws diagrams. */
  diagrams: string
  /** The address of the style sheet with the site's own colours. */
  stylesheet: string
  favicon: Themed
  /** The picture that other sites show for a page without one of its own. */
  picture?: string
  /** The address of the font of its text, to be loaded early. */
  font: string
  headerLinks: HeaderLink[]
  /** Accounts on other platforms that the header shows. */
  headerSocial: SocialLink[]
  footer: Footer
  announcement?: Announcement
  sections: SectionItem[]
  variants: Choice[]
  search: Search
  /** The address for signing out, for readers who signed in. */
  signOut?: string
}

export interface Search {
  /** The address of the page of results, for a form. */
  page: string
  /** The same with the place of this page, for a link. */
  link: string
  /** The address that the script queries, with the place of this page. */
  answers: string
  /** The id of the place that is searched first, if it matters. */
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
  /**
   * Whether there is no header on screens where the tree of pages is beside the text: the tree then has everything that
   * would be in the header.
   */
  headless: boolean
  pagination: boolean
  copyPage: boolean
  /** The address for assistants, if pages should show it. */
  mcp?: string
  /** Whether links out of the site open in a new tab. */
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
  /** Whether it leads out of the site. */
  external?: boolean
  /** For a group: its items. */
  items?: SectionItem[]
}

export interface HeaderLink {
  title: string
  /** The name for screen readers, if the title says nothing. */
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
  /** Whether it is the current page, or on the way to it. */
  open: boolean
  /** What is below it, created on access: of a large tree, a page shows only a few branches. */
  readonly items: readonly NavItem[]
  readonly hasItems: boolean
  /** Whether it is a heading above the pages below it, and not a page itself. */
  group: boolean
}

/** `place` is how far down in the picture its frame is, in percent; without it, the frame is in the middle. */
export interface Picture {
  src: string
  place?: number
}

/** A hero is as wide as the text, a full cover as wide as everything beside the menu. */
export interface Cover {
  light: Picture
  dark?: Picture
  size: 'hero' | 'full'
}

export interface PageView {
  site: SiteView
  title: string
  description?: string
  /** What is said about the page elsewhere: its description, or else the beginning of its text. */
  summary?: string
  emoji?: string
  icon?: IconName
  cover?: Cover
  canonical: string
  /** The page in other languages, including its own. */
  alternates: { language: string; href: string }[]
  /** What readers of other languages are offered instead of this page. */
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
  /** If set, readers are asked whether the page helps: where the answer is sent, and which page it is about. */
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
