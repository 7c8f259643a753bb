import type { Fields } from '../../account/forms.ts'
import { wantedIn } from '../overtaken.ts'
import type { Named } from './site.parts.ts'
import { pathIn } from './site-title.ts'

/** The title of a part of a site and its part of the address, which are changed with one form. */

/**
 * Returns what to keep of the form. Fields that the user did not change are left out, because their value may be a
 * different one by now.
 */
export function keptIn(fields: Fields): Named {
  const { title, path } = typedIn(fields)
  return { ...(title !== fields.seenTitle && { title }), ...(path !== fields.seenPath && { path }) }
}

/** Returns which of the two are to be changed. `titleIn` validates a title. */
export function changesIn<Title>(
  fields: Fields,
  now: { title: string; path: string },
  titleIn: (text: string) => Title,
): { title?: Title; path?: string } {
  const typed = typedIn(fields)
  const title = wantedIn(typed.title, { seen: fields.seenTitle, now: now.title, isNow: isRenamed })
  const path = wantedIn(typed.path, { seen: fields.seenPath, now: now.path, isNow: isElsewhere })
  return {
    ...(title !== undefined && { title: titleIn(title) }),
    ...(path !== undefined && { path: pathIn(path) }),
  }
}

const typedIn = ({ title = '', path = '' }: Fields) => ({ title: title.trim(), path: path.trim() })

export const isRenamed = (now: string) => (now === '' ? 'removed its title' : `renamed it to “${now}”`)

export const isElsewhere = (now: string) => `changed its path to “${now}”`
