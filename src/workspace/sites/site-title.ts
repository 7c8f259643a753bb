import { conflict } from '../../http/errors.ts'
import { formats } from '../../http/formats.ts'
import { iconNamed } from '../../published/icons/icons.ts'
import { shortened } from '../../shortened.ts'

export const shortestTitle = 2
export const longestTitle = 128
export const longestMenu = 100
export const longestPath = 100
export const longestIcon = 50

/** Returns the title that the user typed. Throws if a site cannot have it. */
export const siteTitleIn = (text: string) => titleIn(text, 'A site', shortestTitle, longestTitle)

export const sectionTitleIn = (text: string) => titleIn(text, 'A section', shortestTitle, longestTitle)

export const linkTitleIn = (text: string) => titleIn(text, 'A link', shortestTitle, longestTitle)

export const menuTitleIn = (text: string) => titleIn(text, 'A menu', 1, longestMenu)

/** A space does not need a title of its own on a site. */
export const spaceTitleIn = (text: string) => (text === '' ? null : titleIn(text, 'A space', 1, longestTitle))

export const versionTitleIn = (text: string) => titleIn(text, 'A version', 1, longestTitle)

function titleIn(text: string, what: string, shortest: number, longest: number): string {
  const { length } = [...text]
  if (length < shortest || length > longest || !formats['one-line']!(text))
    throw conflict(`${what} needs a title of ${shortest} to ${longest} characters.`)
  return text
}

/** Returns the name of an icon, or null to remove the icon. Throws if we have no such icon. */
export function iconIn(text: string): string | null {
  if (text !== '' && iconNamed(text) === undefined)
    throw conflict(`There is no icon called “${shortened(text, longestIcon)}”. Try book, code or rocket.`)
  return text === '' ? null : text
}

/** Returns the path that the user typed if its length is valid. The action checks everything else. */
export function pathIn(text: string): string {
  if (text === '' || [...text].length > longestPath) throw conflict(`A path has 1 to ${longestPath} characters.`)
  return text
}
