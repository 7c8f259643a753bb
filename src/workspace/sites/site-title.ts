import { conflict } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'
import { iconNamed } from '../../published/icons/icons.ts'
import { shortened } from '../../shortened.ts'

export const shortestTitle = 2
export const longestTitle = 128
export const longestMenu = 100
export const longestPath = 100
export const longestIcon = 50

/** What somebody typed, if a site can be called so. */
export const siteTitleIn = (text: string) => titleIn(text, 'A site', shortestTitle, longestTitle)

export const sectionTitleIn = (text: string) => titleIn(text, 'A section', shortestTitle, longestTitle)

export const linkTitleIn = (text: string) => titleIn(text, 'A link', shortestTitle, longestTitle)

export const menuTitleIn = (text: string) => titleIn(text, 'A menu', 1, longestMenu)

/** A space can do without one of its own in a site. */
export const spaceTitleIn = (text: string) => (text === '' ? null : titleIn(text, 'A space', 1, longestTitle))

export const versionTitleIn = (text: string) => titleIn(text, 'A version', 1, longestTitle)

function titleIn(text: string, what: string, shortest: number, longest: number): string {
  const { length } = [...text]
  if (length < shortest || length > longest || !formats['one-line']!(text))
    throw conflict(`${what} needs a title of ${shortest} to ${longest} characters.`)
  return text
}

/** The name of an icon, if it is one that we can draw; nothing takes it away. */
export function iconIn(text: string): string | null {
  if (text !== '' && iconNamed(text) === undefined)
    throw conflict(`There is no icon called “${shortened(text, longestIcon)}”. Try book, code or rocket.`)
  return text === '' ? null : text
}

/** What somebody typed, if it has the length of a part of an address. What else it must be, the action says. */
export function pathIn(text: string): string {
  if (text === '' || [...text].length > longestPath) throw conflict(`A path has 1 to ${longestPath} characters.`)
  return text
}
