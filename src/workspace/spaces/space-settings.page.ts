import { appPath } from '../../app-path.ts'
import type { Membership } from '../../access/caller.ts'
import { buttonForm, hidden, note, section, writingOver } from '../../account/parts.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { emojiOf } from '../../published/icons/emoji.ts'
import { languages } from '../../spaces/languages.ts'
import { asking } from '../asking.ts'
import { longestEmoji, longestTitle } from './content-title.ts'
import { frame } from '../frame.ts'
import { renamingForm } from '../renaming.page.ts'
import type { KeptRules } from './merge-rules.ts'
import { mergeRulesForm } from './merge-rules.page.ts'
import { type Destinations, type KeptPlace, placingForms } from './moving.ts'
import type { Said } from '../said.ts'
import { nameOfSpace } from './space-name.ts'
import { saidOn, tabsOfSpace } from '../top.ts'

/** What the user typed or chose before it was refused. */
export interface KeptSettings extends KeptPlace {
  title?: string
  icon?: string
  language?: string
  rules?: KeptRules
}

export interface SpaceSettingsParts extends Said, KeptSettings {
  membership: Membership
  path: string
  space: SpaceRow
  destinations: Destinations
  mayCopy: boolean
  /** The copy that was just made. */
  copy?: SpaceRow
  form: string
}

export function spaceSettingsPage(place: Place, parts: SpaceSettingsParts): Html {
  const { membership, path, space, form, destinations } = parts
  const { organization } = membership
  const placing = { path: `${path}/~/`, form, destinations, kept: parts }
  const rules = { action: `${path}/~/merge-rules`, form, now: space.merge_rules, above: organization.merge_rules }
  return frame(
    place,
    `Settings · ${space.title}`,
    html`<p class="review-space">
        <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a> ›
        <a href="${place.link(path)}">${nameOfSpace(space)}</a>
      </p>
      <h1>Settings</h1>
      ${tabsOfSpace(place, path, { management: true, git: true }, 'Settings')} ${saidOn(parts)}
      ${parts.copy && copied(place, parts.copy)}
      ${section('space-title', 'Title', 'Name, and the icon shown before it in lists.', html`${naming(place, parts)} ${choosingIcon(place, parts)}`)}
      ${section('place', 'Place', 'Roles given on a collection apply to everything in it.', placingForms(place, placing))}
      ${section('language', 'Language', 'The language of its pages. Search uses it to find other forms of a word.', speaking(place, parts))}
      ${section('rules', 'Merging', 'What is required before a change request is merged.', mergeRulesForm(place, { ...rules, ...(parts.rules && { kept: parts.rules }) }))}
      ${parts.mayCopy && section('copy', 'Copy', 'Its pages, files and settings, as a new space next to this one.', copying(place, parts))}
      ${section('delete', 'Delete', 'It can be restored for seven days.', deleting(place, parts))}`,
  )
}

const naming = (place: Place, { path, space, form, title }: SpaceSettingsParts) =>
  renamingForm(place, { action: `${path}/~/settings`, form, now: space.title, typed: title, longest: longestTitle })

const choosingIcon = (place: Place, { path, space, form, icon }: SpaceSettingsParts) => {
  const now = emojiOf(space.emoji ?? '')
  return html`<form ${writingOver(place.link(`${path}/~/icon`))} class="fields inline one work-short">
    ${hidden({ form, seen: now })}
    <label class="field grow">
      <span>Icon (an emoji, optional)</span>
      <input name="icon" value="${icon ?? now}" maxlength="${longestEmoji}" autocomplete="off" />
    </label>
    <button class="btn">Save icon</button>
  </form>`
}

const copied = (place: Place, { organization_id, id, title }: SpaceRow) =>
  note('success', html`Space copied: <a href="${place.link(appPath.space(organization_id, id))}">${title}</a>.`)

let names: Intl.DisplayNames | undefined

export function languageName(code: string | null): string {
  if (code === null) return 'not set'
  return (names ??= new Intl.DisplayNames('en', { type: 'language' })).of(code) ?? code
}

/** The languages, sorted by name. */
const spoken = () =>
  languages.map((code) => ({ code, name: languageName(code) })).toSorted((a, b) => a.name.localeCompare(b.name))

function speaking(place: Place, { path, space, form, language }: SpaceSettingsParts): Html {
  const now = space.language ?? ''
  const chosen = language ?? now
  return html`<form ${writingOver(place.link(`${path}/~/language`))} class="fields inline one work-short">
    ${hidden({ form, seen: now })}
    <label class="field grow">
      <span>Language</span>
      <select name="language">
        <option value="">${languageName(null)}</option>
        ${spoken().map(({ code, name }) => html`<option value="${code}" ${code === chosen && html`selected`}>${name}</option>`)}
      </select>
    </label>
    <button class="btn">Save language</button>
  </form>`
}

const copying = (place: Place, { path, form }: SpaceSettingsParts) =>
  html`<p class="aside">History, comments, change requests and roles are not copied. No site shows the copy yet.</p>
    ${buttonForm(place, { action: `${path}/~/copy`, fields: { form }, label: 'Copy this space' })}`

const deleting = (place: Place, { path, space, form }: SpaceSettingsParts) =>
  asking(
    'Delete this space',
    html`<form method="post" action="${place.link(`${path}/~/delete`)}" class="review-ask">
      ${hidden({ form })}
      <p>
        Delete “${space.title}”, with all its pages and change requests? Sites stop showing it. It can be restored for
        seven days.
      </p>
      <button class="btn danger">Delete space</button>
    </form>`,
  )
