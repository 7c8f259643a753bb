import { Recent } from './recent.ts'

type PartsOfDay = Pick<Intl.DateTimeFormatOptions, 'weekday' | 'day' | 'month' | 'year'>

// Creating a format takes as long as writing a hundred days with it.
const formats = new Recent<Intl.DateTimeFormat>(1024 * 1024)
const formatBytes = 10_000

/** Writes a day, in UTC, the way people of this locale write it. */
export function writeDay(day: Date, locale: string, parts: PartsOfDay): string {
  const key = `${locale} ${parts.weekday} ${parts.day} ${parts.month} ${parts.year}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' })
    formats.set(key, format, formatBytes)
  }
  return format.format(day)
}
