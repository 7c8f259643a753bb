import { invalid } from '../http/errors.ts'
import { dayOf } from './day.ts'
import { type Span, daysIn } from './queries.ts'

/** Older counts are removed. */
export const daysKept = 400
const usualDays = 30
/** The first day that the database supports. */
const firstDay = '0001-01-01'
const dayMs = 24 * 60 * 60 * 1000

/** The given number of days that end with `to`. Default is today. */
export const lastDays = (days: number, to = dayOf(Date.now())): Span => ({
  from: dayOf(Date.parse(to) - (days - 1) * dayMs),
  to,
})

export function spanOf({ from, to }: { from?: string; to?: string }): Span {
  const usual = lastDays(usualDays, to)
  const span = { ...usual, from: from ?? (usual.from < firstDay ? firstDay : usual.from) }
  if (span.from > span.to) throw invalid('query.from', 'range', 'must not be after the last day')
  if (daysIn(span) > daysKept) throw invalid('query.from', 'range', `must be within ${daysKept} days of the last day`)
  return span
}
