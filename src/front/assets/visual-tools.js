// What buttons, keys and what is pasted do where somebody writes without seeing Markdown.

// ---------------------------------------------------------------------------------------------------------- tools
const question = document.querySelector('.writing-question')
const [questionText, questionLine, questionSource] = ['span', 'input', 'textarea'].map((part) =>
  question.querySelector(part),
)

/** What somebody answers; undefined where they do not. */
async function askFor(words, answer, isLong) {
  questionText.textContent = words
  const asked = isLong ? questionSource : questionLine
  questionLine.hidden = isLong
  questionSource.hidden = !isLong
  asked.value = answer
  question.returnValue = ''
  question.showModal()
  asked.focus()
  await new Promise((done) => question.addEventListener('close', done, { once: true }))
  return question.returnValue === 'yes' ? asked.value : undefined
}
// A click beside it is one on what is behind.
question.addEventListener('click', ({ target }) => {
  if (target === question || target.matches('button')) question.close(target.value)
})
questionLine.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || isComposing(event)) return
  event.preventDefault()
  question.close('yes')
})

const command = (name, value) => document.execCommand(name, false, value)

/** By what a tool writes around what is chosen, or in front of lines. */
const visually = {
  '**': () => command('bold'),
  _: () => command('italic'),
  '[': () => linkVisually(),
  '`': () => codeVisually(),
  '## ': () => makeHeading('H2'),
  '- ': () => makeList('UL'),
  '1. ': () => makeList('OL'),
}

asSeen.use = (where, tool) => {
  const own = where === 'block' || where === 'behind' ? undefined : visually[tool.before]
  if (isInCodeField() && own) return
  if (own) own()
  else void throughText(true, () => ways[where](tool, ...cursor()))
}

