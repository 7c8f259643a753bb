// After a text was saved together with what somebody else has changed: the editor shows both. Not if the author has
// begun something else in the meantime, or has the cursor where nothing is written yet: then it does so after the next
// save. Until then, saves refer to what the author saved last.

let isFieldComposed = false
field.addEventListener('compositionstart', () => (isFieldComposed = true))
field.addEventListener('compositionend', () => (isFieldComposed = false))

const isBusy = () =>
  isWorking || isComposed || isFieldComposed || pastes.size > 0 || waiting > 0 || document.querySelector('dialog[open]')

/** Returns whether the saved text is shown, with the cursor where it was. `sent` is the text of the author. */
asSeen.showCombined = async (sent, saved) => {
  if (isBusy() || field.value !== sent) return false
  if (!asSeen.isOn) showText(sent, saved, field.selectionStart, field.selectionEnd)
  else if (!(await inTurn(() => showSeen(sent, saved)))) return false
  forgetSteps()
  takeState(saved)
  return true
}

function showText(sent, { text: { value: whole } }, ...chosen) {
  const { scrollTop } = field
  field.value = whole
  field.setSelectionRange(...chosen.map((at) => foundAgain(sent, whole, at)))
  field.scrollTop = scrollTop
  drawSoon()
}

async function showSeen(sent, saved) {
  if (!(await isWritten()) || field.value !== sent) return false
  const { activeElement } = document
  const { scrollX, scrollY } = window
  const isHere = visual.contains(activeElement) && visual.contains(getSelection().anchorNode)
  const chosen = isHere ? await placeOfCursor(sent) : [0, 0]
  if (!chosen || isComposed) return false
  showText(sent, saved, ...chosen)
  await drawAnew()
  if (isHere) return true
  visual.blur()
  activeElement.focus({ preventScroll: true })
  scrollTo(scrollX, scrollY)
  return true
}

/** Returns the selection of the visual editor as it is in a text, or undefined if it is where nothing is written. */
async function placeOfCursor(sent) {
  const takeSigns = putSigns(false)
  const { text } = await textOfSeen()
  takeSigns()
  if (text === undefined || !signs.every((sign) => text.includes(sign))) return undefined
  const [plain, ...chosen] = withoutSigns(text)
  return plain === sent ? chosen : undefined
}

/**
 * Returns where a position is in another text. Lines are saved as a whole. Of several that are alike, the one as far
 * from the beginning or the end as before is most likely the same.
 */
function foundAgain(text, whole, at) {
  const [was, is] = [text.split('\n'), whole.split('\n')]
  const before = text.slice(0, at).split('\n')
  const row = before.length - 1
  const column = before[row].length
  const movedBy = (to) => Math.min(Math.abs(to - row), Math.abs(to - row - is.length + was.length))
  const alike = [...is.keys()].filter((each) => is[each] === was[row])
  const to = alike.toSorted((one, other) => movedBy(one) - movedBy(other))[0] ?? Math.min(row, is.length - 1)
  return is.slice(0, to).reduce((sum, { length }) => sum + length + 1, Math.min(column, is[to].length))
}

/** Undo does not go further back: that would also take back what somebody else has changed. */
function forgetSteps() {
  past.length = 0
  undone.length = 0
  isMidway = false
  leftWith = field.value
}
