/** The formats that schemas may use. */
export const formats: Record<string, (text: string) => boolean> = {
  email: isEmail,
  'http-url': (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
  'date-time': isTime,
  date: (text) => isTime(`${text}T00:00Z`),
  emoji: isEmoji,
  'one-line': isOneLine,
}

const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

const time = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](\d\d):\d\d)$/
/** No place on earth is further from UTC, and the database accepts hardly more. */
const furthestHours = 14

/** A point in time, whose year has four digits in UTC as well, because that is how it is returned. */
function isTime(text: string): boolean {
  const [, year, month, day, hours = 0] = time.exec(text) ?? []
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const ms = Date.parse(text)
  // JavaScript would turn 30 February into 2 March; the database would not.
  return Number(day) <= lastDay && Number(hours) <= furthestHours && ms >= earliest && ms <= latest
}

/**
 * One @, something before it, and after it a name without spaces or odd characters. Only sending a mail can verify
 * more. Addresses are compared in lower case: two letters are refused because lower case turns them into plain ones,
 * which would make this the address of somebody else.
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= 320 &&
    /^[^\s@<>()[\]\\,;:"]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text) &&
    !/\.\.|[\p{Cc}\u0130\u212a]/u.test(text)
  )
}

export function isDomain(text: string): boolean {
  return text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(text)
}

/** Names appear in lists, in mail headers and in logs, where they must not add lines of their own. */
function isOneLine(text: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

/** Created on first use, because it loads tables that take longer than any other module. */
let graphemes: Intl.Segmenter | undefined

/** One emoji: as a character, however many code points it has, or as these code points in hex, joined by "-". */
function isEmoji(text: string): boolean {
  const inHex = /^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(text)
  const points = inHex ? text.split('-').map((point) => Number.parseInt(point, 16)) : []
  if (points.some((point) => point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))) return false
  const character = inHex ? String.fromCodePoint(...points) : text
  return (
    /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(character) &&
    [...(graphemes ??= new Intl.Segmenter()).segment(character)].length === 1
  )
}
