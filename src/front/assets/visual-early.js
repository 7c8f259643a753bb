// What the author does while everything visible is being replaced. It is done to the new page, in the same order.

const early = []

/** A paste among them starts a task of its own: the rest follows after that. */
asSeen.doEarly = () => {
  if (early.length === 0 || isWorking) return
  early.shift()()
  asSeen.doEarly()
}

// ---------------------------------------------------------------------------------------------------------- typing
const typedAgain = {
  insertText: (data) => document.execCommand('insertText', false, data),
  insertParagraph: () =>
    asSeen.enter(false) || document.execCommand(isInCodeField() ? 'insertLineBreak' : 'insertParagraph'),
  insertLineBreak: () => document.execCommand('insertLineBreak'),
  deleteContentBackward: () => document.execCommand('delete'),
  deleteContentForward: () => document.execCommand('forwardDelete'),
}

visual.addEventListener(
  'beforeinput',
  (event) => {
    if (!isWorking || isComposed || event.isComposing || event.inputType.startsWith('history')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const again = typedAgain[event.inputType]
    if (again) early.push(() => again(event.data))
  },
  { capture: true },
)

// A composed word is in the page that is replaced. Tasks wait for its end, and it is then typed again.
visual.addEventListener('compositionend', ({ data }) => {
  if (isWorking && data) early.push(() => typedAgain.insertText(data))
})

// ------------------------------------------------------------------------------------------------------ cursor keys
/** The direction, and how far a key moves the cursor: alone, and together with the key for words. */
const moves = {
  ArrowLeft: ['left', 'character', 'word'],
  ArrowRight: ['right', 'character', 'word'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
}

const stepOf = ({ key, ctrlKey, altKey, metaKey }) =>
  metaKey || (isMac ? ctrlKey : altKey) ? undefined : moves[key]?.[(isMac ? altKey : ctrlKey) ? 2 : 1]

visual.addEventListener(
  'keydown',
  (event) => {
    if (!isWorking || !stepOf(event) || isComposing(event) || event.target.closest(ownPlaces)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    early.push(() => moveAgain(event))
  },
  { capture: true },
)

/** At the edges of blocks, keys do something else than in a browser. */
function moveAgain(event) {
  const { key, shiftKey, ctrlKey, altKey } = event
  const again = new KeyboardEvent('keydown', { key, shiftKey, ctrlKey, altKey, bubbles: true, cancelable: true })
  if (!hostOf(chosenRange().startContainer).dispatchEvent(again)) return
  getSelection().modify(shiftKey ? 'extend' : 'move', moves[key][0], stepOf(event))
}

// ---------------------------------------------------------------------------------------------------------- clicks
/** Buttons and what has a dialog: a click on them places no cursor. */
const ownPlaces = `.frame-tools, .card-change, ${askable}`
const lines = 'p, li, h1, h2, h3, h4, h5, h6, td, th, [data-cell], [data-text], [data-words]'

visual.addEventListener(
  'mousedown',
  (event) => {
    // A click also ends the composing of a word, which belongs where the cursor is now.
    if (!isWorking || isComposed || event.button !== 0 || event.target.closest(ownPlaces)) return
    const place = placeUnder(event)
    if (!place) return
    event.preventDefault()
    early.push(() => cursorAgain(place))
  },
  { capture: true },
)

const wordsOf = (words) => signs.reduce((rest, sign) => rest.replaceAll(sign, ''), words.toString())
const linesIn = (block) => [block, ...block.querySelectorAll(lines)]

/** Blocks below the cursor are counted from the end, because others may be inserted at the cursor. */
function placeUnder({ clientX, clientY, shiftKey }) {
  const { offsetNode: node, offset } = document.caretPositionFromPoint?.(clientX, clientY) ?? {}
  const blocks = [...visual.children]
  const block = blocks.find((each) => each.contains(node))
  if (!block || !elementAt(node).isContentEditable) return undefined
  const line = elementAt(node).closest(lines) ?? block
  const before = document.createRange()
  before.selectNodeContents(line)
  before.setEnd(node, offset)
  const isBelow = block.compareDocumentPosition(chosenRange().endContainer) & Node.DOCUMENT_POSITION_PRECEDING
  return {
    row: blocks.indexOf(block) - (isBelow ? blocks.length : 0),
    line: linesIn(block).indexOf(line),
    words: wordsOf(line.textContent),
    at: wordsOf(before).length,
    shiftKey,
  }
}

/** Leaves the cursor where it is if that line is no longer there. */
function cursorAgain({ row, line, words, at, shiftKey }) {
  const block = [...visual.children].at(row)
  const found = block && linesIn(block)[line]
  if (!found || found.textContent !== words) return
  const [node, offset] = placeIn(found, at)
  const host = hostOf(node)
  if (!host.isContentEditable) return
  if (shiftKey && host === hostOf(chosenRange().startContainer)) return getSelection().extend(node, offset)
  host.focus({ preventScroll: true })
  getSelection().collapse(node, offset)
}

/** The node and offset behind so many characters. */
function placeIn(line, at) {
  const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  let left = at
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (left <= node.length) return [node, left]
    left -= node.length
  }
  return [line, 0]
}
