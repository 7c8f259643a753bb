// What the author does while everything visible is being replaced. It is done to the new page, in the same order.

/** Functions that do it. Those that need a place have a `find`. */
const early = []

/** A paste among them starts a task of its own: the rest follows after that. */
asSeen.doEarly = () => {
  // All places are found before anything is done there: they move along with it.
  for (const each of early) each.find?.()
  while (early.length > 0 && !isWorking) early.shift()()
  // Their lines may have changed.
  for (const each of early) each.note?.()
}

/** Returns whether to do what a browser usually does: at the edges of blocks, it is something else. */
const isUsual = (event) => !asSeen.isOn || hostOf(chosenRange().startContainer).dispatchEvent(event)
const asPressed = { bubbles: true, cancelable: true }

// ---------------------------------------------------------------------------------------------------------- typing
const typedAgain = {
  insertText: (data) => document.execCommand('insertText', false, data),
  insertParagraph: () => document.execCommand(isInCodeField() ? 'insertLineBreak' : 'insertParagraph'),
  insertLineBreak: () => document.execCommand('insertLineBreak'),
  deleteContentBackward: () => document.execCommand('delete'),
  deleteContentForward: () => document.execCommand('forwardDelete'),
}
const keyOf = { insertParagraph: 'Enter', deleteContentBackward: 'Backspace', deleteContentForward: 'Delete' }

