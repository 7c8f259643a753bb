// What is copied, cut and pasted where somebody writes without seeing Markdown.

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

/** What an editor of code says that it copied; undefined where none did. */
function copiedLanguage(copied) {
  try {
    return String(JSON.parse(copied.getData('vscode-editor-data')).mode ?? '')
  } catch {
    return undefined
  }
}

const namesOfLanguages = { javascriptreact: 'jsx', plaintext: '', shellscript: 'bash', typescriptreact: 'tsx' }

/** Code of several lines is a block: as a text, it would lose what its lines begin with. */
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

/** Words of one line keep their marks and links, and what is no text among them. */
function pasteInCell(cell, copied, plain) {
  const rows = asSeen.rowsIn(copied, plain)
  if (rows) return asSeen.fillCells(cell, rows)
  const words = inOneLine(plain)
  const page = pageIn(copied)
  const isOurs = copied.includes('data-lectern=')
  const blocks = page.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6')
  // A formula has lines of its own where it is text.
  const isLine = (isOurs ? blocks.length < 2 : !plain.trim().includes('\n')) && !page.querySelector('.frame, pre')
  if (!isLine || copied.length > mostPasted || !(isOurs || isShaped(copied, plain))) return command('insertText', words)
  for (const block of page.querySelectorAll('h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote'))
    block.replaceWith(...block.childNodes)
  return pasteOver(() => pasteShaped(page.body.innerHTML, words, putInCell))
}

const putInCell = (text) => putInLine(asCell(text), ...cursor())

/** Where the same mark ends in front of it that it begins with, or the other way round, it goes on: both beside each other are none. */
function putInLine(text, from, to) {
  const [above, below] = [field.value.slice(lineStart(from), from), field.value.slice(to, lineEnd(to))]
  const [ended, begun, ends, begins] = [markAt(above, true), markAt(text), markAt(text, true), markAt(below)]
  const before = ended !== '' && ended === begun ? begun.length : 0
  const behind = ends !== '' && ends === begins && text.length > before + ends.length ? ends.length : 0
  put(text.slice(before, text.length - behind), from - before, to + behind)
}

const markAt = (text, isEnd) => (isEnd ? /(?<![\\*_~])(?:\*+|_+|~+)$/ : /^(?:\*+|_+|~+)(?![*_~])/).exec(text)?.[0] ?? ''

/** An address over some words of one block links them to it. */
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
  // Signs of Markdown say nothing there.
  if (isLine && elementAt(chosenRange().startContainer).closest('code')) return command('insertText', plain)
  // A cell is one line, and code has no shape. What comes from a sheet goes into a cell each.
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
 * As a browser takes away what is chosen: it may begin within marks and end outside, which no part of a text does. And what
 * comes has marks and lines of its own, which would end those around it.
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

