// Typing Markdown in the visual editor: its signs turn into what they mean.

// When a browser splits a block, the new one has all of the attributes of the old one.
visual.addEventListener('input', (event) => {
  if (event.inputType !== 'insertParagraph') return
  const made = elementAt(chosenRange().startContainer).closest('li, p, h1, h2, h3, h4, h5, h6')
  const before = made?.previousElementSibling
  if (made?.dataset.checked !== undefined) made.dataset.checked = 'false'
  if (made?.dataset.block !== undefined && made.dataset.block === before?.dataset.block && !isEmpty(before))
    delete made.dataset.block
  // Enter at the start of a heading makes room for text above it.
  if (before?.matches('h2, h3, h4, h5, h6') && made.tagName === before.tagName && isEmpty(before))
    renamed(before, 'P').removeAttribute('data-block')
})

const codeMark = /^```(\w*)\s$/

/** Signs at the beginning of a block. */
const beginnings = [
  [/^(#{2,6})\s$/, (mark) => makeHeading(`H${mark[1].length}`)],
  [/^[-*+]\s$/, () => makeList('UL')],
  [/^1[.)]\s$/, () => makeList('OL')],
  [/^\[ ?\]\s$/, () => makeTasks()],
  [/^>\s$/, (_, block) => makeFrame(block, 'quote')],
  [codeMark, ([, language], block) => makeFrame(block, 'code', language)],
  [/^---\s$/, (_, block) => makeFrame(block, 'divider')],
]

/** Creates a frame as the server would draw it. The server recognizes a block without a number by its elements. */
function makeFrame(block, kind, language) {
  const [frame, inside] = ['div', { quote: 'blockquote', code: 'pre', divider: 'hr' }[kind]].map((name) =>
    document.createElement(name),
  )
  Object.assign(frame, { className: 'frame', contentEditable: 'false' })
  frame.dataset.kind = kind
  frame.append(inside)
  block.before(frame)
  if (kind === 'quote') inside.append(quoteField(block))
  if (kind === 'code') inside.append(codeField(block, language))
  asSeen.addTools(frame)
  cursorIn(kind === 'code' ? inside.firstChild : block)
}

/** The existing text of the block goes into the quote. */
function quoteField(block) {
  const field = document.createElement('div')
  field.dataset.inside = ''
  field.contentEditable = 'true'
  field.append(block)
  return field
}

function codeField(block, language) {
  const field = document.createElement('code')
  field.textContent = block.textContent
  block.remove()
  field.dataset.text = ''
  field.setAttribute('contenteditable', 'plaintext-only')
  if (language) field.className = `language-${language}`
  return field
}

function makeTasks() {
  makeList('UL')
  elementAt(chosenRange().startContainer).closest('li').dataset.checked = 'false'
}

const inText = [
  [/\*\*([^*]+)\*\*$/, 'strong'],
  [/(?<![*\w])\*([^*\s][^*]*)\*$/, 'em'],
  [/(?<![_\w])_([^_\s][^_]*)_$/, 'em'],
  [/`([^`]+)`$/, 'code'],
]

visual.addEventListener('input', (event) => {
  if (event.inputType !== 'insertText' || isInCodeField() || isWorking) return
  const { startContainer: node, startOffset: at } = chosenRange()
  if (node.nodeType !== Node.TEXT_NODE || node.parentElement.closest('code')) return
  const before = node.data.slice(0, at)
  if (/\s/.test(event.data ?? '')) beginBlock(node, before)
  else if (!isExpression(before)) markText(node, before)
})

/** An expression in the Markdown in front of the cursor, where its typed signs may be escaped. */
const escapedExpression = /(?:\\?\{){2}[^{}\n]*(?:\\?\}){2}$/

/** Turns a typed expression into a real one, in place of its escaped signs. Returns whether there was one. */
function isExpression(before) {
  const found = before.endsWith('}}') && expression.exec(before.slice(before.lastIndexOf('{{')))
  if (!found) return false
  void throughText(false, () => {
    const [at] = cursor()
    const written = escapedExpression.exec(field.value.slice(lineStart(at), at))
    if (written) put(found[0], at - written[0].length, at)
  })
  return true
}

function beginBlock(node, before) {
  const block = blockAt(node)
  const typed = before.replaceAll('\u00a0', ' ')
  if (itemAt(node)) return beginCode(node, typed.lastIndexOf('\n') + 1, typed)
  if (!block?.matches('p, div:not(.frame)') || block.firstChild !== node) return false
  for (const [mark, make] of beginnings) {
    const found = mark.exec(typed)
    if (!found) continue
    node.deleteData(0, before.length)
    if (isEmpty(block)) block.replaceChildren(document.createElement('br'))
    cursorIn(block)
    make(found, block)
    touch()
    return true
  }
  return false
}

/** Turns one line of a list item into code, which stays in the item. */
function beginCode(node, from, typed) {
  const found = codeMark.exec(typed.slice(from))
  const { parentElement: words } = node
  if (!found || !words.matches('li, li > p')) return false
  const own = from === 0 ? node : node.splitText(from)
  const above = own.previousSibling
  if (above && !isBreak(above)) return false
  own.deleteData(0, found[0].length)
  if (above?.nodeType === Node.TEXT_NODE) above.deleteData(above.length - 1, 1)
  else above?.remove()
  const line = document.createElement('p')
  if (words.matches('li')) own.before(line)
  else words.after(line)
  for (let each = own; each && !isBlockOfItem(each);) {
    const next = each.nextSibling
    line.append(each)
    each = next
  }
  if (words.matches('p') && isEmpty(words)) words.remove()
  makeFrame(line, 'code', found[1])
  touch()
  return true
}

/** Browsers break a line by an element or by a character. */
const isBreak = (node) => node.nodeName === 'BR' || (node.nodeType === Node.TEXT_NODE && node.data.endsWith('\n'))

const isBlockOfItem = (node) => node.nodeType === Node.ELEMENT_NODE && node.matches('p, ul, ol, .frame')

function markText(node, before) {
  for (const [mark, tag] of inText) {
    const found = mark.exec(before)
    if (!found) continue
    const made = document.createElement(tag)
    made.textContent = found[1]
    const range = document.createRange()
    range.setStart(node, found.index)
    range.setEnd(node, before.length)
    range.deleteContents()
    range.insertNode(made)
    getSelection().selectAllChildren(made)
    getSelection().collapseToEnd()
    marked = made
    return touch()
  }
}

/** The element just created from typed signs. What is typed next goes behind it; browsers would put it inside. */
let marked
visual.addEventListener('beforeinput', (event) => {
  const [behind, { startContainer, endOffset }] = [marked, chosenRange()]
  marked = undefined
  const isThere = behind?.contains(startContainer) && endOffset === (startContainer.length ?? 1)
  if (!isThere || event.inputType !== 'insertText' || !event.data) return
  event.preventDefault()
  const text = document.createTextNode(event.data)
  behind.after(text)
  getSelection().collapse(text, text.length)
  touch()
})
