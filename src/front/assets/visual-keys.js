// Keys in the visual editor: at the edges of blocks, where browsers do something other than users expect. Also cleans
// up what browsers leave behind.

/** The list item that contains a node. A frame inside an item starts afresh: it is not part of that item. */
function itemAt(node) {
  const item = elementAt(node).closest('li:not(.step)')
  const frame = elementAt(node).closest('.frame')
  return item && visual.contains(item) && !(frame && item.contains(frame)) ? item : undefined
}

/** Whether nothing in an element precedes the cursor, or follows it. */
function isAtEdge(element, isBehind) {
  const { startContainer, startOffset, endContainer, endOffset } = chosenRange()
  const rest = document.createRange()
  rest.selectNodeContents(element)
  if (isBehind) rest.setStart(endContainer, endOffset)
  else rest.setEnd(startContainer, startOffset)
  return isEmpty(rest.cloneContents())
}

// ---------------------------------------------------------------------------------------------------------- Enter
visual.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || isComposing(event) || event.shiftKey || event.altKey) return
  if (event.target.closest('.frame-tools')) return
  const isControl = event.ctrlKey || event.metaKey
  // A plain Enter is followed by a `beforeinput` event, which is handled there.
  if (isWorking && isControl) early.push(() => enter(true))
  if (isWorking ? isControl : enter(isControl)) event.preventDefault()
})

