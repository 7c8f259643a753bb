// The visual editor: the page as it reads, edited in place. What is saved is still the Markdown text: whenever the
// author pauses, the server derives it from the edited page, and what was not edited stays the same to the byte. What
// the buttons and keys do is in a file of its own.
const visual = form.querySelector('.writing-visual')
/**
 * Signs for the beginning and the end of the selection, in the text and in the editor. They are Unicode noncharacters.
 */
const signs = ['\uFDD0', '\uFDD1']
/** Selects the elements that have a dialog. */
const askable = '[data-picture], [data-formula]'
/** The text that the visible page was drawn from. */
let seenOf = ''
let pause
/** Earlier versions of the text, and those that were undone. */
const past = []
const undone = []
/** Whether a word was being composed when the text was written: undo does not go back to half a word. */
let isMidway = false

async function askServer(part, fields) {
  const body = new URLSearchParams({ form: form.elements.form.value, ...fields })
  try {
    const response = await post(visual.dataset.address + part, body)
    if (response.headers.get('content-type')?.startsWith('application/json')) return await response.json()
    const refusal = pageIn(await response.text()).querySelector('.say[role=alert], main p')?.textContent
    return { refusal, isSignedOut: isLogin(response.url) }
  } catch {
    return undefined
  }
}

// ------------------------------------------------------------------------------------------------- text and look
/**
 * Draws the text and its selection. `isNew`: something was inserted there, and the author continues below it. Returns
 * whether it was drawn.
 */
async function drawVisual(from = field.selectionStart, to = field.selectionEnd, isNew = false) {
  const text = field.value
  const markup = await markupOf(text, from, to)
  await seenComposed
  if (markup !== undefined) showMarkup(text, markup, to, isNew)
  return markup !== undefined
}

/** Returns a text as it looks. If it cannot be shown, says why and returns undefined. */
async function markupOf(text, from, to) {
  const { markup, ...answer } = (await askServer('', { text, from, to })) ?? {}
  if (markup !== undefined) return markup
  said.replaceChildren()
  say('danger', `This cannot be shown in the visual editor. ${whyNot(answer)}`)
  return undefined
}

function showMarkup(text, markup, at, isNew) {
  visual.innerHTML = markup || '<p><br></p>'
  seenOf = text
  asSeen.isTouched = false
  for (const frame of visual.querySelectorAll('.frame')) asSeen.addTools(frame)
  asSeen.nameAskable()
  asSeen.nameCards()
  if (!isCursorPlaced()) placeBeside(at, isNew)
  asSeen.placed(text)
}

/**
 * Draws a changed text. If that fails, switches to Markdown, because what is typed into the outdated page would not be
 * in the text.
 */
async function drawAnew(...chosen) {
  if (!(await drawVisual(...chosen))) leaveSeen()
}

/**
 * Removes the signs and selects the range between them. Returns false if there are none, or if they are in a part that
 * cannot be edited, such as the title of a tab.
 */
function isCursorPlaced() {
  const range = document.createRange()
  let isFound = false
  const nodes = document.createTreeWalker(visual, NodeFilter.SHOW_TEXT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode())
    for (const [at, sign] of signs.entries()) {
      const place = node.data.indexOf(sign)
      if (place === -1) continue
      node.deleteData(place, 1)
      if (at === 0) range.setStart(node, place)
      range.setEnd(node, place)
      isFound = true
    }
  if (!isFound || !elementAt(range.endContainer).isContentEditable) return false
  const host = hostOf(range.startContainer)
  host.focus({ preventScroll: true })
  getSelection().removeAllRanges()
  getSelection().addRange(range)
  const element = range.endContainer.nodeType === Node.TEXT_NODE ? range.endContainer.parentElement : undefined
  element?.scrollIntoView({ block: 'nearest' })
  return true
}

/**
 * Places the cursor if it is in a picture or formula, where nobody can type: below the one at that position of the
 * text, or at the end of the page. Beside a frame, browsers have no cursor position, and would put typed text into the
 * first block of the page.
 */
function placeBeside(at, isNew) {
  const isThere = ({ dataset }) => Number(dataset.from) <= at && at <= Number(dataset.to)
  const found = [...visual.querySelectorAll('.frame[data-from]')].findLast(isThere)
  const last = visual.lastElementChild
  const frame = found ?? (last.matches('.frame') && last)
  const next = frame && frame.nextElementSibling
  if (frame && (isNew || !next || next.matches('.frame'))) writeBelow(outermost(frame))
  else if (next) cursorIn(next)
  else {
    visual.focus({ preventScroll: true })
    getSelection().selectAllChildren(visual)
    getSelection().collapseToEnd()
  }
  if (!found) noteRest()
}

/** Where the cursor is because no place in the text is known: the author has put it nowhere. */
let rest

function noteRest() {
  const { anchorNode, anchorOffset } = getSelection()
  rest = { anchorNode, anchorOffset }
}

