import { Recent } from './recent.ts'

type PartsOfDay = Pick<Intl.DateTimeFormatOptions, 'weekday' | 'day' | 'month' | 'year'>

// To make one takes as long as to write a hundred days with it.
const formats = new Recent<Intl.DateTimeFormat>(1024 * 1024)
const formatBytes = 10_000

/** A day, by Greenwich time, as people of this locale write it. */
export function writeDay(day: Date, locale: string, parts: PartsOfDay): string {
  const key = `${locale} ${parts.weekday} ${parts.day} ${parts.month} ${parts.year}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' })
    formats.set(key, format, formatBytes)
  }
  return format.format(day)
}
