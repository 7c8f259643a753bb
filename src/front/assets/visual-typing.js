// Whoever knows Markdown goes on writing it where they do not see it: its signs make what they mean.

// What browsers make of one block when it is split has all of its marks twice.
visual.addEventListener('input', (event) => {
  if (event.inputType !== 'insertParagraph') return
  const made = elementAt(chosenRange().startContainer).closest('li, p, h1, h2, h3, h4, h5, h6')
  const before = made?.previousElementSibling
  if (made?.dataset.checked !== undefined) made.dataset.checked = 'false'
  if (made?.dataset.block !== undefined && made.dataset.block === before?.dataset.block && !isEmpty(before))
    delete made.dataset.block
  // Whoever makes room above a heading writes a text there.
  if (before?.matches('h2, h3, h4, h5, h6') && made.tagName === before.tagName && isEmpty(before))
    renamed(before, 'P').removeAttribute('data-block')
})

/** At the beginning of a block. */
const beginnings = [
  [/^(#{2,6})\s$/, (mark) => makeHeading(`H${mark[1].length}`)],
  [/^[-*+]\s$/, () => makeList('UL')],
  [/^1[.)]\s$/, () => makeList('OL')],
  [/^\[ ?\]\s$/, () => makeTasks()],
  [/^>\s$/, (_, block) => makeFrame(block, 'quote')],
  [/^```(\w*)\s$/, ([, language], block) => makeFrame(block, 'code', language)],
  [/^---\s$/, (_, block) => makeFrame(block, 'divider')],
]

/** The same as the server would draw. What has no number yet, it knows by its elements. */
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

/** What stands in the block already goes with it. */
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
  else markText(node, before)
})

function beginBlock(node, before) {
  const block = blockAt(node)
  if (!block?.matches('p, div:not(.frame)') || block.firstChild !== node) return false
  for (const [mark, make] of beginnings) {
    const found = mark.exec(before.replaceAll('\u00a0', ' '))
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

/** What was marked this moment: what is typed next stands behind it, where browsers would put it into it. */
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