/** What nobody wrote as Markdown is none: an empty line ends a paragraph, lines stay lines, and those of a list are one. */
function shapeOf(plain) {
  const page = document.createElement('div')
  // A row that says nothing yet is no end of a sheet.
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

/** Lines with the same number of tabs are rows of a table. Tabs that all lines begin with indent them. */
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

/** What was copied here is known by its Markdown: a word stands for each block until all else has become that, and so for links. */
function namesOfBlocks(page) {
  const names = new Map()
  for (const block of page.querySelectorAll('[data-markdown]')) {
    if (block.parentElement.closest('[data-markdown]')) continue
    // A digit may stand right behind it.
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

/** What further lines begin with below one that begins so: marks of quotes, and blanks where a list has its own. */
const furtherLead = (line) =>
  /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/.exec(line)[0].replaceAll(/[^\s>]/g, ' ')

/** Behind these marks, all lines of a block are in what those begin. */
const ledAs = (line, block) =>
  block.replaceAll(/\n(.?)/g, (_, next) => `\n${next ? furtherLead(line) : furtherLead(line).trimEnd()}${next}`)

/** A part of a text as it is elsewhere: its lines begin without what those of the list or quote have in front, in which it stands. */
function aloneIn(text, from, to) {
  const lead = furtherLead(text.slice(lineStartIn(text, from), from))
  const [first, ...more] = text.slice(from, to).split('\n')
  const leadOf = (line) => [lead, lead.trimEnd()].find((each) => line.startsWith(each)) ?? ''
  return [first, ...more.map((line) => line.slice(leadOf(line).length))].join('\n')
}

const lineStartIn = (text, at) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

/** What is in front of each line in a list or a quote, in which what is pasted stays. A list goes on with the one it is put into. */
function leadAt(from, text) {
  const line = field.value.slice(lineStart(from), from)
  const item = listItem.exec(line)
  if (!item) return /^(?:[ \t]*>)*[ \t]*/.exec(line)[0]
  const [all, indent, , , , , box = ''] = item
  return listItem.test(text) ? indent : indent + ' '.repeat(all.length - indent.length - box.length)
}

/**
 * Items of a list that is pasted into one stand among its items: in place of one that has nothing in it yet, else behind
 * the one with the cursor, which goes on below them with what stood behind that.
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
  // A list of another kind is one of its own.
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
  // Whoever goes on does so where it ends, not below it.
  field.setSelectionRange(from + led.length, from + led.length)
}

/** Where blocks part a line, the blanks around them say nothing. Those behind the mark of an item belong to it. */
function withBlanks(from, to) {
  const line = field.value.slice(lineStart(from), from)
  const isInWords = line.slice(furtherLead(line).length).trim() !== ''
  const before = isInWords ? line.length - line.trimEnd().length : 0
  const [behind] = /^[ \t]*/.exec(field.value.slice(to))
  return [from - before, to + behind.length]
}

/** Nor does a heading that has no words: of a page that was chosen as a whole, its title is left like that. */
function withHeading(from, to) {
  const start = lineStart(from)
  const isBare = to === lineEnd(to) && /^#{1,6}[ \t]*$/.test(field.value.slice(start, from))
  return isBare ? [start, to] : [from, to]
}

/** What follows on the same line, or on the next one, is a paragraph of its own; not so the next item, or what is no part of it. */
function gapInLead(lead, rest) {
  if (rest !== '' && !rest.startsWith('\n')) return `\n${lead.trimEnd()}\n${lead}`
  const next = rest.slice(1).split('\n', 1)[0]
  return next.startsWith(lead) && next.slice(lead.length).trim() !== '' ? `\n${lead.trimEnd()}` : ''
}

// ---------------------------------------------------------------------------------------------------------- copying
/** The text that blocks have their places in, and those that somebody has changed since. */
let placedIn = ''
let changed = new WeakSet()
const changes = new MutationObserver(noteChanges)
changes.observe(visual, { subtree: true, childList: true, characterData: true, attributes: true })

function noteChanges(records) {
  for (const { target } of records)
    for (let frame = elementAt(target)?.closest('.frame'); frame; frame = frame.parentElement?.closest('.frame'))
      changed.add(frame)
}

/** All that is seen was drawn from this text. */
asSeen.placed = (text) => {
  changes.takeRecords()
  changed = new WeakSet()
  placedIn = text
}

/** What was sent is known once its places come back; what somebody changes meanwhile is not. */
asSeen.sent = () => {
  noteChanges(changes.takeRecords())
  const [before, frames] = [changed, [...visual.querySelectorAll('.frame')]]
  const kinds = [...new Set(frames.map(({ dataset }) => dataset.kind))].map((kind) => [kind, asSeen.framesOf(kind)])
  changed = new WeakSet()
  return (text, places) => {
    noteChanges(changes.takeRecords())
    if (text === undefined) {
      for (const frame of frames) if (before.has(frame)) changed.add(frame)
      return
    }
    placedIn = text
    for (const [kind, alike] of kinds) {
      const found = placesOf(kind, alike.length, places)
      for (const [at, frame] of alike.entries()) {
        setOrRemove(frame, 'data-from', found[at]?.from)
        setOrRemove(frame, 'data-to', found[at]?.to)
      }
    }
    // Places are no changes.
    changes.takeRecords()
  }
}

/** The server knows of blocks that are none here yet, such as a picture that is left alone: where a kind has others, none is known. */
function placesOf(kind, count, places) {
  const found = places.filter(([type, from]) => type === kind && Number.isInteger(from))
  return found.length === count ? found.map(([, from, to]) => ({ from, to })) : []
}

/** Which of its kind a frame is. A quote that says nothing yet is none in the text. */
asSeen.rankOf = (frame) => {
  const { kind } = frame.dataset
  const alike = asSeen.framesOf(kind)
  return { kind, at: alike.indexOf(frame), of: alike.length }
}

asSeen.framesOf = (kind) =>
  [...visual.querySelectorAll('.frame')].filter(
    (each) => each.dataset.kind === kind && (kind !== 'quote' || each.dataset.block || !isEmpty(insideOf(each))),
  )

const insideOf = (quote) => quote.querySelector('[data-inside]') ?? quote

const setOrRemove = (element, name, value) =>
  value === undefined || value === null ? element.removeAttribute(name) : element.setAttribute(name, value)

for (const name of ['copy', 'cut'])
  visual.addEventListener(name, (event) => {
    if (isWorking) return event.preventDefault()
    const range = chosenRange()
    // What stands in code is text.
    if (range.collapsed || isInCodeField()) return
    event.preventDefault()
    noteChanges(changes.takeRecords())
    event.clipboardData.setData('text/plain', getSelection().toString())
    event.clipboardData.setData('text/html', copyOf(range).outerHTML)
    if (name === 'cut') command('delete')
  })

/** As it is elsewhere: without tools, with the Markdown of blocks and of what is no text, and with the marks around it. */
function copyOf(range) {
  const copy = document.createElement('div')
  copy.append(range.cloneContents())
  const isCopied = (frame) => range.intersectsNode(frame) && !frame.contains(range.commonAncestorContainer)
  const frames = [...visual.querySelectorAll('.frame')].filter(isCopied)
  let answer
  // As all of it is now: what is cut is gone then.
  const places = () => (answer ??= askServer('/text', { text: seenOf, markup: markupNow() }))
  for (const [at, frame] of [...copy.querySelectorAll('.frame')].entries()) putSource(frame, frames[at], places)
  for (const each of copy.querySelectorAll('.frame-tools, .card-change')) each.remove()
  for (const each of copy.querySelectorAll('[contenteditable]')) each.removeAttribute('contenteditable')
  for (const each of copy.querySelectorAll('li[data-checked]')) each.prepend(boxOf(each))
  withMarks(copy, range)
  // Where it leads is none of the address of this page, which browsers put in front of it.
  for (const each of copy.querySelectorAll('a[href]')) each.dataset.href = each.getAttribute('href')
  if (copy.firstElementChild) copy.dataset.lectern = 'copied'
  return copy
}

/** A browser copies what is within marks, or within an item, without them. */
function withMarks(copy, { commonAncestorContainer }) {
  let around = elementAt(commonAncestorContainer)
  for (; around !== visual && !around.matches('[data-inside], .frame'); around = around.parentElement) {
    const isList = around.matches('ul, ol') && copy.querySelector(':scope > li')
    if (!isList && !around.matches('a, b, strong, i, em, s, del, u, code, sub, sup, kbd')) continue
    const own = around.cloneNode()
    own.append(...copy.childNodes)
    copy.append(own)
  }
}

/** A box in front of a task is no text here, and one elsewhere. */
function boxOf({ dataset }) {
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.toggleAttribute('checked', dataset.checked === 'true')
  return box
}

/** A block is copied as what it is in the text. Where somebody wrote into it this moment, that comes later: elsewhere, it is what is seen. */
function putSource(copy, frame, places) {
  const { from, to } = copy.dataset
  if (!changed.has(frame)) {
    if (from !== undefined) copy.dataset.markdown = aloneIn(placedIn, Number(from), Number(to))
    return
  }
  const [rank, name] = [asSeen.rankOf(frame), crypto.getRandomValues(new Uint32Array(2)).join('-')]
  copy.dataset.copied = name
  sources.set(
    name,
    places().then((answer) => {
      const place = placesOf(rank.kind, rank.of, answer?.places ?? [])[rank.at]
      return place && aloneIn(answer.text, place.from, place.to)
    }),
  )
}

/** By the names of blocks that were copied before their Markdown was known. */
const sources = new Map()

// What is dragged here from elsewhere is as what is pasted, where it is dropped; and so are files. What is dragged from one
// place to another here is the browser's.
let isDragged = false
visual.addEventListener('dragstart', () => (isDragged = true))
visual.addEventListener('dragend', () => (isDragged = false))
visual.addEventListener('drop', (event) => {
  if (isDragged && asSeen.cellAt(event.target) && hasBlocks(chosenRange())) event.preventDefault()
  if (isDragged) return
  if (hasFiles(event)) return cursorUnder(event)
  event.preventDefault()
  const [copied, plain] = ['text/html', 'text/plain'].map((type) => event.dataTransfer.getData(type))
  if (cursorUnder(event)) void pasteHere(copied, plain.replaceAll(/\r\n?/g, '\n'))
})

/** Whether it is there now. Over what is only looked at, that is behind the block. */
function cursorUnder({ clientX, clientY }) {
  const { offsetNode: node, offset } = document.caretPositionFromPoint?.(clientX, clientY) ?? {}
  if (isWorking || !visual.contains(node)) return false
  const apart = elementAt(node).isContentEditable ? undefined : elementAt(node).closest('.frame, [data-piece]')
  if (apart) cursorBehind(apart)
  else {
    hostOf(node).focus()
    getSelection().collapse(node, offset)
  }
  return true
}

/** A cell is one line: a browser would put whole blocks there, whose words would run together. They stay where they are. */
function hasBlocks(range) {
  const copy = range.cloneContents()
  const blocks = [...copy.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6')].filter((block) => !isEmpty(block))
  return blocks.length > 1 || Boolean(copy.querySelector('.frame'))
}
