import { decodeEntities } from './attributes.ts'
import { scanTags } from './tags.ts'
import { textOfHtml } from './text.ts'

/**
 * Pages never show other pages in frames, so a frame becomes a link to what it would show: an embed if it stands alone,
 * or a link within other HTML or text. Returns the address of a frame that is the only content of a piece of HTML.
 */
export function loneFrame(html: string): string | undefined {
  if (!/<iframe\b/i.test(html)) return undefined
  const tags = [...scanTags(html)].filter(({ closing }) => !closing)
  const [frame, ...more] = tags.filter(({ name }) => name === 'iframe')
  const isLone = frame && more.length === 0 && tags.every(({ name }) => placing.test(name))
  const src = frame?.attributes.find(({ name }) => name === 'src')
  const address = isLone && src && textOfHtml(html) === '' ? frameAddress(decodeEntities(src.value)) : undefined
  return address !== undefined && isWebAddress(address) ? address : undefined
}

/** Elements around a frame that only position it. */
const placing = /^(?:iframe|div|p|center|figure|span|section)$/

/** Returns where a frame leads: to the web, or to a relative address. Frames with any other address are not shown. */
export function frameAddress(src: unknown): string | undefined {
  const address = typeof src === 'string' ? src.trim() : ''
  const whole = address.startsWith('//') ? `https:${address}` : address
  return isWebAddress(whole) || !/^$|^[^/?#]*:/.test(whole) ? whole : undefined
}

export const isWebAddress = (address: string): boolean => /^https?:/i.test(address) && URL.canParse(address)