asSeen.isResting = () => {
  const { anchorNode, anchorOffset, isCollapsed } = getSelection()
  return isCollapsed && rest?.anchorNode === anchorNode && rest.anchorOffset === anchorOffset
}

/** The element that receives typed keys for a node: a field, or the whole editor. */
const hostOf = (node) =>
  (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest('[contenteditable=true], [data-text]') ??
  visual

/**
 * Returns the HTML for the server. It omits the contents of frames and pieces that cannot be edited, which the server
 * knows.
 */
function markupNow() {
  const copy = visual.cloneNode(true)
  for (const each of copy.querySelectorAll('.frame-tools, .card-change')) each.remove()
  for (const each of copy.querySelectorAll('.frame[data-block]'))
    if (!each.querySelector(`[data-inside], [data-text], [data-cell], [data-card], ${askable}`)) each.replaceChildren()
  for (const each of copy.querySelectorAll(`[data-piece], ${askable}`)) {
    each.replaceChildren()
    delete each.dataset.markdown
  }
  return copy.innerHTML
}

function touch() {
  asSeen.isTouched = true
  field.dataset.unsaved = 'unsaved'
  said.querySelector('[data-tone=success]')?.remove()
  clearTimeout(pause)
  pause = setTimeout(isWritten, 400)
}

let turn = Promise.resolve(true)

/**
 * Waits until the text contains what is visible. Resolves to false if the server did not answer; the changes are then
 * still visible.
 */
function isWritten() {
  turn = turn.then(async () => !asSeen.isOn || !asSeen.isTouched || (await writeSeen()) !== undefined)
  return turn
}

const isUnwritten = () => asSeen.isTouched || isComposed

/** The same for tasks, which cannot prevent that a word is composed meanwhile: they begin when it is whole. */
async function isAllWritten() {
  do {
    await seenComposed
    if (!(await isWritten())) return false
  } while (isUnwritten())
  return true
}

async function writeSeen() {
  const take = asSeen.sent()
  const isHalf = isComposed
  const { text, places } = await textOfSeen()
  take(text, places)
  if (text === undefined) return undefined
  const isNew = text !== field.value
  if (isNew) {
    noteStep(field.value)
    setText(text)
  }
  isMidway = isHalf && (isNew || isMidway)
  return text
}

/** Adds a version of the text that undo goes back to. */
function noteStep(text) {
  if (!isMidway) past.push(text)
  isMidway = false
  undone.length = 0
}

/** The message that the server did not answer. It stays until the server does. */
let unanswered

async function textOfSeen() {
  clearTimeout(pause)
  asSeen.isTouched = false
  const { text, places, ...answer } = (await askServer('/text', { text: seenOf, markup: markupNow() })) ?? {}
  if (text === undefined) {
    asSeen.isTouched = true
    said.replaceChildren()
    const isFinal = answer.refusal && !answer.isSignedOut
    unanswered = say('danger', isFinal ? `${answer.refusal} Your text is still here: copy it.` : whyNot(answer))
  } else unanswered?.remove()
  return { text, places }
}

function setText(text) {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function withoutSigns(text) {
  const from = text.indexOf(signs[0])
  const to = text.indexOf(signs[1]) - 1
  const plain = text.replaceAll(signs[0], '').replaceAll(signs[1], '')
  return from === -1 || to < from ? [plain, plain.length, plain.length] : [plain, from, to]
}

/** Tasks that replace everything visible run one after the other. A failed one does not block the others. */
let work = Promise.resolve()
let isWorking = false

function inTurn(act) {
  isWorking = true
  visual.ariaBusy = 'true'
  const mine = work
    .catch(() => {})
    .then(act)
    .finally(() => {
      isWorking = work !== mine
      if (isWorking) return
      visual.ariaBusy = 'false'
      asSeen.doEarly()
    })
  work = mine
  return mine
}

// Composing a word cannot be prevented: tasks wait for its end.
let seenComposed = Promise.resolve()
let isComposed = false
visual.addEventListener('compositionstart', () => {
  isComposed = true
  seenComposed = new Promise((done) => visual.addEventListener('compositionend', done, { once: true }))
})
visual.addEventListener('compositionend', () => (isComposed = false))

/**
 * Runs an action on the Markdown at the same place, and draws the result. `isApart`: below the block with the cursor,
 * not within it. A button that is pressed again while a task is running does nothing; files and pasted content wait
 * (`mayWait`). `isOver`: replaces the selection, and does not go into marks or a link.
 */
async function throughText(isApart, act, { mayWait = false, isOver = false } = {}) {
  if (isWorking) {
    if (mayWait) early.push(() => throughText(isApart, act, { mayWait, isOver }))
    return
  }
  await inTurn(async () => {
    if (!(await isAllWritten())) return
    if (isOver) asSeen.clearPlace()
    const place = chosenRange().cloneRange()
    const text = await textWithSigns(isApart)
    await seenComposed
    if (text !== undefined) await actThere(text, act, isApart && (() => chooseAgain(place)))
  })
}

/** `orLeave`: what to do instead of drawing the page anew if nothing was inserted, such as after a question. */
async function actThere(text, act, orLeave) {
  const before = field.value
  const [plain, from, to] = withoutSigns(text)
  field.value = plain
  field.setSelectionRange(from, to)
  await act()
  // Typing in the meantime goes there.
  visual.focus({ preventScroll: true })
  await areFilesThere()
  if (field.value === plain) {
    field.value = before
    if (orLeave) return orLeave()
  } else {
    noteStep(before)
    setText(field.value)
    field.dataset.unsaved = 'unsaved'
  }
  await drawAnew(field.selectionStart, field.selectionEnd, field.value !== before)
}

/**
 * Returns the text with the signs for the selection. They are in the page only while it is read: a word composed in the
 * meantime would be in them, and removed along with them.
 */
async function textWithSigns(isApart) {
  const takeSigns = putSigns(isApart)
  const written = textOfSeen()
  takeSigns()
  return (await written).text
}

/** Returns a function that removes the signs, and restores an empty paragraph and the selection. */
function putSigns(isApart) {
  const range = chosenRange()
  const place = range.cloneRange()
  const [first, last] = signs.map(signOf)
  if (isApart) {
    const block = blockApart(range.endContainer)
    const own = document.createElement('p')
    own.append(first, last)
    if (block?.matches('p') && isEmpty(block)) {
      const kept = [...block.childNodes]
      block.replaceChildren(first, last)
      return () => {
        block.replaceChildren(...kept)
        cursorIn(block)
      }
    }
    if (block) block.after(own)
    else visual.append(own)
    return () => {
      own.remove()
      chooseAgain(place)
    }
  }
  const end = range.cloneRange()
  end.collapse(false)
  end.insertNode(last)
  range.insertNode(first)
  return () => [first, last].forEach((each) => each.remove())
}

function signOf(sign) {
  const span = document.createElement('span')
  span.className = 'signs'
  span.textContent = sign
  return span
}

/** The selection in the editor, or its end if nothing is selected there. */
function chosenRange() {
  const selection = getSelection()
  const range = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined
  if (range && visual.contains(range.commonAncestorContainer)) return range
  const end = document.createRange()
  end.selectNodeContents(visual)
  end.collapse(false)
  return end
}

/** The block of the page, or of a frame, that contains a node. */
function blockAt(node) {
  let block = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement
  if (block === visual || block?.matches('[data-inside]')) return undefined
  while (block && !block.parentElement?.matches('.writing-visual, [data-inside=""][contenteditable=true]'))
    block = block.parentElement
  return block ?? undefined
}

/** The block around a node that is outside lists and quotes: inserting several lines would end those. */
function blockApart(node) {
  const block = blockAt(node)
  const around = block?.parentElement?.closest('li, [data-kind=quote]')
  return around ? blockApart(around) : block
}

const isEmpty = (element) => element.textContent.trim() === '' && !element.querySelector('[data-piece], .frame')

// ----------------------------------------------------------------------------------------------------------- undo
/** Returns the position behind the part of a text that is new compared to the one before. */
function changedAt(before, now) {
  const most = Math.min(before.length, now.length)
  let below = 0
  while (below < most && before.at(-1 - below) === now.at(-1 - below)) below++
  return now.length - below
}

/** What was typed while another task is running is taken back before what that task does. */
function takeBack(from, into) {
  if (isWorking) return void early.push(() => takeBack(from, into))
  return inTurn(async () => {
    if (!(await isAllWritten()) || from.length === 0) return
    const before = field.value
    if (!isMidway) into.push(before)
    isMidway = false
    setText(from.pop())
    const at = changedAt(before, field.value)
    await drawAnew(at, at)
  })
}

visual.addEventListener('beforeinput', (event) => {
  if (!event.inputType.startsWith('history')) return
  event.preventDefault()
  if (event.inputType === 'historyUndo') void takeBack(past, undone)
  else void takeBack(undone, past)
})
addEventListener('keydown', (event) => {
  const isControl = isMac ? event.metaKey : event.ctrlKey
  const key = letterOf(event)
  const isElsewhere = event.target.closest('dialog, input')
  if (!asSeen.isOn || isElsewhere || !isControl || event.altKey || (key !== 'z' && key !== 'y')) return
  event.preventDefault()
  if (key === 'y' || event.shiftKey) void takeBack(undone, past)
  else void takeBack(past, undone)
})
// The text field is out of sight: typing is not meant for it.
field.addEventListener('keydown', (event) => asSeen.isOn && event.key !== 'Tab' && event.preventDefault())
visual.addEventListener('input', touch)

/** For saving: tasks in progress belong to the text. */
async function isWhole() {
  if (!isWorking) return isWritten()
  await work.catch(() => {})
  return isWhole()
}

Object.assign(asSeen, { isWritten: isWhole, through: throughText })
