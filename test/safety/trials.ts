import { allPayloads } from './payloads.ts'
import { places } from './places.ts'

export const isDrill = process.env.SAFETY === 'all'
export const timeout = isDrill ? 3_600_000 : 120_000
/** NUL characters are removed: text that cannot be stored is refused on input, so it never gets to a page. */
export const payloads = allPayloads().map(({ kind, text }, number) => ({
  kind,
  text: text.replaceAll('\0', ''),
  number,
}))
export type Numbered = (typeof payloads)[number]

let tried = 0

/** Counts payloads that were not chosen by `some`. */
export const count = (times: number) => void (tried += times)

/** Starts anew each time: several files share a process. */
export function sayHowMany(): string {
  const times = tried
  tried = 0
  return `${payloads.length} payloads, ${times} times in some place of a page`
}

/** Returns all payloads in a drill. Otherwise one out of `share`, different ones for each place. */
export function some(share: number, place = 0, from: readonly Numbered[] = payloads): Numbered[] {
  const chosen = isDrill ? [...from] : from.filter((_, index) => (index + place) % share === 0)
  tried += chosen.length
  return chosen
}

export const fits = (length: number) => payloads.filter(({ text }) => text.length <= length)

/** A payload as the title of a page, which is one line without control characters. */
export const asTitle = ({ text }: { text: string }) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500)

/** A change that inserts a page. */
export const insert = (markdown: string, metadata: object = {}) => ({
  operation: 'insert_page',
  document: { markdown },
  metadata,
})

const perPage = 900
/** Payloads in every place of a text. */
export const inText = () =>
  Object.values(places).flatMap((place, index) => some(16, index * 5).map((payload) => ({ ...payload, place })))

export const inPages = <Placed>(placed: Placed[]): Placed[][] =>
  Array.from({ length: Math.ceil(placed.length / perPage) }, (_, at) => placed.slice(at * perPage, (at + 1) * perPage))
