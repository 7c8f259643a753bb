import { readFrontMatter } from '../../content/page/front-matter.ts'
import { type PageFields, joinPage, splitPage } from '../../content/page/split.ts'
import { emojiOf } from '../../published/icons/emoji.ts'
import { type PageLayout, layoutDefaults } from '../../pages/entry-data.ts'
import { readPageSource, readReference } from '../../pages/source.ts'
import { isObject } from '../../objects.ts'

/** The parts of a page that readers see beside its text. Those that are not in `shown` are hidden. */
export const shownParts = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
] as const satisfies (keyof PageLayout)[]

const flags = ['hidden', 'noIndex', 'noRobotsIndex'] as const

/** The settings of a page that a form asks for. Everything else above the text is for authors who write Markdown. */
export interface PageSettings {
  title: string
  description: string
  icon: string
  emoji: string
  /** The address of a picture. For a file it begins with `/files/`. */
  cover: string
  coverDark: string
  isCoverWide: boolean
  hidden: boolean
  noIndex: boolean
  noRobotsIndex: boolean
  isWide: boolean
  shown: readonly string[]
}

const covers = ['cover', 'coverDark'] as const

export function settingsIn(text: string): PageSettings {
  const written = splitPage(text).fields
  const { title = '', description = '', icon = '', emoji = '', layout = {}, ...more } = readPageSource(text).fields
  const { width, coverSize, ...parts } = { ...layoutDefaults, ...layout }
  return {
    title,
    description,
    icon,
    emoji: emojiOf(emoji),
    cover: textOf(written['cover']),
    coverDark: textOf(written['coverDark']),
    isCoverWide: coverSize === 'full',
    hidden: more.hidden === true,
    noIndex: more.noIndex === true,
    noRobotsIndex: more.noRobotsIndex === true,
    isWide: width === 'wide',
    shown: shownParts.filter((name) => parts[name]),
  }
}

/** Returns the text with these settings. Settings that did not change stay as they are to the byte. */
export function withSettings(text: string, now: PageSettings): string {
  const before = settingsIn(text)
  const { fields, body, original } = splitPage(text)
  const changes: Record<string, unknown> = {}
  if (now.title !== before.title && now.title !== '') changes['title'] = now.title
  for (const name of ['description', 'icon', 'emoji'] as const)
    if (now[name] !== before[name]) changes[name] = now[name] === '' ? undefined : now[name]
  for (const name of covers) if (now[name] !== before[name]) changes[name] = now[name] === '' ? undefined : now[name]
  // The visible part was chosen for another picture. And without a cover there is none for dark pages either.
  if (now.cover !== before.cover) changes['coverY'] = undefined
  if (now.cover === '' && before.cover !== '') changes['coverDark'] = undefined
  for (const name of flags) if (now[name] !== before[name]) changes[name] = now[name] ? true : undefined
  const layout = layoutWith(fields, before, now)
  const all = { ...fields, ...changes, ...layout }
  const said = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as PageFields
  return joinPage(said, body, original)
}

/** Everything else in the layout stays. Values that are the default anyway are removed. */
function layoutWith({ layout }: PageFields, before: PageSettings, now: PageSettings): { layout?: unknown } {
  const parts: Record<string, unknown> = isObject(layout) ? { ...layout } : {}
  const changed = shownParts.filter((name) => now.shown.includes(name) !== before.shown.includes(name))
  const isCoverSame = now.isCoverWide === before.isCoverWide
  if (changed.length === 0 && now.isWide === before.isWide && isCoverSame) return {}
  for (const name of changed) {
    if (now.shown.includes(name)) delete parts[name]
    else parts[name] = { visible: false }
  }
  if (now.isWide) parts['width'] = 'wide'
  else delete parts['width']
  if (!isCoverSame) {
    const { size: _, ...cover } = isObject(parts['cover']) ? parts['cover'] : { visible: parts['cover'] !== false }
    const isAsEver = !now.isCoverWide && Object.entries(cover).every(([name, is]) => name === 'visible' && is === true)
    if (isAsEver) delete parts['cover']
    else parts['cover'] = now.isCoverWide ? { visible: true, ...cover, size: 'full' } : cover
  }
  return { layout: Object.keys(parts).length > 0 ? parts : undefined }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Returns the first cover that the user entered and that cannot be shown. A cover that was there before is left to
 * authors who write Markdown.
 */
export const unshowable = (text: string, now: PageSettings): 'cover' | 'coverDark' | undefined => {
  const before = settingsIn(text)
  return covers.find((name) => now[name] !== before[name] && now[name] !== '' && !readReference(now[name]))
}

/** Front matter that cannot be parsed does not count as settings: new settings would be written above it. */
export const areReadable = (text: string): boolean =>
  !/^\uFEFF?---[ \t]*[\r\n]/.test(text) || readFrontMatter(text) !== undefined
