import type { Static } from 'typebox'
import { readFrontMatter } from '../../content/page/front-matter.ts'
import type { Metadata } from '../../editing/schema.ts'
import { layoutDefaults } from '../../pages/entry-data.ts'
import { type PageSource, readPageSource } from '../../pages/source.ts'

type Fields = PageSource['fields']

/** The values by which a change says that a page has none of these. A page always has a title. */
const nothing = {
  description: '',
  icon: '',
  emoji: '',
  hidden: false,
  noIndex: false,
  noRobotsIndex: false,
  condition: '',
  layout: layoutDefaults,
  cover: null,
  variables: {},
} satisfies Record<Exclude<keyof Fields, 'title'>, unknown>

/**
 * Returns the change of a page from the text that a user wrote over the previous one. For API clients, what a text does
 * not mention stays. Here the text contained all settings, so a user who deleted the line of a setting wants it
 * removed.
 */
export const changeOfText = (page: string, { before, typed }: { before: string; typed: string }) => ({
  operation: 'update_page' as const,
  page,
  document: { markdown: typed },
  metadata: takenOut(before, typed),
})

/** Settings that cannot be parsed were not removed: they are still in the text. */
export const areSettingsMistyped = (source: string) => /^\uFEFF?---/.test(source) && !readFrontMatter(source)

function takenOut(before: string, typed: string): Static<typeof Metadata> {
  const [was, is] = [readPageSource(before).fields, readPageSource(typed).fields]
  if (areSettingsMistyped(typed)) return {}
  const gone = Object.entries(nothing).filter(([name]) => was[name as keyof Fields] !== undefined && !(name in is))
  return Object.fromEntries(gone)
}
