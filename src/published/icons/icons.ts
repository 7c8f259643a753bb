import { type Html, html, trusted } from '../../content/html/template.ts'
import { authorPaths } from './author-icons.ts'
import { iconNames } from './icon-names.ts'
import { socialPaths } from './social-icons.ts'

/** The icons of the frame and of the blocks: strokes of one weight in a box of 24. */
const paths = {
  menu: 'M4 7h16M4 12h16M4 17h10',
  chev: 'm9.5 6 6 6-6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM20 20l-4-4',
  moon: 'M20 13.6A8 8 0 1 1 10.4 4a6.4 6.4 0 0 0 9.6 9.6Z',
  sun: 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1',
  code: 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5',
  terminal:
    'M5 5h14a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 5 5ZM7.5 10l2.5 2.5L7.5 15M12.5 15H16',
  server:
    'M5.5 4.5h13A1.5 1.5 0 0 1 20 6v3.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 9.5V6a1.5 1.5 0 0 1 1.5-1.5ZM5.5 13h13a1.5 1.5 0 0 1 1.5 1.5V18a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18v-3.5A1.5 1.5 0 0 1 5.5 13ZM7.5 7.75v.01M7.5 16.25v.01',
  x: 'M6 6l12 12M18 6 6 18',
  book: 'M12 7c-2-1.7-4.7-2.3-8-2v13c3.3-.3 6 .3 8 2 2-1.7 4.7-2.3 8-2V5c-3.3-.3-6 .3-8 2ZM12 7v13',
  layers: 'm12 4 8.5 4.5L12 13 3.5 8.5 12 4ZM4 12.5l8 4.25 8-4.25M4 16l8 4.25L20 16',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2',
  copy: 'M9.5 8.5h8a1.5 1.5 0 0 1 1.5 1.5v8.5a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 8 18.5V10a1.5 1.5 0 0 1 1.5-1.5ZM5 15.5V6a2 2 0 0 1 2-2h8',
  page: 'M7 3.5h7l4.5 4.5v11A1.5 1.5 0 0 1 17 20.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5ZM14 3.5V8h4.5M9 12.5h6M9 16h4',
  down: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  edit: 'M5 19l.8-4L15.5 5.3a1.8 1.8 0 0 1 2.6 0l.6.6a1.8 1.8 0 0 1 0 2.6L9 18.2 5 19ZM14 7l3 3',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v5M12 8v.01',
  out: 'M8 16 17 7M9.5 7H17v7.5',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c2.4 2.3 3.5 5.2 3.5 8.5s-1.1 6.2-3.5 8.5c-2.4-2.3-3.5-5.2-3.5-8.5s1.1-6.2 3.5-8.5Z',
  link: 'M10 13.5a4 4 0 0 0 5.7.3l3-3a4 4 0 0 0-5.6-5.7l-1.3 1.2M14 10.5a4 4 0 0 0-5.7-.3l-3 3a4 4 0 0 0 5.6 5.7l1.3-1.2',
  key: 'M8 11a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11.3 12.5 19.5 4.5M16 8l3 3',
  lock: 'M6.5 10.5h11A1.5 1.5 0 0 1 19 12v6.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 18.5V12a1.5 1.5 0 0 1 1.5-1.5ZM8 10.5V8a4 4 0 0 1 8 0v2.5',
  success: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM8.5 12.3l2.5 2.5 4.5-5',
  warning: 'M12 4.5 3.5 19a.6.6 0 0 0 .5.9h16a.6.6 0 0 0 .5-.9L12 4.5ZM12 10.5v4M12 17v.01',
  danger: 'M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7l5-5ZM12 8v5M12 16v.01',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  play: 'M8 5.5v13l11-6.5-11-6.5Z',
  up: 'M7.5 20.5V11l4-7.5c1.7 0 2.5 1.2 2.2 2.7L13 9.5h5.5c1.2 0 2 1 1.7 2.2l-1.5 6.5c-.3 1.4-1.2 2.3-2.6 2.3H7.5ZM7.5 11H4v9.5h3.5',
  dn: 'M16.5 3.5V13l-4 7.5c-1.7 0-2.5-1.2-2.2-2.7l.7-3.3H5.5c-1.2 0-2-1-1.7-2.2l1.5-6.5c.3-1.4 1.2-2.3 2.6-2.3h8.6ZM16.5 13H20V3.5h-3.5',
  rss: 'M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14M6 18v.01',
  screen: 'M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 16H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5ZM9 20h6',
  hash: 'M5 9h14.5M4.5 15H19M10 4 8 20M16 4l-2 16',
  enter: 'M19 6v5a3 3 0 0 1-3 3H5M9 9.5 4.5 14 9 18.5',
  branch:
    'M7 4.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM7 15.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM17 6.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM7 8.5v7M17 10.5c0 3-4 3.5-10 4',
  users:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM3 19.5c.4-3.3 2.7-5 6-5s5.6 1.7 6 5M15.5 5.4a3.5 3.5 0 0 1 0 6.2M17.5 15c2 .6 3.2 2.1 3.5 4.5',
  palette:
    'M12 3.5a8.5 8.5 0 1 0 0 17c1.5 0 2-1 1.5-2.2-.6-1.5.3-2.8 2-2.8h2.2c1.8 0 2.8-1.2 2.8-3.2 0-5-3.8-8.8-8.5-8.8ZM8 9.5v.01M12 7.5v.01M16 9.5v.01M7.5 13.5v.01',
  spark: 'M12 3.5c.6 4.7 3.3 7.4 8 8-4.7.6-7.4 3.3-8 8-.6-4.7-3.3-7.4-8-8 4.7-.6 7.4-3.3 8-8Z',
  ...authorPaths,
  ...socialPaths,
} as const

export type IconName = keyof typeof paths

/** The icons that one page uses: each is defined once, and shown by reference. */
export class Icons {
  readonly #used = new Set<IconName>()

  /** With the look `flip`, the icon is mirrored where text runs from right to left. */
  draw(name: IconName, look = ''): Html {
    this.#used.add(name)
    return html`<svg class="${look === '' ? 'i' : `i ${look}`}" aria-hidden="true"><use href="#i-${name}" /></svg>`
  }

  /** Adds icons that the script draws itself. */
  need(...names: IconName[]): void {
    for (const name of names) this.#used.add(name)
  }

  sprite(): Html {
    const symbols = [...this.#used].map(
      (name) => `<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${paths[name]}"/></symbol>`,
    )
    return trusted(`<svg width="0" height="0" class="sr" aria-hidden="true">${symbols.join('')}</svg>`)
  }
}

/** Returns the path of an icon, for drawing it without HTML. */
export const strokesOf = (name: IconName): string => paths[name]

export function iconNamed(name: string | undefined): IconName | undefined {
  if (name === undefined) return undefined
  return Object.hasOwn(iconNames, name) ? iconNames[name] : Object.hasOwn(paths, name) ? (name as IconName) : undefined
}
