// After a text was saved together with what somebody else has changed: the editor shows both. Not if the author has
// begun something else in the meantime, or has the cursor where nothing is written yet: then it does so after the next
// save. Until then, saves refer to what the author saved last.

let isFieldComposed = false
field.addEventListener('compositionstart', () => (isFieldComposed = true))
field.addEventListener('compositionend', () => (isFieldComposed = false))

const isBusy = () =>
  isWorking ||
  isComposed ||
  isFieldComposed ||
  pastes.size > 0 ||
  waiting > 0 ||
  document.querySelector('dialog[open], .writing-menu:not([hidden])')

const whenSavedAgain = 'You see that here when you save again.'
const whenElsewhere =
  'They have removed the lines where your cursor is: to see that here, put it elsewhere and save again.'

/** The author has moved the cursor in the meantime. */
const moved = Symbol('moved')
const mostMoves = 3

/**
 * Shows the saved text, with the cursor where it was. `sent` is the text of the author. If it cannot be shown now,
 * returns a sentence that says when it will be.
 */
asSeen.showCombined = async (sent, saved) => {
  let later = moved
  for (let moves = 0; later === moved; moves++) {
    if (moves === mostMoves || isBusy() || field.value !== sent) return whenSavedAgain
    later = asSeen.isOn ? await inTurn(() => showSeen(sent, saved)) : showText(sent, saved)
  }
  if (later) return later
  forgetSteps()
  takeState(saved)
  return undefined
}

function showText(sent, { text: { value: whole } }) {
  const { selectionStart, selectionEnd, scrollTop } = field
  const found = [selectionStart, selectionEnd].map((at) => asSeen.foundAgain(sent, whole, at))
  if (document.activeElement === field && found.includes(undefined)) return whenElsewhere
  setWhole(whole, found)
  field.scrollTop = scrollTop
  drawSoon()
  return undefined
}

function setWhole(whole, found) {
  field.value = whole
  field.setSelectionRange(...found.map((at) => at ?? 0))
}

async function showSeen(sent, { text: { value: whole } }) {
  if (!(await isAllWritten()) || field.value !== sent) return whenSavedAgain
  // Buttons keep the place of the cursor, too.
  const isPlaced = visual.contains(getSelection().anchorNode) && !asSeen.isResting()
  const chosen = isPlaced ? await asSeen.placeOfCursor(sent) : [0, 0]
  if (!chosen) return whenSavedAgain
  const found = chosen.map((at) => asSeen.foundAgain(sent, whole, at))
  if (isPlaced && found.includes(undefined)) return whenElsewhere
  const [from, to] = found.map((at) => at ?? 0)
  const { markup } = (await askServer('', { text: whole, from, to })) ?? {}
  if (early.length > 0) return moved
  if (markup === undefined || isComposed || asSeen.isTouched) return whenSavedAgain
  const { activeElement } = document
  const { scrollX, scrollY } = window
  setWhole(whole, found)
  showMarkup(whole, markup, to)
  if (isPlaced && visual.contains(activeElement)) return undefined
  visual.blur()
  activeElement.focus({ preventScroll: true })
  scrollTo(scrollX, scrollY)
  return undefined
}

/** Undo does not go further back: that would also take back what somebody else has changed. */
function forgetSteps() {
  past.length = 0
  undone.length = 0
  isMidway = false
  leftWith = field.value
}
