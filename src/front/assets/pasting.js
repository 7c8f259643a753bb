// What was copied from a word processor, a spreadsheet or a website becomes Markdown when pasted. The plain text is
// inserted at once, and stays if the server has nothing better. One undo brings it back.
const mostPasted = 2_000_000
const shaped =
  'h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, a[href], b, strong, i, em, s, del, sup, sub, code, img, [class^=Mso], span[style*=font-weight], span[style*=font-style]'

/**
 * Whether copied HTML has formatting worth converting. Code editors and terminals copy colours, which mean nothing; and
 * some programs copy Markdown along with its rendering.
 */
function isShaped(copied, plain) {
  const { body } = new DOMParser().parseFromString(copied, 'text/html')
  return !isCode(copied) && !looksLikeMarkdown(besideCode(plain, body)) && body.querySelector(shaped) !== null
}

/** Returns the plain text without lines of code, if it has other lines: a comment in code is not a Markdown heading. */
function besideCode(plain, body) {
  const lines = (text) => text.split('\n').map((line) => line.trim())
  const code = new Set([...body.querySelectorAll('pre, code')].flatMap(({ textContent }) => lines(textContent)))
  const others = lines(plain)
    .filter((line) => !code.has(line))
    .join('\n')
  return others.trim() === '' ? plain : others
}

function isCode(copied) {
  const [first] = new DOMParser().parseFromString(copied, 'text/html').body.children
  // Google Docs preserves white space in any text.
  if (first?.id.startsWith('docs-internal-guid')) return false
  return first?.tagName === 'PRE' || /white-space:\s*pre/.test(first?.getAttribute('style') ?? '')
}

/** Whether an address is pasted over words, which are then linked to it. A selected address is replaced instead. */
const isToLink = (words, plain) =>
  words.trim() !== '' && !/\n|^\s*\w+:\/\//.test(words) && /^https?:\/\/\S+$/.test(plain.trim())

