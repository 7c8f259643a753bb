// The two ways of writing, as it is seen and as Markdown, and switching between them.
const wayButtons = [...form.querySelectorAll('[data-way]')]
const keptWay = 'lectern:writing'

function showWay() {
  form.parentElement.dataset.way = asSeen.isOn ? 'visual' : 'markdown'
  visual.hidden = !asSeen.isOn
  field.tabIndex = asSeen.isOn ? -1 : 0
  fitTools()
  for (const button of wayButtons)
    button.setAttribute('aria-pressed', String((button.dataset.way === 'visual') === asSeen.isOn))
}

async function writeIn(way) {
  if ((way === 'visual') === asSeen.isOn || isWorking) return
  await inTurn(way === 'visual' ? toSeen : toMarkdown)
}

/** The author can write on until the page as they see it is there. */
async function toSeen() {
  let sent
  let markup
  do {
    await isTextWhole()
    await composed
    sent = [field.value, field.selectionStart, field.selectionEnd]
    markup = await markupOf(...sent)
  } while (markup !== undefined && isPast(sent))
  if (markup === undefined) return leaveSeen()
  const [text, , to] = sent
  asSeen.isOn = true
  showWay()
  noteWritten()
  leftWith = text
  showMarkup(text, markup, to)
  // A new page has only a title, and the author starts writing below it.
  const only = visual.children.length === 1 && visual.firstElementChild
  if (only && only.matches('h1') && only.textContent.trim() !== '') {
    writeBelow(only)
    noteRest()
  }
  keepWay()
}

/** What is not in the text yet could not be put into it while the author edits it as they see it. */
async function isTextWhole() {
  await pasted
  if (waiting === 0) return
  const note = say('info', 'The visual editor opens once the files are uploaded.')
  await areFilesThere()
  note.remove()
}

const isPast = ([text, from, to]) =>
  waiting > 0 ||
  pastes.size > 0 ||
  isFieldComposed ||
  field.value !== text ||
  field.selectionStart !== from ||
  field.selectionEnd !== to

async function toMarkdown() {
  let place
  do {
    if (!(await isAllWritten())) return
    place = await asSeen.placeOfCursor(field.value)
  } while (isUnwritten())
  // What the author does in the meantime is for the page that they see.
  if (early.length > 0) return void early.push(() => writeIn('markdown'))
  leaveSeen(place)
  keepWay()
}

/** Continues as Markdown: at this place of the text, if it is known. */
function leaveSeen(place) {
  asSeen.isOn = false
  asSeen.isTouched = false
  leftWith = field.value
  showWay()
  if (place) field.setSelectionRange(...place)
  field.focus()
  void drawText()
}

/**
 * The text at the last switch of the way of writing. What was written as Markdown since then is a separate undo step.
 */
let leftWith = field.value

function noteWritten() {
  if (field.value !== leftWith) noteStep(leftWith)
}

function keepWay() {
  try {
    localStorage.setItem(keptWay, asSeen.isOn ? 'visual' : 'markdown')
  } catch {
    // If storage is not available, the choice lasts only until the page is left.
  }
}

function isSeenKept() {
  try {
    return localStorage.getItem(keptWay) === 'visual'
  } catch {
    return false
  }
}

for (const button of wayButtons) button.addEventListener('click', () => writeIn(button.dataset.way))
// A browser that returns to a page may restore what was typed there, after this was drawn.
addEventListener('pageshow', () => {
  if (asSeen.isOn)
    void inTurn(async () => {
      if (past.length === 0 && !asSeen.isTouched && field.value !== seenOf) await drawVisual()
    })
})
showWay()
document.execCommand('defaultParagraphSeparator', false, 'p')
// The page is drawn with what the other scripts add, which are loaded by then.
addEventListener('DOMContentLoaded', () => {
  if (!isSeenKept()) return
  asSeen.isOn = true
  showWay()
  void inTurn(toSeen)
})
