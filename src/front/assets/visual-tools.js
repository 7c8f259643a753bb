// What buttons, keys and pasting do in the visual editor.

// ---------------------------------------------------------------------------------------------------------- tools
const question = document.querySelector('.writing-question')
const [questionText, questionLine, questionSource] = ['span', 'input', 'textarea'].map((part) =>
  question.querySelector(part),
)

/** Returns the answer to a question, or undefined if the dialog is dismissed. */
async function askFor(words, answer, isLong) {
  questionText.textContent = words
  const asked = isLong ? questionSource : questionLine
  questionLine.hidden = isLong
  questionSource.hidden = !isLong
  asked.value = answer
  const answered = answerOf(question, asked)
  // Typing replaces a given answer; if it is only the beginning of one, typing continues it.
  if (!isLong && !answer.endsWith('://')) asked.select()
  return (await answered) === 'yes' ? asked.value : undefined
}

/** Shows a dialog. Returns the value of the button that closed it, or an empty string if it was closed without one. */
async function answerOf(dialog, first) {
  dialog.returnValue = ''
  dialog.showModal()
  first.focus()
  await new Promise((done) => dialog.addEventListener('close', done, { once: true }))
  return dialog.returnValue
}

for (const dialog of document.querySelectorAll('.writing-question')) {
  // A click on the backdrop closes the dialog. Releasing the mouse there after selecting text inside the dialog does
  // not.
  let pressed
  dialog.addEventListener('mousedown', ({ target }) => (pressed = target))
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog ? pressed === dialog : target.matches('button[value]')) dialog.close(target.value)
  })
  // The words of a line may be bold or a link, but pasting inserts plain words.
  dialog.addEventListener('paste', (event) => {
    if (!event.target.closest('.writing-line')) return
    event.preventDefault()
    command('insertText', event.clipboardData.getData('text/plain').replaceAll(/\s+/g, ' '))
  })
  dialog.addEventListener('keydown', (event) => {
    const isLine = event.target.matches('input:not([type=file]), .writing-line')
    if (event.key !== 'Enter' || !isLine || isComposing(event)) return
    event.preventDefault()
    dialog.close('yes')
  })
}

const command = (name, value) => document.execCommand(name, false, value)

/** By what a tool writes in Markdown, around the selection or in front of lines. */
const visually = {
  '**': () => makeBold(),
  _: () => command('italic'),
  '[': () => linkVisually(),
  $$: () => asSeen.insertFormula(),
  '`': () => codeVisually(),
  '## ': () => makeHeading('H2'),
  '### ': () => makeHeading('H3'),
  '- ': () => makeList('UL'),
  '1. ': () => makeList('OL'),
  '- [ ] ': () => makeTasks(),
  '> ': () => makeFrame(blockAt(chosenRange().startContainer), 'quote'),
  '---': () => makeFrame(blockAt(chosenRange().startContainer), 'divider'),
}

/** Headings are bold already: a browser would make them lighter, which Markdown cannot express. */
function makeBold() {
  command('bold')
  const lighter = [...visual.querySelectorAll('span[style*="font-weight"]')]
  // Without a selection, the next typed text is bold, and moving the cursor would end that.
  if (lighter.length > 0) keepingChosen(() => lighter.forEach((each) => each.replaceWith(...each.childNodes)))
}

asSeen.use = (where, tool) => {
  const own = where === 'block' || where === 'behind' ? undefined : visually[tool.before]
  if (own && (isInCodeField() || isWorking)) return
  if (own) own()
  else if (tool.before.startsWith('|')) void asSeen.insertTable()
  else void throughText(true, () => (tool.ask ? askAndPut(where, tool) : ways[where](tool, ...cursor())))
}

/** Asks for the content of blocks that can only be viewed here, because nobody could type into them. */
async function askAndPut(where, tool) {
  const place = cursor()
  const isLine = !tool.before.endsWith('\n')
  const isFormula = tool.before.startsWith('$$')
  const asked = isFormula ? asSeen.askFormula(tool.sample, true) : askFor(tool.ask, tool.sample, !isLine)
  const answer = (await asked)?.trim()
  // The beginning of an address, as it was offered, is not an answer. The answer is put between quotes.
  if (answer && !answer.endsWith('://'))
    ways[where]({ ...tool, sample: isLine ? answer.replaceAll('"', '%22') : answer }, ...place)
}

