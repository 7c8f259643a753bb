import type { Fields } from '../../account/forms.ts'
import { wantedIn } from '../overtaken.ts'
import type { Named } from './site.parts.ts'
import { pathIn } from './site-title.ts'

/** What a part of a site is called, and its part of the address, as one form changes them. */

/** What to keep of the form: what somebody left as it was may be something else by now. */
export function keptIn(fields: Fields): Named {
  const { title, path } = typedIn(fields)
  return { ...(title !== fields.seenTitle && { title }), ...(path !== fields.seenPath && { path }) }
}

/** Of the two, those that are to change; `titleIn` says what a title can be. */
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
