/** A part of a text: an address, or the text between two addresses. */
export interface Part {
  readonly text: string
  readonly at: number
  readonly href?: string
}

/**
 * Full stops, commas, brackets and quotes of languages other than English. In an address they are encoded, while a
 * sentence continues after them without a blank.
 */
const ends =
  '\\u00ab\\u00bb\\u2018-\\u201f\\u2039\\u203a\\u3001\\u3002\\u3008-\\u3011\\u3014-\\u301b\\u301d-\\u301f' +
  '\\uff01\\uff08\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f\\uff3b\\uff3d\\uff5b\\uff5d\\uff5f-\\uff64'
const hasEnd = new RegExp(`[${ends}]`)
const address = new RegExp(`(?:https?://|www\\.)[\\p{L}\\p{N}][^\\s<${ends}]*`, 'giu')

/** Characters that belong to the sentence if an address ends in them, as on GitHub. */
const tail = /[!"'*,.:;?_~]$/

/**
 * Splits what the parser takes for one address, up to the next blank, into the addresses in it and the text between
 * them. Returns undefined if it really is one address.
 */
export function splitAddress(written: string): Part[] | undefined {
  if (!/^(?:https?:\/\/|www\.)/i.test(written) || !hasEnd.test(written)) return undefined
  const parts: Part[] = []
  let copied = 0
  for (const { 0: found, index } of written.matchAll(address)) {
    let end = found.length
    while (tail.test(found.slice(end - 1, end))) end--
    const text = found.slice(0, end)
    if (index > copied) parts.push({ text: written.slice(copied, index), at: copied })
    parts.push({ text, at: index, href: /^www/i.test(text) ? `http://${text}` : text })
    copied = index + end
  }
  if (copied < written.length) parts.push({ text: written.slice(copied), at: copied })
  return parts
}