function isInCodeField(node = chosenRange().startContainer) {
  return Boolean((node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest('[data-text]'))
}

/** What is chosen stays so while what is around it is exchanged. */
function keepingChosen(change) {
  const { startContainer, startOffset, endContainer, endOffset } = chosenRange()
  // In a block without words, the cursor is in the block itself.
  const inside = startContainer.firstChild
  change()
  if (!startContainer.isConnected && inside?.isConnected) cursorIn(inside.parentElement)
  if (startContainer.isConnected && endContainer.isConnected)
    getSelection().setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
  touch()
}

/** The same with another name; what it holds moves over. */
function renamed(element, name) {
  const made = document.createElement(name)
  for (const { name: each, value } of element.attributes) made.setAttribute(each, value)
  made.append(...element.childNodes)
  element.replaceWith(made)
  return made
}

/** Those that text is written into directly, from the first chosen to the last. */
function chosenBlocks() {
  const { startContainer, endContainer } = chosenRange()
  const [first, last] = [blockAt(startContainer), blockAt(endContainer)]
  const blocks = []
  for (let each = first; each; each = each === last ? undefined : each.nextElementSibling)
    if (each.matches('p, div:not(.frame), h1, h2, h3, h4, h5, h6')) blocks.push(each)
  return blocks
}

/** Asked for once more, it is taken away. */
function makeHeading(name) {
  const blocks = chosenBlocks()
  const isThere = blocks.every(({ tagName }) => tagName === name)
  keepingChosen(() => blocks.forEach((each) => renamed(each, isThere ? 'P' : name)))
}

function makeList(name) {
  const list = elementAt(chosenRange().startContainer).closest('.writing-visual ul, .writing-visual ol')
  keepingChosen(() => {
    if (!list) listFrom(chosenBlocks(), name)
    else if (list.tagName !== name) renamed(list, name)
    else unlist(list)
  })
}

/** One that comes to stand beside another goes on with it. */
function listFrom(blocks, name) {
  if (blocks.length === 0) return
  const before = blocks[0].previousElementSibling
  const list = before?.tagName === name ? before : document.createElement(name)
  if (list !== before) blocks[0].before(list)
  for (const block of blocks) {
    const item = document.createElement('li')
    item.append(...block.childNodes)
    list.append(item)
    block.remove()
  }
  const next = list.nextElementSibling
  if (next?.tagName !== name) return
  list.append(...next.childNodes)
  next.remove()
}

/** Items that are chosen become paragraphs, between those above and those below. */
function unlist(list) {
  const range = chosenRange()
  const items = [...list.children].filter((item) => range.intersectsNode(item))
  const below = list.cloneNode()
  below.removeAttribute('data-block')
  below.append(...[...list.children].slice([...list.children].indexOf(items.at(-1)) + 1))
  const blocks = items.flatMap((item) => {
    const own = document.createElement('p')
    const inner = [...item.childNodes].filter((each) => each.nodeType === Node.ELEMENT_NODE && each.matches(inItems))
    own.append(...[...item.childNodes].filter((each) => !inner.includes(each)))
    item.remove()
    return [own, ...inner]
  })
  list.after(...blocks, ...(below.children.length > 0 ? [below] : []))
  if (list.children.length === 0) list.remove()
}

/** What stands in an item beside its words. */
const inItems = 'ul, ol, p, .frame'

/** Around what is chosen; in a link, its address is another one, or none. */
async function linkVisually() {
  const range = chosenRange().cloneRange()
  const link = elementAt(range.startContainer).closest('a')
  const asked = await askFor('Where the link leads', link?.getAttribute('href') ?? 'https://', false)
  if (asked === undefined) return
  const href = asked.trim()
  const isNone = href === '' || href === 'https://'
  if (link) {
    if (isNone) link.replaceWith(...link.childNodes)
    else link.setAttribute('href', href)
    return touch()
  }
  if (isNone) return
  const made = document.createElement('a')
  made.setAttribute('href', href)
  if (range.collapsed) made.textContent = href
  else made.append(range.extractContents())
  range.insertNode(made)
  cursorBehind(made)
  touch()
}

const elementAt = (node) => (node.nodeType === Node.TEXT_NODE ? node.parentElement : node)

function cursorBehind(node) {
  const range = document.createRange()
  range.setStartAfter(node)
  hostOf(node).focus()
  getSelection().removeAllRanges()
  getSelection().addRange(range)
}

function cursorIn(element) {
  const range = document.createRange()
  range.setStart(element, 0)
  hostOf(element).focus()
  getSelection().removeAllRanges()
  getSelection().addRange(range)
}

/** Asked for once more, it is taken away. */
function codeVisually() {
  const range = chosenRange()
  const code = elementAt(range.startContainer).closest('code')
  if (code) code.replaceWith(...code.childNodes)
  else {
    const made = document.createElement('code')
    made.textContent = range.toString() || 'code'
    range.deleteContents()
    range.insertNode(made)
    getSelection().selectAllChildren(made)
  }
  touch()
}

// --------------------------------------------------------------------------------------------------------- frames
/** Parts of a frame are changed with it. */
const isPart = ({ dataset }) => ['tab', 'step', 'column', 'update'].includes(dataset.kind)

const frameTools = {
  source: ['Markdown', 'Edit this block as Markdown'],
  below: ['Text below', 'Write below this block'],
  delete: ['Delete', 'Delete this block'],
}

asSeen.addTools = (frame) => {
  if (isPart(frame)) return
  const tools = document.createElement('div')
  tools.className = 'frame-tools'
  tools.contentEditable = 'false'
  for (const [does, [label, title]] of Object.entries(frameTools)) {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', textContent: label, title })
    button.dataset.does = does
    tools.append(button)
  }
  frame.prepend(tools)
}

visual.addEventListener('click', ({ target }) => {
  const does = target.closest('.frame-tools button')?.dataset.does
  const frame = target.closest('.frame')
  if (does === 'source') void editSource(frame)
  if (does === 'below') writeBelow(frame)
  if (does === 'delete') {
    const next = frame.nextElementSibling ?? frame.previousElementSibling
    frame.remove()
    if (next) cursorIn(next)
    touch()
  }
})

function writeBelow(frame) {
  const own = emptyParagraph()
  frame.after(own)
  cursorIn(own)
}

/** What its Markdown is now is known once the text is. */
async function editSource(frame) {
  const at = [...visual.querySelectorAll('.frame')].indexOf(frame)
  if (!(await isWritten()) || (field.value !== seenOf && !(await drawVisual()))) return
  const { from, to } = visual.querySelectorAll('.frame')[at]?.dataset ?? {}
  if (from === undefined) return
  const [start, end] = [Number(from), Number(to)]
  const source = field.value.slice(start, end)
  const now = await askFor('This block as Markdown', source, true)
  if (now === undefined || now === source) return
  past.push(field.value)
  setText(field.value.slice(0, start) + now + field.value.slice(end))
  await drawVisual(start + now.length, start + now.length)
  touchText()
}

/** The text is another one without anybody's having written into what is seen. */
const touchText = () => (field.dataset.unsaved = 'unsaved')

// A box in front of an item is no text: a click on it sets it.
visual.addEventListener('click', (event) => {
  const item = event.target.closest('li[data-checked]')
  if (!item || event.target !== item || event.clientX >= item.getBoundingClientRect().left + 4) return
  item.dataset.checked = String(item.dataset.checked !== 'true')
  touch()
})

// ----------------------------------------------------------------------------------------------------------- keys
visual.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || isComposing(event) || event.shiftKey || event.altKey) return
  const range = chosenRange()
  const frame = elementAt(range.startContainer).closest('.frame')
  if (event.ctrlKey || event.metaKey) {
    const item = elementAt(range.startContainer).closest('li[data-checked]')
    if (item) {
      item.dataset.checked = String(item.dataset.checked !== 'true')
      touch()
    } else if (frame) writeBelow(outermost(frame))
    else return
    return event.preventDefault()
  }
  // An empty line at the end of a frame leads out of it.
  const block = blockAt(range.startContainer)
  const inside = block?.parentElement
  if (!frame || !inside?.matches('[data-inside]') || !block.matches('p') || !isEmpty(block) || block.nextElementSibling)
    return
  event.preventDefault()
  if (inside.children.length > 1) block.remove()
  writeBelow(outermost(frame))
})

