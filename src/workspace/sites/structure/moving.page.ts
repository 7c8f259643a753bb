import { hidden, writingOver } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import type { ShownSection, ShownSpace, Structure } from '../../../sites/structure/structure.ts'
import { asking } from '../../asking.ts'
import { longestPath } from '../site-title.ts'

/**
 * Where a version can be moved other than to an existing section: to a new section, or to the root of a site that then
 * has no sections.
 */
export const ownSection = 'own'
export const noSection = 'none'

/** What the user chose before it was refused. */
export interface TypedMove {
  of: string
  to: string
  path: string
}

interface Moving {
  row: ShownSpace
  /** The name of the version. */
  name: string
  /** The section that it is in; undefined at the root. */
  section: ShownSection | undefined
  structure: Structure
  action: string
  fields: Record<string, string>
  typed: TypedMove | undefined
}

/**
 * The form for moving a version, with all that it has, to another section. Empty if there is no place to move it to.
 */
export function movingElsewhere(place: Place, moving: Moving): Html {
  const { row, name, action, fields, typed } = moving
  const choices = choicesOf(moving)
  if (choices.length === 0) return html``
  const option = ({ value, label }: Choice) =>
    html`<option value="${value}" ${value === typed?.to && html`selected`}>${label}</option>`
  return asking(
    'Move to a section',
    html`<form ${writingOver(place.link(action))} class="review-ask">
      ${hidden({ ...fields, seenPath: row.path })}
      <label class="field">
        <span>New position</span>
        <select name="to" required>
          <option value="">Choose a place</option>
          ${choices.map(option)}
        </select>
      </label>
      <label class="field">
        <span>Path there</span>
        <input name="path" value="${typed?.path ?? row.path}" maxlength="${longestPath}" autocomplete="off" required />
      </label>
      <p>${whatChanges(moving)}</p>
      <button class="btn">Move</button>
    </form>`,
    `Move to a section: ${name}`,
    typed !== undefined,
  )
}

interface Choice {
  value: string
  label: string
}

function choicesOf({ section, structure: { sections, groups, links, root } }: Moving): Choice[] {
  const others = sections.filter(({ id }) => id !== section?.id)
  const isAlone = (section?.siteSpaces ?? root).length === 1
  const isOnlySection = section !== undefined && others.length + groups.length + links.length === 0
  return [
    ...others.map(({ id, title }) => ({ value: id, label: `At the end of the section “${title}”` })),
    ...(isAlone ? [] : [{ value: ownSection, label: 'In its own section' }]),
    ...(isOnlySection ? [{ value: noSection, label: 'Outside sections, with everything beside it' }] : []),
  ]
}

function whatChanges({ row, section, structure: { root } }: Moving): string {
  const isLast = section?.siteSpaces.length === 1
  const isFirstOfMore = row.isDefault && (section?.siteSpaces ?? root).length > 1
  return [
    'Its address changes. Old addresses redirect to the new one unless something else uses them.',
    isLast ? `It is all that the section “${section.title}” shows, so the section is removed.` : '',
    isFirstOfMore ? 'It is shown first here; the next one takes its place.' : '',
    section?.draft || section?.condition != null
      ? 'Only some readers see this section. After the move, others may see it.'
      : '',
  ]
    .filter(Boolean)
    .join(' ')
}
