// Pasting in the visual editor.

visual.addEventListener('paste', (event) => {
  if (isInCodeField() && !isWorking) return
  const { files, types } = event.clipboardData
  const copied = event.clipboardData.getData('text/html')
  const plain = event.clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n')
  event.preventDefault()
  if (files.length > 0 && !['text/plain', 'text/html'].every((type) => types.includes(type))) {
    const brought = [...files]
    return throughText(false, () => bring(brought), { mayWait: true, isOver: true })
  }
  const language = copiedLanguage(event.clipboardData)
  if (isWorking) early.push(() => pasteHere(copied, plain, language))
  else void pasteHere(copied, plain, language)
})

/** Returns the language that a code editor gave for what it copied; undefined if it was not copied from one. */
function copiedLanguage(copied) {
  try {
    return String(JSON.parse(copied.getData('vscode-editor-data')).mode ?? '')
  } catch {
    return undefined
  }
}

const namesOfLanguages = { javascriptreact: 'jsx', plaintext: '', shellscript: 'bash', typescriptreact: 'tsx' }

/** Inserts code of several lines as a block: as text, it would lose its indentation. */
function pasteCode(plain, language = '') {
  if (!chosenRange().collapsed) command('delete')
  const name = namesOfLanguages[language] ?? (/^[\w+#.-]*$/.test(language) ? language : '')
  const sample = plain.replace(/^(?:[ \t]*\n)+|\s+$/g, '')
  const most = Math.max(2, ...(sample.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(most + 1)
  return throughText(true, () => {
    const [at] = cursor()
    ways.block({ before: `${fence}${name}\n`, sample, after: `\n${fence}` }, at, at)
    field.setSelectionRange(field.selectionEnd, field.selectionEnd)
  })
}

/** Pastes into a table cell. Text of one line keeps its marks, its links, and elements in it that are not text. */
function pasteInCell(cell, copied, plain) {
  const rows = asSeen.rowsIn(copied, plain)
  if (rows) return asSeen.fillCells(cell, rows)
  const words = inOneLine(plain)
  const page = pageIn(copied)
  const isOurs = copied.includes('data-lectern=')
  const blocks = page.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6')
  // A formula takes several lines in plain text, so for what was copied here the blocks are counted.
  const isLine = (isOurs ? blocks.length < 2 : !plain.trim().includes('\n')) && !page.querySelector('.frame, pre')
  if (!isLine || copied.length > mostPasted || !(isOurs || isShaped(copied, plain))) return command('insertText', words)
  for (const block of page.querySelectorAll('h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote'))
    block.replaceWith(...block.childNodes)
  return pasteOver(() => pasteShaped(page.body.innerHTML, words, putInCell))
}

const putInCell = (text) => putInLine(asCell(text), ...cursor())

/**
 * Inserts text within a line. If a mark ends in front of it and it begins with the same mark, or the other way round,
 * the two are joined: next to each other they would not be marks.
 */
function putInLine(text, from, to) {
  const [above, below] = [field.value.slice(lineStart(from), from), field.value.slice(to, lineEnd(to))]
  const [ended, begun, ends, begins] = [markAt(above, true), markAt(text), markAt(text, true), markAt(below)]
  const before = ended !== '' && ended === begun ? begun.length : 0
  const behind = ends !== '' && ends === begins && text.length > before + ends.length ? ends.length : 0
  put(text.slice(before, text.length - behind), from - before, to + behind)
}

const markAt = (text, isEnd) => (isEnd ? /(?<![\\*_~])(?:\*+|_+|~+)$/ : /^(?:\*+|_+|~+)(?![*_~])/).exec(text)?.[0] ?? ''

/** Links the selected words of one block if an address is pasted over them. Returns whether it did. */
function isLinked(plain) {
  const range = chosenRange()
  const isWithin = blockAt(range.startContainer) === blockAt(range.endContainer) && !isInCodeField()
  if (!isWithin || elementAt(range.startContainer).closest('code') || !isToLink(range.toString(), plain)) return false
  command('createLink', plain.trim())
  getSelection().collapseToEnd()
  return true
}

function pasteHere(copied, plain, language) {
  if (copied === '' && plain === '') return
  if (isLinked(plain)) return
  const line = plain.trim()
  if (!isInCodeField() && line.startsWith('{{') && expression.exec(line)?.[0] === line)
    return pasteOver(() => pasteText(line))
  const isLine = !plain.trim().includes('\n')
  // Markdown signs mean nothing in code.
  if (isLine && elementAt(chosenRange().startContainer).closest('code')) return command('insertText', plain)
  // A cell is one line, and code has no formatting. Rows of a spreadsheet are distributed over cells.
  const cell = asSeen.cellAt()
  if (cell) return pasteInCell(cell, copied, plain)
  if (isInCodeField()) return command('insertText', plain)
  const isOurs = copied.includes('data-lectern=')
  if (copied !== '' && copied.length <= mostPasted && (isOurs || isShaped(copied, plain)))
    return pasteOver(() => pasteShaped(copied, plain))
  const isKnown = language !== undefined && language !== 'markdown'
  if (isKnown && plain.trim().includes('\n')) return pasteCode(plain, language)
  if (looksLikeMarkdown(plain)) return pasteOver(() => pasteText(plain))
  if (isCode(copied) && plain.trim().includes('\n')) return pasteCode(plain)
  if (!plain.trim().includes('\n')) return command('insertText', plain)
  return pasteOver(() => pasteShaped(shapeOf(plain), plain))
}

const pasteOver = (act) => throughText(false, act, { isOver: true })

/**
 * Removes the selection as a browser does: it may begin within marks and end outside them, which no range of the
 * Markdown can. Then splits the marks around the cursor, because pasted content has marks and lines of its own, which
 * would end them.
 */
asSeen.clearPlace = () => {
  if (!chosenRange().collapsed) command('delete')
  const range = chosenRange()
  let mark
  for (let each = elementAt(range.startContainer); isRunning(each); each = each.parentElement) mark = each
  if (!mark || !range.collapsed) return
  const rest = range.cloneRange()
  rest.setEndAfter(mark)
  mark.after(rest.extractContents())
  range.setStartAfter(mark)
  range.collapse(true)
  for (const each of [mark, mark.nextSibling]) if (isEmpty(each)) each.remove()
  getSelection().removeAllRanges()
  getSelection().addRange(range)
}

const isRunning = (element) =>
  element.isContentEditable && element.matches('a, b, strong, i, em, s, del, u, ins, sub, sup, kbd')

const pointed = /^\s*[-*+•]\s+/
const numbered = /^\s*(\d{1,9})[.)]\s+/

/**
 * Converts plain text that is not Markdown to HTML: an empty line ends a paragraph, lines stay lines, and lines with
 * list marks become a list.
 */
function shapeOf(plain) {
  const page = document.createElement('div')
  // The whole text is tried first: a row of empty cells does not end a table.
  const sheet = sheetOf(plain.replace(/\n+$/, '').split('\n'))
  if (sheet) return sheet.outerHTML
  for (const lines of plain.split(/\n\s*\n/).map((each) => each.split('\n').filter((line) => line.trim() !== ''))) {
    const mark = [pointed, numbered].find((each) => lines.every((line) => each.test(line)))
    const block = document.createElement(mark === pointed ? 'ul' : mark ? 'ol' : 'p')
    if (mark === numbered) block.setAttribute('start', numbered.exec(lines[0])[1])
    for (const [at, line] of lines.entries()) {
      if (mark) block.append(itemOf(line.replace(mark, '')))
      else block.append(...(at > 0 ? [document.createElement('br')] : []), line)
    }
    if (lines.length > 0) page.append(sheetOf(lines) ?? block)
  }
  return page.innerHTML
}

/** Converts lines with the same number of tabs to a table. Tabs that all lines begin with are indentation. */
function sheetOf(lines) {
  const rows = lines.map((line) => line.split('\t').map((words) => words.trim()))
  const isSheet = rows.length > 1 && rows[0].length > 1 && rows.every(({ length }) => length === rows[0].length)
  if (!isSheet || rows.every(([first]) => first === '')) return undefined
  const table = document.createElement('table')
  for (const words of rows) {
    const row = table.insertRow()
    for (const each of words) row.insertCell().textContent = each
  }
  return table
}

function itemOf(words) {
  const item = document.createElement('li')
  item.append(words)
  return item
}

async function pasteShaped(copied, plain, putText = pasteText) {
  const page = new DOMParser().parseFromString(copied, 'text/html')
  for (const block of page.querySelectorAll('[data-copied]')) {
    const source = await sources.get(block.dataset.copied)
    if (source) block.dataset.markdown = source
  }
  const names = namesOfBlocks(page)
  const markdown = await markdownOf(names.size > 0 ? page.body.innerHTML : copied)
  const whole = markdown?.replace(/lectern-block-\d+x|https:\/\/lectern\.invalid\/\d+/g, (name, at) =>
    ledAs(markdown.slice(lineStartIn(markdown, at), at), names.get(name) ?? name),
  )
  putText(whole ?? plain)
  if (markdown) bringPictures([...page.images], markdown)
}

/**
 * Replaces each block that was copied here by a placeholder until the rest is converted, because its Markdown is known;
 * likewise for link targets.
 */
function namesOfBlocks(page) {
  const names = new Map()
  for (const block of page.querySelectorAll('[data-markdown]')) {
    if (block.parentElement.closest('[data-markdown]')) continue
    // Ends with a letter, because a digit may follow directly.
    const name = `lectern-block-${names.size}x`
    names.set(name, block.dataset.markdown)
    block.textContent = name
  }
  for (const link of page.querySelectorAll('a[data-href]')) {
    const { href } = link.dataset
    const name = `https://lectern.invalid/${names.size}`
    names.set(name, /[\s()<>]/.test(href) ? `<${href.replaceAll(/[\n<>]/g, encodeURIComponent)}>` : href)
    link.href = name
  }
  return names
}

/**
 * Returns what the lines following one with this beginning start with: quote marks, and blanks in place of list marks.
 */
const furtherLead = (line) =>
  /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/.exec(line)[0].replaceAll(/[^\s>]/g, ' ')

/** Prefixes the further lines of a block, so that all of it stays in the quotes and lists whose marks precede it. */
const ledAs = (line, block) =>
  block.replaceAll(/\n(.?)/g, (_, next) => `\n${next ? furtherLead(line) : furtherLead(line).trimEnd()}${next}`)

const lineStartIn = (text, at) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

/**
 * Returns the prefix of each line that keeps pasted text in the list or quote at this place. A pasted list continues
 * the one around it.
 */
function leadAt(from, text) {
  const line = field.value.slice(lineStart(from), from)
  const item = listItem.exec(line)
  if (!item) return /^(?:[ \t]*>)*[ \t]*/.exec(line)[0]
  const [all, indent, , , , , box = ''] = item
  return listItem.test(text) ? indent : indent + ' '.repeat(all.length - indent.length - box.length)
}

/**
 * Pastes the items of a list among those of the list at the cursor: in place of an item that is still empty, otherwise
 * behind the item with the cursor. What followed the cursor in that item becomes another item below them. Returns
 * whether it did.
 */
function pasteItems(text, from, to) {
  const [start, end] = [lineStart(from), lineEnd(to)]
  const before = field.value.slice(start, from)
  const [all, indent, bullet] = listItem.exec(`${before} `) ?? []
  if (all === undefined || !listItem.test(text)) return false
  const [words, rest] = [before.slice(all.length).trim(), field.value.slice(to, end).trim()]
  const isOfKind = (words === '' && rest === '') || /^[-*+] /.test(text) === Boolean(bullet)
  if (!isOfKind && words !== '') return false
  const marked = bullet && isOfKind ? text.replaceAll(/^[-*+](?= )/gm, bullet) : text
  const own = marked.replace(/\n+$/, '').replaceAll(/^(?=.)/gm, indent)
  // A list of another kind is a separate list.
  const gap = isOfKind ? '\n' : '\n\n'
  const above = words === '' ? (isOfKind ? '' : gapsAround(start, start)[0]) : `${before.trimEnd()}\n`
  const below = rest === '' ? '' : `${gap}${indent}${all.slice(indent.length).trimEnd()} ${rest}`
  put(above + own + below, start, end)
  field.setSelectionRange(start + above.length + own.length, start + above.length + own.length)
  return true
}

function pasteText(text) {
  const place = cursor()
  if (pasteItems(text, ...place)) return
  const own = text.replace(/\n+$/, '')
  if (!own.trim().includes('\n') && !/^(#|[-*] |\d+\. |>|\||!\[)/.test(own)) return putInLine(own, ...place)
  const [from, to] = withHeading(...withBlanks(...place))
  const lead = leadAt(from, text)
  const [above, below] = gapsAround(from, to)
  const led = lead === '' ? above + own : `${above}${own}`.replaceAll('\n', `\n${lead}`).replaceAll(/[ \t]+(?=\n)/g, '')
  put(led + (lead === '' ? below : gapInLead(lead, field.value.slice(to))), from, to)
  // The author continues where it ends, not below it.
  field.setSelectionRange(from + led.length, from + led.length)
}

/**
 * Extends a range by the blanks around it, which mean nothing where blocks split a line. Those behind the mark of an
 * item belong to the mark.
 */
function withBlanks(from, to) {
  const line = field.value.slice(lineStart(from), from)
  const isInWords = line.slice(furtherLead(line).length).trim() !== ''
  const before = isInWords ? line.length - line.trimEnd().length : 0
  const [behind] = /^[ \t]*/.exec(field.value.slice(to))
  return [from - before, to + behind.length]
}

/** Extends a range by a heading without words, which is what remains of the title if a whole page was selected. */
function withHeading(from, to) {
  const start = lineStart(from)
  const isBare = to === lineEnd(to) && /^#{1,6}[ \t]*$/.test(field.value.slice(start, from))
  return isBare ? [start, to] : [from, to]
}

/**
 * What follows on the same line, or on the next one, becomes a separate paragraph. This does not apply to the next
 * item, or to text outside the list or quote.
 */
function gapInLead(lead, rest) {
  if (rest !== '' && !rest.startsWith('\n')) return `\n${lead.trimEnd()}\n${lead}`
  const next = rest.slice(1).split('\n', 1)[0]
  return next.startsWith(lead) && next.slice(lead.length).trim() !== '' ? `\n${lead.trimEnd()}` : ''
}