/** Behind a part of a frame, there is no place for text. */
function outermost(frame) {
  return isPart(frame) ? outermost(frame.parentElement.closest('.frame')) : frame
}

// What browsers make of one block when it is split has all of its marks twice.
visual.addEventListener('input', (event) => {
  if (event.inputType !== 'insertParagraph') return
  const made = elementAt(chosenRange().startContainer).closest('li, p, h1, h2, h3, h4, h5, h6')
  const before = made?.previousElementSibling
  if (made?.dataset.checked !== undefined) made.dataset.checked = 'false'
  if (made?.dataset.block !== undefined && made.dataset.block === before?.dataset.block && !isEmpty(before))
    delete made.dataset.block
})

/** Whoever knows Markdown goes on writing it: its signs at the beginning of a block make that block. */
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
  block.replaceWith(frame)
  asSeen.addTools(frame)
  if (kind === 'divider') return writeBelow(frame)
  inside.append(kind === 'quote' ? quoteField() : codeField(language))
  cursorIn(inside.querySelector('p, code'))
}

function quoteField() {
  const field = document.createElement('div')
  field.dataset.inside = ''
  field.contentEditable = 'true'
  field.append(emptyParagraph())
  return field
}

function codeField(language) {
  const field = document.createElement('code')
  field.dataset.text = ''
  field.setAttribute('contenteditable', 'plaintext-only')
  if (language) field.className = `language-${language}`
  return field
}

function emptyParagraph() {
  const own = document.createElement('p')
  own.append(document.createElement('br'))
  return own
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
  if (!block?.matches('p, div:not(.frame)') || block.firstChild !== node) return
  for (const [mark, make] of beginnings) {
    const found = mark.exec(before.replaceAll('\u00a0', ' '))
    if (!found) continue
    node.deleteData(0, before.length)
    if (isEmpty(block)) block.replaceChildren(document.createElement('br'))
    cursorIn(block)
    make(found, block)
    return touch()
  }
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

// -------------------------------------------------------------------------------------------------------- pasting
visual.addEventListener('paste', (event) => {
  if (isInCodeField()) return
  const { files, types } = event.clipboardData
  const copied = event.clipboardData.getData('text/html')
  const plain = event.clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n')
  event.preventDefault()
  if (files.length > 0 && !['text/plain', 'text/html'].every((type) => types.includes(type))) {
    const brought = [...files]
    return throughText(false, () => bring(brought))
  }
  if (copied !== '' && copied.length <= mostPasted && isShaped(copied, plain))
    return throughText(false, () => pasteShaped(copied, plain))
  if (!plain.trim().includes('\n') && !looksLikeMarkdown(plain)) return command('insertText', plain)
  return throughText(false, () => pasteText(plain))
})

async function pasteShaped(copied, plain) {
  const markdown = await markdownOf(copied)
  pasteText(markdown ?? plain)
  if (markdown) bringPictures([...new DOMParser().parseFromString(copied, 'text/html').images], markdown)
}

function pasteText(text) {
  const [from, to] = cursor()
  const isRunning = !text.trim().includes('\n') && !/^(#|[-*] |\d+\. |>|\||!\[)/.test(text)
  const [above, below] = isRunning ? ['', ''] : gapsAround(from, to)
  put(above + text.replace(/\n+$/, '') + below, from, to)
}