function isInCodeField(node = chosenRange().startContainer) {
  return Boolean((node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest('[data-text]'))
}

/** Keeps the selection while the elements around it are replaced. */
function keepingChosen(change) {
  const { startContainer, startOffset, endContainer, endOffset } = chosenRange()
  // In a block without text, the cursor is in the block itself.
  const inside = startContainer.firstChild
  change()
  if (!startContainer.isConnected && inside?.isConnected) cursorIn(inside.parentElement)
  if (startContainer.isConnected && endContainer.isConnected)
    getSelection().setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
  touch()
}

/** Replaces an element by one with another name, with the same attributes and children. */
function renamed(element, name) {
  const made = document.createElement(name)
  for (const { name: each, value } of element.attributes) made.setAttribute(each, value)
  made.append(...element.childNodes)
  element.replaceWith(made)
  return made
}

/**
 * Returns the selected blocks that directly contain text. A block does not count if the selection ends right in front
 * of it.
 */
function chosenBlocks() {
  const range = chosenRange()
  const isChosen = (block) => {
    const whole = document.createRange()
    whole.selectNodeContents(block)
    return range.compareBoundaryPoints(Range.START_TO_END, whole) > 0
  }
  const first = blockAt(range.startContainer)
  const blocks = []
  for (let each = first; each && (each === first || isChosen(each)); each = each.nextElementSibling)
    if (each.matches('p, div:not(.frame), h1, h2, h3, h4, h5, h6')) blocks.push(each)
  return blocks
}

/** Applied a second time, removes the heading. */
function makeHeading(name) {
  // The title of the page stays a heading.
  const blocks = chosenBlocks().filter((each) => each.tagName !== 'H1' || each !== visual.firstElementChild)
  const isThere = blocks.every(({ tagName }) => tagName === name)
  keepingChosen(() => blocks.forEach((each) => renamed(each, isThere ? 'P' : name)))
}

function makeList(name) {
  const list = itemAt(chosenRange().startContainer)?.parentElement
  keepingChosen(() => {
    if (!list) listFrom(chosenBlocks(), name)
    else if (list.tagName !== name) renamed(list, name)
    else unlist(list)
  })
}

/** A new list joins a list of the same kind next to it. */
function listFrom(blocks, name) {
  let list
  for (const block of blocks) {
    const before = block.previousElementSibling
    list = before?.tagName === name ? before : document.createElement(name)
    if (list !== before) block.before(list)
    const item = document.createElement('li')
    item.append(...block.childNodes)
    list.append(item)
    block.remove()
  }
  const next = list?.nextElementSibling
  if (next?.tagName !== name) return
  list.append(...next.childNodes)
  next.remove()
}

/** Turns the selected items into paragraphs, between the items above and those below. */
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

/** Blocks in an item, other than its own words. */
const inItems = 'ul, ol, p, .frame'

/** Links the selection. In a link, changes its address or removes it. */
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
  const words = range.collapsed ? await wordsFor(href) : href
  chooseAgain(range)
  // A browser puts a link into each of several blocks.
  if (!range.collapsed) return linkTo(href)
  const made = document.createElement('a')
  made.setAttribute('href', href)
  made.textContent = words
  range.insertNode(made)
  cursorBehind(made)
  touch()
}

/** Restores the selection from before a question. */
function chooseAgain(range) {
  hostOf(range.startContainer).focus()
  getSelection().removeAllRanges()
  getSelection().addRange(range)
}

asSeen.areWordsChosen = () => !isWorking && !chosenRange().collapsed && !isInCodeField()

/** A browser puts links into code, where they do not work: this puts the code into the links. */
function linkTo(href) {
  command('createLink', href)
  const links = [...visual.querySelectorAll('code:not([data-text]) a')]
  if (links.length > 0) keepingChosen(() => links.forEach(putCodeIn))
}

