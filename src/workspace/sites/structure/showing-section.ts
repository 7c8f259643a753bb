import { buttonForm } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import type { ShownSection } from '../../../sites/structure/structure.ts'
import type { BuiltParts } from '../site.parts.ts'
import { previewOf } from './site-spaces.page.ts'

/** Whether readers find nothing of the section: it is a draft, or everything in it is. */
export const isHiddenFromAll = ({ siteSpaces }: ShownSection) => siteSpaces.every(({ isHidden }) => isHidden)

/** The buttons of a section that is a draft: to preview it, and to show it to readers. */
export function showingSection(place: Place, { path, rights, form }: BuiltParts, section: ShownSection): Html {
  const { id, title, siteSpaces: spaces } = section
  const { id: first } = spaces.find(({ isDefault }) => isDefault) ?? spaces[0]!
  return html`${previewOf(place, { rights, spaces }, { path: `${path}/preview?of=${first}`, title })}
  ${buttonForm(place, {
    action: `${path}/sections/${id}/draft`,
    fields: { form, draft: 'off' },
    label: 'Show to readers',
    name: `Show to readers: ${title}`,
  })}`
}
