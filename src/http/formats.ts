/** The formats that schemas may name. */
export const formats: Record<string, (text: string) => boolean> = {
  email: isEmail,
  'http-url': (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
  'date-time': isTime,
}

const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** A moment, in a year that has four digits in UTC as well: that is how it is sent back. */
function isTime(text: string): boolean {
  const ms = Date.parse(text)
  const hasForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  return hasForm && ms >= earliest && ms <= latest
}

/** One @, something before it, a name without spaces or odd characters after it. Only mail itself can tell more. */
export function isEmail(text: string): boolean {
  return (
    text.length <= 320 && /^[^\s@<>()[\]\\,;:"]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text) && !text.includes('..')
  )
}

export function isDomain(text: string): boolean {
  return text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(text)
}