const looksLikeMarkdown = (plain) =>
  /^(#{1,6} \S|```|[-*] \[[ x]\] |\|.*\|$|> \S)|\]\(\S+\)|\{% \w/m.test(plain) || expression.test(plain)

/** An expression whose value depends on the space, the page or the reader, such as a variable. */
const expression = /\{\{[^{}\n]*\b(?:visitor|(?:space|page)\??\.vars)\b[^{}\n]*\}\}/

/** Returns undefined if there is nothing better than the plain text. */
async function markdownOf(copied) {
  const fields = new URLSearchParams({ form: form.elements.form.value, html: copied })
  try {
    const response = await post(bar.dataset.pasted, fields)
    const isMarkdown = response.headers.get('content-type')?.startsWith('text/markdown')
    return response.ok && isMarkdown ? await response.text() : undefined
  } catch {
    return undefined
  }
}

const inOneLine = (text) => text.replace(/\s+/g, ' ').trim()

/** Puts a text on one line and escapes `|`, so that it stays one cell. What is escaped already is left alone. */
const asCell = (text) =>
  inOneLine(text.replaceAll('\\\n', ' ')).replaceAll(/(\\*)\|/g, (sign, { length }) =>
    length % 2 === 0 ? `\\${sign}` : sign,
  )

const isRuleOfTable = (line) => line.includes('|') && /^\|?:?-+:?(\|:?-+:?)*\|?$/.test(line.replaceAll(/[\s>]/g, ''))

/** Whether a range is in a cell of a table: neither on its delimiter row nor before or after a row. */
function isInRow(from, to) {
  const [start, end] = [lineStart(from), lineEnd(to)]
  const [before, behind] = [field.value.slice(start, from), field.value.slice(to, end)]
  const line = before + behind
  const isBeside = /^\s*$/.test(before) ? /^\s*\|/.test(behind) : /^\s*$/.test(behind) && /\|\s*$/.test(before)
  if (field.value.slice(from, to).includes('\n') || isBeside || !line.includes('|') || isRuleOfTable(line)) return false
  const above = field.value.slice(0, start).split('\n').slice(0, -1)
  const below = field.value.slice(end + 1).split('\n', 1)
  const rows = above.slice(above.findLastIndex((each) => !each.includes('|')) + 1)
  return [...rows, ...below].some(isRuleOfTable)
}

/** Resolves once everything that was pasted is in the text. */
let pasted = Promise.resolve()
field.addEventListener('paste', (event) => (pasted = Promise.allSettled([pasted, pasteIntoText(event)])))

async function pasteIntoText(event) {
  const { clipboardData } = event
  if (event.defaultPrevented) return
  const copied = clipboardData.getData('text/html')
  const plain = clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n')
  const [from, to] = cursor()
  if (isLinkedInText(from, to, plain)) return event.preventDefault()
  if (plain.trim() === '' || isInCode(lineStart(from))) return
  const isCell = isInRow(from, to) && !looksLikeMarkdown(plain)
  const words = isCell && /[|\n]/.test(plain) ? asCell(plain) : plain
  const isPlain = copied === '' || copied.length > mostPasted || !isShaped(copied, plain)
  if (isPlain && words === plain) return
  event.preventDefault()
  put(words, from, to)
  if (isPlain) return
  const paste = { at: from }
  pastes.add(paste)
  const shapedWords = await markdownOf(copied)
  await untilFree()
  pastes.delete(paste)
  if (!shapedWords || inOneLine(shapedWords) === inOneLine(plain)) return
  const { at } = paste
  // An author who keeps typing only adds text behind it. After any other change, their version stays.
  if (!field.value.startsWith(words, at)) return
  const isRunning = !/\n|^(#|[-*] |\d+\. |>|\||!\[)/.test(shapedWords)
  // A table row has no room for a block.
  if (isCell && !isRunning) return
  const markdown = isCell ? asCell(shapedWords) : shapedWords
  const [above, below] = isRunning ? ['', ''] : gapsAround(at, at + words.length)
  exchangeSign(words, above + markdown + below, at)
  // An author at the end of the pasted text continues there.
  const end = at + above.length + markdown.length
  if (field.selectionStart === end + below.length) field.setSelectionRange(end, end)
  said.replaceChildren()
  say('success', 'Pasted as Markdown. Undo once to get the plain text.')
  bringPictures([...new DOMParser().parseFromString(copied, 'text/html').images], markdown)
}

/**
 * Links the selected words to a pasted address. Does nothing within a link, a tag or code, which may be about that
 * address.
 */
function isLinkedInText(from, to, plain) {
  const [words, address] = [field.value.slice(from, to), plain.trim()]
  const [before, behind] = [field.value.slice(lineStart(from), from), field.value.slice(to, lineEnd(to))]
  const isWithin = /[(<"'=[`/]$/.test(before) || /^[\])>"'`/]/.test(behind) || before.split('`').length % 2 === 0
  if (isWithin || !isToLink(words, plain) || isInCode(lineStart(from))) return false
  const own = words.trim()
  const start = from + words.indexOf(own)
  put(`[${own}](${/[()]/.test(address) ? `<${address}>` : address})`, start, start + own.length)
  return true
}

const mostPictures = 20

/**
 * Fetches pasted pictures. Those that stay on their servers may be gone tomorrow; those of word processors are gone
 * within the hour.
 */
function bringPictures(pictures, markdown) {
  const addresses = [...new Set(pictures.map(({ src }) => src))]
  if (addresses.some((src) => !/^https?:/.test(src)))
    say('info', 'Some pictures were not pasted: copy or drop them one by one.')
  const found = addresses.filter((src) => /^https?:/.test(src) && markdown.includes(src))
  if (found.length > mostPictures)
    say('info', `Of ${found.length} pictures, the first ${mostPictures} are fetched; the others stay where they are.`)
  for (const src of found.slice(0, mostPictures)) {
    waiting++
    uploads = uploads.then(() => fetchPicture(src)).finally(() => waiting--)
  }
}

async function fetchPicture(src) {
  const fields = new URLSearchParams({ form: form.elements.form.value, kind: 'picture', address: src })
  const answer = await send(`${chosenFiles.dataset.address}/fetch`, fields)
  const file = /\]\((\/files\/[\w-]+)\)/.exec(answer?.page.querySelector('[data-new] code')?.textContent)?.[1]
  await untilFree()
  if (file) for (let at = pictureAt(src); at !== -1; at = pictureAt(src)) exchangeSign(src, file, at)
  else say('info', `The picture at ${new URL(src).host} stays there. ${whyNot(answer)}`)
}

/**
 * Finds an address where it is that of a picture: not where it is only mentioned, is the target of a link, or is the
 * beginning of another address.
 */
function pictureAt(src) {
  const isPicture = /(!\[(?:\\.|[^\]\\])*\]\(<?|<img[^>]* src=")$/
  const { value } = field
  let at = value.indexOf(src)
  for (; at !== -1; at = value.indexOf(src, at + src.length)) {
    const start = lineStart(at)
    const isWhole = /[)>"\s]/.test(value[at + src.length] ?? '')
    if (isWhole && isPicture.test(value.slice(start, at)) && !isInCode(start)) break
  }
  return at
}
