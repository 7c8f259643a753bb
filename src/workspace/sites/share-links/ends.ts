import { conflict } from '../../../http/errors.ts'

/** When a link can expire, as the page offers it. The API accepts any moment. */
export const linkEnds: Record<string, { label: string; days?: number }> = {
  never: { label: 'Never' },
  day: { label: 'After one day', days: 1 },
  week: { label: 'After one week', days: 7 },
  month: { label: 'After one month', days: 30 },
  date: { label: 'On a date' },
}

/** The expiry as chosen in a form. */
export interface ChosenEnd {
  end: string
  /** The last day of the link. */
  day: string
}

const dayMs = 24 * 3_600_000

/** Returns when the link expires, counted from `now`; null means never. */
export function endChosen({ end, day }: ChosenEnd, now: Date): Date | null {
  if (!Object.hasOwn(linkEnds, end)) throw conflict('Choose when the link expires.')
  // A user who enters a day but chooses something else may believe that the link expires on that day.
  if (day !== '' && end !== 'date') throw conflict(`To use an expiry date, choose “${linkEnds.date!.label}” as well.`)
  if (end === 'date') return afterDay(day, now)
  const { days } = linkEnds[end]!
  return days === undefined ? null : new Date(now.getTime() + days * dayMs)
}

/** Returns the end of the day, because the link is still valid on it. Days are in UTC, as on all our pages. */
function afterDay(day: string, now: Date): Date {
  const begins = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN
  // A day that its month does not have is parsed as a day of the next month.
  if (Number.isNaN(begins) || new Date(begins).toISOString().slice(0, 10) !== day)
    throw conflict('Enter the last day of the link as year, month and day.')
  const end = new Date(begins + dayMs)
  if (end <= now) throw conflict('The last day of the link is in the past. Choose a later one.')
  return end
}