visual.addEventListener(
  'beforeinput',
  (event) => {
    const { inputType, data } = event
    if (!isWorking || isComposed || event.isComposing || inputType.startsWith('history')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (typedAgain[inputType]) early.push(() => typeAgain(inputType, data))
  },
  { capture: true },
)

/** A command announces neither the key nor the input. */
function typeAgain(inputType, data) {
  const key = keyOf[inputType]
  if (key && !isUsual(new KeyboardEvent('keydown', { key, ...asPressed }))) return
  if (isUsual(new InputEvent('beforeinput', { inputType, data, ...asPressed }))) typedAgain[inputType](data)
}

// Composing a word cannot be prevented: one that was begun early is taken out at its end, and typed again.
let isBegunEarly = false
visual.addEventListener('compositionstart', () => (isBegunEarly = isWorking))
visual.addEventListener('compositionend', ({ data }) => {
  if (!isWorking || !isBegunEarly || !data) return
  const left = isTakenOut(data) ? undefined : visual.firstChild
  early.push(() => left?.isConnected || typedAgain.insertText(data))
})

/** Takes out the words in front of the cursor, if they are there. */
function isTakenOut(words) {
  const { startContainer: node, startOffset: at } = chosenRange()
  if (!node.data?.slice(0, at).replaceAll('\u00a0', ' ').endsWith(words)) return false
  getSelection().setBaseAndExtent(node, at - words.length, node, at)
  return document.execCommand('delete')
}

// ------------------------------------------------------------------------------------------------------ cursor keys
/** Buttons and what has a dialog: neither keys nor clicks there place the cursor. */
const ownPlaces = `.frame-tools, .card-change, ${askable}`

/** The direction, and how far a key moves the cursor: alone, and together with the key for words. */
const moves = {
  ArrowLeft: ['left', 'character', 'word'],
  ArrowRight: ['right', 'character', 'word'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
  PageUp: [],
  PageDown: [],
}

const stepOf = ({ key, ctrlKey, altKey, metaKey }) =>
  metaKey || (isMac ? ctrlKey : altKey) ? undefined : moves[key][(isMac ? altKey : ctrlKey) ? 2 : 1]

const isControl = ({ ctrlKey, altKey, shiftKey, metaKey }) => (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey

// Keys that cannot be pressed again are ignored: in the page that is replaced, they would move what is inserted there.
visual.addEventListener(
  'keydown',
  (event) => {
    if (!isWorking || isComposing(event) || event.target.closest(ownPlaces)) return
    const isAll = isControl(event) && letterOf(event) === 'a'
    if (!isAll && !moves[event.key]) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (isAll || stepOf(event)) early.push(() => pressAgain(event, isAll))
  },
  { capture: true },
)

function pressAgain(event, isAll) {
  const { key, code, shiftKey, ctrlKey, altKey, metaKey } = event
  const pressed = new KeyboardEvent('keydown', { key, code, shiftKey, ctrlKey, altKey, metaKey, ...asPressed })
  if (!asSeen.isOn || !isUsual(pressed)) return
  if (isAll) document.execCommand('selectAll')
  else getSelection().modify(shiftKey ? 'extend' : 'move', moves[key][0], stepOf(event))
}

// ----------------------------------------------------------------------------------------------------------- clicks
const lines = 'p, li, h1, h2, h3, h4, h5, h6, td, th, [data-cell], [data-text], [data-words]'

visual.addEventListener(
  'mousedown',
  (event) => {
    // A click also ends the composing of a word, which belongs where the cursor is now.
    if (!isWorking || isComposed) return
    event.preventDefault()
    const place = event.button === 0 && !event.target.closest(ownPlaces) && placeUnder(event)
    if (!place) return
    // What is typed next is not for a button that was pressed before.
    const range = chosenRange().cloneRange()
    if (document.activeElement !== hostOf(range.startContainer)) chooseAgain(range)
    const click = () => cursorAgain(place)
    click.find = () => (place.range = rangeOf(place) ?? place.range)
    click.note = () => Object.assign(place, isInLine(place.range) && placeAt(place.range))
    early.push(click)
  },
  { capture: true },
)

const linesIn = (block) => [block, ...block.querySelectorAll(lines)]

/** Empty paragraphs are not in the text. */
const blocksNow = () => [...visual.children].filter((each) => !each.matches('p') || !isEmpty(each))

/** A line without the blocks in it. */
function rangeIn(line) {
  const range = document.createRange()
  range.selectNodeContents(line)
  const inner = line.matches('li') && [...line.children].find((each) => each.matches(inItems))
  if (inner) range.setEndBefore(inner)
  return range
}

/** The words of a range. A line break counts as a character. */
function wordsOf(range) {
  const copy = range.cloneContents()
  for (const each of copy.querySelectorAll('br')) each.replaceWith('\n')
  return signs.reduce((words, sign) => words.replaceAll(sign, ''), copy.textContent)
}

/**
 * How an element is found again if others are inserted or removed: counted from the end and from the beginning. Most of
 * that happens at the cursor, so what is below it is counted from the end first.
 */
function ranksOf(one, all) {
  const ranks = [all.indexOf(one), all.indexOf(one) - all.length]
  const cursor = one.compareDocumentPosition(chosenRange().endContainer)
  const isBelow = cursor & Node.DOCUMENT_POSITION_PRECEDING && !(cursor & Node.DOCUMENT_POSITION_CONTAINS)
  return isBelow ? ranks.toReversed() : ranks
}

function placeUnder({ clientX, clientY, shiftKey }) {
  const { offsetNode, offset } = document.caretPositionFromPoint?.(clientX, clientY) ?? {}
  const place = placeAt({ startContainer: offsetNode, startOffset: offset })
  return place && { ...place, shiftKey }
}

/** Where a click is: in which line of which block, and the words before and behind it. */
function placeAt({ startContainer: node, startOffset: offset }) {
  const blocks = blocksNow()
  const block = blocks.find((each) => each.contains(node))
  if (!block || !elementAt(node).isContentEditable) return undefined
  const line = elementAt(node).closest(lines) ?? block
  const [before, behind] = [rangeIn(line), rangeIn(line)]
  before.setEnd(node, offset)
  behind.setStart(node, offset)
  const ranks = [ranksOf(block, blocks), ranksOf(line, linesIn(block))]
  return { ranks, before: wordsOf(before), behind: wordsOf(behind).trimEnd() }
}

/** When everything is replaced, a range in it ends up in the page itself. */
const isInLine = (range) => Boolean(range) && range.startContainer !== visual && visual.contains(range.startContainer)

/** Returns the place in the new page, or undefined if the line is not there any more. */
function rangeOf({ ranks: [ofBlock, ofLine], before, behind }) {
  const all = blocksNow()
  const blocks = ofBlock.map((at) => all.at(at)).filter(Boolean)
  const found = blocks.flatMap((block) => ofLine.map((at) => linesIn(block).at(at))).filter(Boolean)
  const words = found.map((line) => wordsOf(rangeIn(line)).trimEnd())
  const at = words.indexOf((before + behind).trimEnd())
  if (at !== -1) return placeIn(found[at], Math.min(before.length, words[at].length))
  // What was inserted may be in the same line.
  const [first, last] = [before || behind, behind || before]
  const begun = first === '' ? -1 : words.findIndex((each) => each.startsWith(first))
  if (begun !== -1) return placeIn(found[begun], before.length)
  const ended = last === '' ? -1 : words.findIndex((each) => each.endsWith(last))
  return ended === -1 ? undefined : placeIn(found[ended], words[ended].length - behind.length)
}

/** Returns the place behind so many characters. */
function placeIn(line, at) {
  const range = document.createRange()
  range.setStart(line, 0)
  range.collapse(true)
  const nodes = document.createTreeWalker(line)
  for (let left = at; left > 0 && nodes.nextNode();) {
    const node = nodes.currentNode
    const isBreak = node.nodeName === 'BR'
    const length = isBreak ? 1 : node.nodeType === Node.TEXT_NODE ? node.length : 0
    if (isBreak) range.setStartAfter(node)
    else if (length > 0) range.setStart(node, Math.min(left, length))
    range.collapse(true)
    left -= length
  }
  return range
}

function cursorAgain({ range, shiftKey }) {
  if (!asSeen.isOn || !isInLine(range)) return
  const { startContainer: node, startOffset: at } = range
  const host = hostOf(node)
  if (!host.isContentEditable) return
  if (shiftKey && host === hostOf(chosenRange().startContainer)) return getSelection().extend(node, at)
  host.focus({ preventScroll: true })
  getSelection().collapse(node, at)
  elementAt(node).scrollIntoView({ block: 'nearest' })
}
