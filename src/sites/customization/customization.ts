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
 * The look of a site is its defaults with what was set on the site over them, and for one of its spaces what was set
 * there over that. Only what was set is kept. All of this is pure.
 */

/** What is kept, on a site or on a space of it. It was checked when it was written. */
export type Kept = object | null

/** How a site looks; with two layers, how a space of it does. */
export function lookOf(...layers: Kept[]): Look {
  const look = layers.reduce<Customization>((below, kept) => over(below, kept ?? {}, groups) as Customization, defaults)
  const { items } = look.pageActions
  const pageActions = { items, externalAI: items.includes('external-ai'), markdown: items.includes('markdown') }
  return { ...look, pageActions, socialAccounts: look.socialAccounts.map(withPlaces) }
}

/**
 * As readers see it. Of a site that chose neither light nor dark the API says `light`, since clients of others know no
 * more than these two; its readers have it as their device is set.
 */
export function lookAsShown(...layers: Kept[]): Look {
  const look = lookOf(...layers)
  return layers.some(choosesTheme) ? look : { ...look, themes: { ...look.themes, default: 'system' } }
}

const choosesTheme = (kept: Kept) => kept !== null && 'themes' in kept

/** What is to be kept of a look: what differs from the defaults, and light, once it was chosen. Fields that nobody knows are gone. */
export function keptOf(given: SomeCustomization): SomeCustomization {
  const kept = differing(cleaned(given, defaults), defaults, groups)
  const first = given.themes?.default
  return first === undefined ? kept : { ...kept, themes: { ...(kept['themes'] as object | undefined), default: first } }
}

/**
 * A look that somebody sends. Themes that are sent with all the rest, as they were read, though nobody chose them, stay as
 * they are kept; who sends them beside a few things means what they say.
 */
export function asSent(given: SomeCustomization, before: SomeCustomization): SomeCustomization {
  const { themes, ...others } = given
  const isRead = wholeLooks.every((name) => given[name] !== undefined) && themes?.default !== undefined
  if (!isRead || !isDeepStrictEqual({ ...defaults.themes, ...themes }, lookOf(before).themes)) return given
  return before.themes ? { ...others, themes: before.themes } : others
}

/** What every look has that was ever read, by whichever version of a client. */
const wholeLooks = ['styling', 'favicon', 'header', 'footer'] as const

/** What is kept on a space after a change: null takes back what was set, what is left out stays. */
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

/** Only what the schema knows; a favicon, page actions and accounts in their one form; nothing about AI. */
function cleaned<Given extends CustomizationPatch>(given: Given, look: Customization): Given {
  const { ai: _ai, ...clean } = structuredClone(known(Customization, given)) as CustomizationPatch
  if (clean.favicon?.icon) delete clean.favicon.emoji
  if (clean.pageActions) clean.pageActions = asItems(clean.pageActions, look.pageActions.items)
  if (clean.socialAccounts) clean.socialAccounts = clean.socialAccounts.map(withPlaces)
  return clean as Given
}

type Actions = NonNullable<CustomizationPatch['pageActions']>
type Item = Customization['pageActions']['items'][number]

/** Older clients know two switches. They are read as changes of the list. */
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

/** An account says where it is shown, whatever it left out. */
const withPlaces = (account: Customization['socialAccounts'][number]): Look['socialAccounts'][number] => ({
  ...account,
  display: { footer: account.display?.footer ?? true, header: account.display?.header ?? false },
})
