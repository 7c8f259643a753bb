import { decodeEntities } from './attributes.ts'
import { withoutStripped } from './stripped.ts'
import { scanTags } from './tags.ts'
import { textOfHtml } from './text.ts'

/**
 * Pages show nothing of others in frames of their own, so a frame leads to what it would show. One that stands by itself
 * is an embed; within other HTML or text it is a link. Here: the address of a frame that is all a piece of HTML has.
 */
export function loneFrame(html: string): string | undefined {
  if (!/<iframe\b/i.test(html)) return undefined
  const tags = [...scanTags(html)].filter(({ closing }) => !closing)
  const [frame, ...more] = tags.filter(({ name }) => name === 'iframe')
  const isLone = frame && more.length === 0 && tags.every(({ name }) => placing.test(name))
  const src = frame?.attributes.find(({ name }) => name === 'src')
  const address =
    isLone && src && textOfHtml(withoutStripped(html)) === '' ? frameAddress(decodeEntities(src.value)) : undefined
  return address !== undefined && isWebAddress(address) ? address : undefined
}

/** What goes around a frame only gives it its place. */
const placing = /^(?:iframe|div|p|center|figure|span|section)$/

/** Where a frame leads: to the web, or to something beside the page. Anything else is shown to nobody. */
export function frameAddress(src: unknown): string | undefined {
  const address = typeof src === 'string' ? src.trim() : ''
  const whole = address.startsWith('//') ? `https:${address}` : address
  return isWebAddress(whole) || !/^$|^[^/?#]*:/.test(whole) ? whole : undefined
}

export const isWebAddress = (address: string): boolean => /^https?:/i.test(address) && URL.canParse(address)
