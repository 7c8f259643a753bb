import { isDeepStrictEqual } from 'node:util'
import { defaults } from './defaults.ts'
import {
  Customization,
  type CustomizationPatch,
  type Groups,
  type Look,
  type SomeCustomization,
  groups,
} from './schema.ts'
import { known } from '../adaptive/known.ts'

/**
 * The look of a site consists of the defaults, overridden by what was set on the site. For a site space, this is
 * overridden by what was set there. Only values that were set are stored. All functions here are pure.
 */

/** What is stored on a site or a site space. It was checked when it was written. */
export type Kept = object | null

/** Returns the look of a site or, with two layers, of a site space. */
export function lookOf(...layers: Kept[]): Look {
  const look = layers.reduce<Customization>((below, kept) => over(below, kept ?? {}, groups) as Customization, defaults)
  const { items } = look.pageActions
  const pageActions = { items, externalAI: items.includes('external-ai'), markdown: items.includes('markdown') }
  return { ...look, pageActions, socialAccounts: look.socialAccounts.map(withPlaces) }
}

/**
 * Returns the look as readers see it. If a site chose neither light nor dark, the API returns `light`, since
 * third-party clients expect one of these two, but readers get the setting of their device.
 */
export function lookAsShown(...layers: Kept[]): Look {
  const look = lookOf(...layers)
  return layers.some(choosesTheme) ? look : { ...look, themes: { ...look.themes, default: 'system' } }
}

const choosesTheme = (kept: Kept) => kept !== null && 'themes' in kept

/**
 * Returns what to store of a look: all differences from the defaults, and the default theme if it is given, even if it
 * is light. Unknown fields are removed.
 */
export function keptOf(given: SomeCustomization): SomeCustomization {
  const kept = differing(cleaned(given, defaults), defaults, groups)
  const first = given.themes?.default
  return first === undefined ? kept : { ...kept, themes: { ...(kept['themes'] as object | undefined), default: first } }
}

/**
 * Adjusts a look that a client sends. If the client sends back a whole look as it was read, the themes in it are not
 * treated as chosen but stay as stored. If they are sent with only a few other fields, they are meant.
 */
export function asSent(given: SomeCustomization, before: SomeCustomization): SomeCustomization {
  const { themes, ...others } = given
  const isRead = wholeLooks.every((name) => given[name] !== undefined) && themes?.default !== undefined
  if (!isRead || !isDeepStrictEqual({ ...defaults.themes, ...themes }, lookOf(before).themes)) return given
  return before.themes ? { ...others, themes: before.themes } : others
}

/** Fields that every look contains when it is read, with any version of a client. */
const wholeLooks = ['styling', 'favicon', 'header', 'footer'] as const

/** Returns what to store on a site space after a change. null resets a field, omitted fields stay. */
export function patched(kept: Kept, patch: CustomizationPatch, look: Customization): SomeCustomization | null {
  const next = applied(kept ?? {}, cleaned(patch, look), groups)
  return Object.keys(next).length === 0 ? null : next
}

type Fields = Record<string, unknown>

const isGroup = (within: Groups, name: string): boolean => Object.hasOwn(within, name)

function over(below: object, above: object, within: Groups): object {
  const all: Fields = { ...below }
  for (const [name, value] of Object.entries(above)) {
    all[name] = isGroup(within, name) ? over(all[name] ?? {}, value as object, within[name]!) : value
  }
  return all
}

function differing(given: object, from: object, within: Groups): Fields {
  const kept: Fields = {}
  for (const [name, value] of Object.entries(given)) {
    const standard = (from as Fields)[name]
    if (isGroup(within, name)) {
      const inner = differing(value as object, standard ?? {}, within[name]!)
      if (Object.keys(inner).length > 0) kept[name] = inner
    } else if (!isDeepStrictEqual(value, standard)) kept[name] = value
  }
  return kept
}

function applied(kept: object, patch: object, within: Groups): Fields {
  const next: Fields = { ...kept }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete next[name]
    else if (isGroup(within, name)) {
      const inner = applied(next[name] ?? {}, value as object, within[name]!)
      if (Object.keys(inner).length > 0) next[name] = inner
      else delete next[name]
    } else next[name] = value
  }
  return next
}

/**
 * Keeps only fields of the schema. Brings favicon, page actions and accounts into a single form, and removes settings
 * about AI.
 */
function cleaned<Given extends CustomizationPatch>(given: Given, look: Customization): Given {
  const { ai: _ai, ...clean } = structuredClone(known(Customization, given)) as CustomizationPatch
  if (clean.favicon?.icon) delete clean.favicon.emoji
  if (clean.pageActions) clean.pageActions = asItems(clean.pageActions, look.pageActions.items)
  if (clean.socialAccounts) clean.socialAccounts = clean.socialAccounts.map(withPlaces)
  return clean as Given
}

type Actions = NonNullable<CustomizationPatch['pageActions']>
type Item = Customization['pageActions']['items'][number]

/** Older clients only have two switches. They are read as changes of the list. */
function asItems({ items, externalAI, markdown }: Actions, current: Item[]): Actions {
  if (items !== undefined) return { items: items && [...new Set(items)] }
  if (externalAI === null || markdown === null) return { items: null }
  const chosen = new Set(current)
  const turn = (item: Item, on: boolean | undefined) =>
    on !== undefined && (on ? chosen.add(item) : chosen.delete(item))
  turn('external-ai', externalAI)
  turn('markdown', markdown)
  return externalAI === undefined && markdown === undefined ? {} : { items: [...chosen] }
}

/** Adds where an account is shown, with defaults for omitted places. */
const withPlaces = (account: Customization['socialAccounts'][number]): Look['socialAccounts'][number] => ({
  ...account,
  display: { footer: account.display?.footer ?? true, header: account.display?.header ?? false },
})