/** Handles Enter. Returns whether it did something other than start a line. */
function enter(isControl) {
  if (!isControl && asSeen.chooseListed()) return true
  const { startContainer, startOffset } = chosenRange()
  // In Markdown, these are on a line of their own.
  const before = startContainer.nodeType === Node.TEXT_NODE ? startContainer.data.slice(0, startOffset) : ''
  if (!isControl && /(?:^|\n)(?:```\w*|---)$/.test(before) && beginBlock(startContainer, `${before} `)) return true
  const frame = elementAt(startContainer).closest('.frame')
  const item = isControl ? itemAt(startContainer)?.closest('[data-checked]') : undefined
  if (item) {
    item.dataset.checked = String(item.dataset.checked !== 'true')
    touch()
    return true
  }
  if (isControl && frame) writeBelow(outermost(frame))
  return isControl ? Boolean(frame) : isOut(frame, startContainer)
}

/** Enter on an empty line at the end of a frame leaves the frame. Returns whether it did. */
function isOut(frame, node) {
  const block = blockAt(node)
  const inside = block?.parentElement
  if (!frame || !inside?.matches('[data-inside]') || !block.matches('p') || !isEmpty(block) || block.nextElementSibling)
    return false
  writeBelow(outermost(frame))
  if (inside.children.length > 1) block.remove()
  return true
}

asSeen.enter = enter

/** There is no place for text behind a part of a frame, so this returns the frame around it. */
function outermost(frame) {
  return isPart(frame) ? outermost(frame.parentElement.closest('.frame')) : frame
}

// In a frame within a list, a browser would start the next item of that list, outside the frame.
visual.addEventListener('beforeinput', (event) => {
  if (event.inputType !== 'insertParagraph') return
  const { startContainer } = chosenRange()
  const host = hostOf(startContainer)
  if (!host.matches('[data-inside]') || !host.closest('li') || itemAt(startContainer)) return
  event.preventDefault()
  splitBlock()
})

function splitBlock() {
  const range = chosenRange()
  range.deleteContents()
  const block = blockAt(range.startContainer)
  if (!block) return
  const rest = document.createRange()
  rest.selectNodeContents(block)
  rest.setStart(range.startContainer, range.startOffset)
  const own = document.createElement('p')
  own.append(rest.extractContents())
  for (const each of [block, own]) if (isEmpty(each)) each.replaceChildren(document.createElement('br'))
  block.after(own)
  cursorIn(own)
  touch()
}

// ----------------------------------------------------------------------------------------------- Backspace and Delete
// Next to a frame, a browser would delete what is around it, or the frame without asking: the tools of the frame are
// focused instead.
visual.addEventListener('keydown', (event) => {
  const isBehind = event.key === 'Delete'
  if ((event.key !== 'Backspace' && !isBehind) || isComposing(event) || isWorking) return
  const button = event.target.closest('.frame-tools button')
  const range = chosenRange()
  if (button) {
    event.preventDefault()
    if (button.dataset.does === 'delete') deleteFrame(button.closest('.frame'))
  } else if (range.collapsed && !isInCodeField() && isAtBorder(range.startContainer, isBehind)) event.preventDefault()
})

function isAtBorder(node, isBehind) {
  const item = itemAt(node)
  if (item && !isBehind && isAtEdge(item, false)) {
    keepingChosen(() => (isNested(item) ? outdent(item) : unlist(item.parentElement)))
    return true
  }
  const block = blockAt(node)
  if (!block || block.matches('.frame') || !isAtEdge(block, isBehind)) return false
  const frame = isBehind ? block.nextElementSibling : block.previousElementSibling
  if (!frame?.matches('.frame')) return false
  if (isEmpty(block)) {
    block.remove()
    touch()
  }
  frame.querySelector(':scope > .frame-tools [data-does=delete]')?.focus()
  return true
}

// ------------------------------------------------------------------------------------------------------------ lists
// If an item cannot be indented or outdented further, the Tab key moves the focus as usual, so that nobody gets caught
// in a list.
visual.addEventListener('keydown', (event) => {
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event
  if (key !== 'Tab' || ctrlKey || altKey || metaKey || event.target.closest('.frame-tools')) return
  if (isWorking) early.push(() => tab(shiftKey))
  if (isWorking || tab(shiftKey)) event.preventDefault()
})

/** Handles the Tab key. Returns whether it did anything. */
function tab(isBack) {
  if (asSeen.tabInCell(isBack)) return true
  const item = itemAt(chosenRange().startContainer)
  if (!item || !(isBack ? isNested(item) : item.previousElementSibling?.matches('li'))) return false
  keepingChosen(() => (isBack ? outdent(item) : indent(item)))
  return true
}

const isNested = ({ parentElement }) => parentElement.parentElement.matches('li, ul, ol')

/** Makes an item a subitem of the one above it. */
function indent(item) {
  const above = item.previousElementSibling
  const last = above.lastElementChild
  const list = last?.matches('ul, ol') ? last : document.createElement(item.parentElement.tagName)
  if (list !== last) above.append(list)
  list.append(item)
}

/** Items below it in the same list become its subitems. */
function outdent(item) {
  const list = item.parentElement
  const outer = list.parentElement
  const below = list.cloneNode()
  below.removeAttribute('data-block')
  while (item.nextSibling) below.append(item.nextSibling)
  if (outer.matches('li')) outer.after(item)
  else list.after(item)
  if (below.children.length > 0) item.append(below)
  if (list.children.length === 0) list.remove()
}

// ------------------------------------------------------------------------------------------------------ out of code
// If a block ends with code, a browser has no cursor position behind the code. After this key, what is typed goes
// there.
visual.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowRight' || event.shiftKey || isWorking) return
  const range = chosenRange()
  const code = elementAt(range.startContainer).closest('code:not([data-text])')
  const block = code?.closest('p, li, h1, h2, h3, h4, h5, h6, [data-cell]')
  // Pressed again, the key moves on as usual.
  if (!block || marked === code || !range.collapsed || !isAtEdge(block, true)) return
  event.preventDefault()
  marked = code
})

// ---------------------------------------------------------------------------------------------------------- choosing
// Ctrl+A selects the whole field first, and then the whole page.
visual.addEventListener('keydown', (event) => {
  const isControl = isMac ? event.metaKey : event.ctrlKey
  if (!isControl || event.shiftKey || event.altKey || letterOf(event) !== 'a') return
  const host = hostOf(chosenRange().startContainer)
  if (host === visual || (isAtEdge(host, false) && isAtEdge(host, true))) return
  event.preventDefault()
  getSelection().selectAllChildren(host)
})

// Selecting line by line with the keyboard moves past a frame, where browsers stop.
visual.addEventListener('keydown', (event) => {
  const isUp = event.key === 'ArrowUp'
  if (!event.shiftKey || (event.key !== 'ArrowDown' && !isUp) || isWorking || event.ctrlKey || event.metaKey) return
  const { focusNode, focusOffset } = getSelection()
  if (!visual.contains(focusNode) || hostOf(focusNode) !== visual) return
  const extend = (frame) => getSelection().extend(visual, [...visual.childNodes].indexOf(frame) + (isUp ? 0 : 1))
  // Between two frames, a browser would go back.
  const next = focusNode === visual ? visual.childNodes[focusOffset - (isUp ? 1 : 0)] : undefined
  if (next?.matches?.('.frame')) {
    event.preventDefault()
    return extend(next)
  }
  // After the browser has moved the selection.
  setTimeout(() => {
    const now = getSelection()
    if (now.focusNode !== focusNode || now.focusOffset !== focusOffset || focusNode === visual) return
    const block = blockAt(focusNode)
    const frame = isUp ? block?.previousElementSibling : block?.nextElementSibling
    if (frame?.matches('.frame')) extend(frame)
  })
})

// Arrow down from the last block of a page, if that is a frame, adds a paragraph below it.
visual.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown' || event.shiftKey || isWorking || isComposing(event)) return
  const { startContainer } = chosenRange()
  const last = visual.lastElementChild
  const field = hostOf(startContainer)
  if (!last?.matches('.frame') || !last.contains(startContainer) || !asSeen.isOnEdge(field, false)) return
  if ([...last.querySelectorAll('[contenteditable=true], [data-text]')].some((each) => isBehind(each, field))) return
  event.preventDefault()
  writeBelow(last)
})

/** In a table, only the rows below count. */
function isBehind(other, field) {
  if (field.matches('td, th')) return other.closest('tr').rowIndex > field.closest('tr').rowIndex
  return Boolean(field.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) && !field.contains(other)
}

// --------------------------------------------------------------------------------------------- what browsers leave
// Wraps words that are outside any block, which no tool can handle, and unwraps styled spans left by joining blocks,
// which mean nothing.
visual.addEventListener('input', (event) => {
  if (event.isComposing || isInCodeField()) return
  const looks = [...visual.querySelectorAll('span:not([class], [data-piece])')].filter((each) => each.isContentEditable)
  const hosts = [visual, ...visual.querySelectorAll('[data-inside][contenteditable=true]')]
  const bare = hosts.flatMap(({ childNodes }) => [...childNodes]).filter(isBare)
  if (looks.length === 0 && bare.length === 0) return
  keepingChosen(() => {
    for (const look of looks) look.replaceWith(...look.childNodes)
    const made = new Set()
    for (const words of bare) made.add(paragraphAround(words, made))
  })
})

const isBare = (node) =>
  node.nodeType === Node.TEXT_NODE
    ? node.data.trim() !== ''
    : node.matches('a, b, strong, i, em, s, del, u, code, span, kbd, sub, sup')

/** Words next to each other are put into the same paragraph. */
function paragraphAround(words, made) {
  const before = words.previousSibling
  const own = made.has(before) ? before : document.createElement('p')
  if (own !== before) words.before(own)
  own.append(words)
  return own
}
