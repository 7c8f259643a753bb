// Copying and cutting in the visual editor, and the places of its blocks in the text.

/** The text that the places of blocks refer to, and the blocks that were changed since. */
let placedIn = ''
let changed = new WeakSet()
const changes = new MutationObserver(noteChanges)
changes.observe(visual, { subtree: true, childList: true, characterData: true, attributes: true })

function noteChanges(records) {
  for (const { target } of records)
    for (let frame = elementAt(target)?.closest('.frame'); frame; frame = frame.parentElement?.closest('.frame'))
      changed.add(frame)
}

/** Called when everything was drawn from this text. */
asSeen.placed = (text) => {
  changes.takeRecords()
  changed = new WeakSet()
  placedIn = text
}

/**
 * Called when the content is sent. The returned function takes the new places of the blocks; those changed in the
 * meantime stay marked as changed.
 */
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
    // Setting places is not a change.
    changes.takeRecords()
  }
}

/**
 * The server may find blocks that are not frames here yet, such as a picture that is left alone. If their number
 * differs for a kind, no place is known.
 */
function placesOf(kind, count, places) {
  const found = places.filter(([type, from]) => type === kind && Number.isInteger(from))
  return found.length === count ? found.map(([, from, to]) => ({ from, to })) : []
}

/** Returns the index of a frame among those of its kind. A quote that is still empty does not exist in the text. */
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
    // In a code field, the browser copies plain text.
    if (range.collapsed || isInCodeField()) return
    event.preventDefault()
    noteChanges(changes.takeRecords())
    event.clipboardData.setData('text/plain', getSelection().toString())
    event.clipboardData.setData('text/html', copyOf(range).outerHTML)
    if (name === 'cut') command('delete')
  })

/**
 * Returns the selection as it is pasted elsewhere: without tools, with the Markdown of blocks and of elements that are
 * not text, and with the marks around it.
 */
function copyOf(range) {
  const copy = document.createElement('div')
  copy.append(range.cloneContents())
  const isCopied = (frame) => range.intersectsNode(frame) && !frame.contains(range.commonAncestorContainer)
  const frames = [...visual.querySelectorAll('.frame')].filter(isCopied)
  let answer
  // Sends the current state: what is cut is gone afterwards.
  const places = () => (answer ??= askServer('/text', { text: seenOf, markup: markupNow() }))
  for (const [at, frame] of [...copy.querySelectorAll('.frame')].entries()) putSource(frame, frames[at], places)
  for (const each of copy.querySelectorAll('.frame-tools, .card-change')) each.remove()
  for (const each of copy.querySelectorAll('[contenteditable]')) each.removeAttribute('contenteditable')
  for (const each of copy.querySelectorAll('li[data-checked]')) each.prepend(boxOf(each))
  withMarks(copy, range)
  // The link target as written: browsers put the address of this page in front of it.
  for (const each of copy.querySelectorAll('a[href]')) each.dataset.href = each.getAttribute('href')
  if (copy.firstElementChild) copy.dataset.lectern = 'copied'
  return copy
}

/** Adds the marks or the list around the selection: a browser copies their contents without them. */
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

/** Creates a checkbox for a task. In the editor the box is not part of the content, elsewhere it is. */
function boxOf({ dataset }) {
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.toggleAttribute('checked', dataset.checked === 'true')
  return box
}

/**
 * Adds the Markdown of a block to its copy. If the block was just changed, its Markdown is determined later; other
 * programs get the block as it looks.
 */
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

/** The Markdown of blocks that were copied before it was known, by name. */
const sources = new Map()

// What is dragged here from elsewhere is pasted where it is dropped; the same goes for files. Dragging within the
// editor is left to the browser.
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

/**
 * Places the cursor under the pointer. Over parts that cannot be edited, it goes behind the block. Returns whether it
 * was placed.
 */
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

/**
 * Whether a range contains several blocks or a frame. A cell is one line: a browser would put whole blocks there, and
 * their words would run together. So they are not moved there.
 */
function hasBlocks(range) {
  const copy = range.cloneContents()
  const blocks = [...copy.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6')].filter((block) => !isEmpty(block))
  return blocks.length > 1 || Boolean(copy.querySelector('.frame'))
}

/**
 * Returns part of a text as it would be elsewhere: its further lines lose the prefix of the list or quote that it is
 * in.
 */
function aloneIn(text, from, to) {
  const lead = furtherLead(text.slice(lineStartIn(text, from), from))
  const [first, ...more] = text.slice(from, to).split('\n')
  const leadOf = (line) => [lead, lead.trimEnd()].find((each) => line.startsWith(each)) ?? ''
  return [first, ...more.map((line) => line.slice(leadOf(line).length))].join('\n')
}