function putCodeIn(link) {
  const code = link.closest('code')
  link.replaceWith(...link.childNodes)
  const before = code.previousSibling
  const own = before?.nodeName === 'A' && before.getAttribute('href') === link.getAttribute('href') ? before : link
  if (own === link) code.before(own)
  own.append(code)
}

/**
 * Links the selected words by a command of the browser: they may begin within marks and end outside them, which no
 * range of the Markdown can.
 */
asSeen.linkWords = async (ask) => {
  const range = chosenRange().cloneRange()
  const href = await ask()
  if (href === undefined) return
  chooseAgain(range)
  linkTo(href)
  getSelection().collapseToEnd()
}

/** Returns the words for a link: the title for a page, and the address for anything else. */
async function wordsFor(href) {
  if (/^(?:#|\/\/|[a-z][a-z\d+.-]*:)/i.test(href)) return href
  const bare = (path) =>
    path
      .replace(/[#?].*$/, '')
      .replace(/^[./]+/, '')
      .replace(/(?:\.md|\/)$/, '')
  const listed = await fetch(bar.querySelector('[data-list][data-inline]').dataset.list).catch(() => undefined)
  const pages = listed?.ok ? [...pageIn(await listed.text()).querySelectorAll('[data-href]')] : []
  const found = pages.filter(({ dataset }) => `/${bare(dataset.href)}`.endsWith(`/${bare(href)}`))
  const page = found.find(({ dataset }) => bare(dataset.href) === bare(href)) ?? found[0]
  return page?.dataset.title ?? href
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
  // After a redraw, a browser would scroll to the beginning of the page.
  hostOf(element).focus({ preventScroll: true })
  getSelection().removeAllRanges()
  getSelection().addRange(range)
  element.scrollIntoView({ block: 'nearest' })
}

/** Applied a second time, removes the code. */
function codeVisually() {
  const range = chosenRange()
  const code = elementAt(range.startContainer).closest('code')
  if (code) code.replaceWith(...code.childNodes)
  else for (const part of partsOf(range)) codeAround(part)
  touch()
}

function codeAround(range) {
  const made = document.createElement('code')
  made.textContent = range.toString() || 'code'
  range.deleteContents()
  range.insertNode(made)
  getSelection().selectAllChildren(made)
}

/**
 * Returns the selected part of each block. Elements that are not text cannot be in code: a block with one is left as it
 * is.
 */
function partsOf(range) {
  const parts = new Map()
  const nodes = document.createTreeWalker(visual, NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!range.intersectsNode(node) || !node.parentElement.isContentEditable || isInCodeField(node)) continue
    const block = node.parentElement.closest('p, li, h1, h2, h3, h4, h5, h6, [data-cell]')
    const part = parts.get(block) ?? document.createRange()
    if (!parts.has(block)) part.setStart(node, node === range.startContainer ? range.startOffset : 0)
    part.setEnd(node, node === range.endContainer ? range.endOffset : node.length)
    parts.set(block, part)
  }
  const found = [...parts.values()].filter((part) => !part.collapsed)
  return found.length > 1 ? found.filter((part) => !part.cloneContents().querySelector('[data-piece]')) : [range]
}

// --------------------------------------------------------------------------------------------------------- frames
/** Parts of a frame, which are changed together with it. */
const isPart = ({ dataset }) => ['tab', 'step', 'column', 'update'].includes(dataset.kind)

const frameTools = {
  above: ['Text above', 'Write above this block'],
  source: ['Markdown', 'Edit this block as Markdown'],
  below: ['Text below', 'Write below this block'],
  delete: ['Delete', 'Delete this block'],
}

asSeen.addTools = (frame) => {
  const tools = document.createElement('div')
  tools.className = 'frame-tools'
  tools.contentEditable = 'false'
  const own = Object.entries(asSeen.toolsOf[frame.dataset.kind] ?? {})
  for (const [does, [label, title]] of [...own, ...(isPart(frame) ? [] : Object.entries(frameTools))]) {
    // If a block precedes the frame, there is already a place to write above.
    if (does === 'above' && frame.previousElementSibling) continue
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', title })
    button.append(...wordsOfTool(typeof label === 'string' ? label : label(frame)))
    button.dataset.does = does
    tools.append(button)
  }
  frame.prepend(tools)
}

/** Returns the content of a button. For a property such as `Language: js`, a phone shows only its value. */
function wordsOfTool(label) {
  const [property, value] = label.split(/(?<=: )/)
  if (value === undefined) return [label]
  const small = document.createElement('small')
  small.textContent = property
  return [small, value]
}

// Links inside a frame are not followed, because this page has an open text.
visual.addEventListener('click', (event) => event.target.closest('a[href]') && event.preventDefault())

visual.addEventListener('click', ({ target }) => {
  const does = target.closest('.frame-tools button')?.dataset.does
  if (!does || isWorking) return
  const frame = target.closest('.frame')
  asSeen.toolsOf[frame.dataset.kind]?.[does]?.[2](frame)
  if (does === 'source') void editSource(frame)
  if (does === 'above') writeBeside(frame, 'before')
  if (does === 'below') writeBelow(frame)
  if (does === 'delete') deleteFrame(frame)
})

// A click below the last block is meant for writing there.
visual.addEventListener('click', ({ target, clientY }) => {
  const last = visual.lastElementChild
  if (target !== visual || isWorking || !last?.matches('.frame') || clientY < last.getBoundingClientRect().bottom)
    return
  writeBelow(last)
})

function emptyParagraph() {
  const own = document.createElement('p')
  own.append(document.createElement('br'))
  return own
}

function writeBeside(frame, where) {
  const own = emptyParagraph()
  frame[where](own)
  cursorIn(own)
}

const writeBelow = (frame) => writeBeside(frame, 'after')

/** Deletes a frame, and leaves the cursor in a block next to it, or in a new one. */
function deleteFrame(frame) {
  const [above, below] = [frame.previousElementSibling, frame.nextElementSibling]
  if (below && !below.matches('.frame')) cursorIn(below)
  else if (below || !above || above.matches('.frame')) writeBelow(frame)
  else {
    cursorIn(above)
    getSelection().selectAllChildren(above)
    getSelection().collapseToEnd()
  }
  frame.remove()
  touch()
}

const editSource = (frame) => asSeen.rewrite(frame, (source) => askFor('This block as Markdown', source, true))

/**
 * Replaces the Markdown of a block, or of a part of one. The Markdown, and the prefix of its lines, is known once the
 * text is up to date.
 */
asSeen.rewrite = (frame, change) =>
  inTurn(async () => {
    const { kind, at, of } = asSeen.rankOf(frame)
    if (!(await isAllWritten()) || (field.value !== seenOf && !(await drawVisual()))) return
    const alike = asSeen.framesOf(kind)
    const { from, to } = alike[at]?.dataset ?? {}
    // If the number of such blocks has changed, it is unclear which one is meant.
    if (from === undefined || alike.length !== of) return
    const [start, end] = [Number(from), Number(to)]
    const source = field.value.slice(start, end)
    const now = await change(source, furtherLead(field.value.slice(lineStart(start), start)))
    if (now === undefined || now === source) return
    noteStep(field.value)
    // The cursor goes to the end of the new Markdown, or to where a sign marks a place to write.
    const [own, first, last] = now.includes(signs[0]) ? withoutSigns(now) : [now, now.length, now.length]
    setText(field.value.slice(0, start) + own + field.value.slice(end))
    await drawAnew(start + first, start + last)
    touchText()
  })

/** Marks the text as unsaved after a change that was not typed into the editor. */
const touchText = () => (field.dataset.unsaved = 'unsaved')

// The box in front of a task is not text: a click on it toggles it.
visual.addEventListener('click', (event) => {
  const item = event.target.closest('li[data-checked]')
  if (!item || event.target !== item || isWorking) return
  const { left, right } = item.getBoundingClientRect()
  const isLeft = getComputedStyle(item).direction === 'ltr'
  // The box of a task with a number is inside the item, behind the number.
  const own = 4 + parseFloat(getComputedStyle(item).paddingInlineStart)
  if (isLeft ? event.clientX >= left + own : event.clientX <= right - own) return
  item.dataset.checked = String(item.dataset.checked !== 'true')
  touch()
})
