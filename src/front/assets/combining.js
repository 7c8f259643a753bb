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
  const found = [selectionStart, selectionEnd].map((at) => foundAgain(sent, whole, at))
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
  if (!(await isWritten()) || field.value !== sent) return whenSavedAgain
  // Buttons keep the place of the cursor, too.
  const isPlaced = visual.contains(getSelection().anchorNode) && !isResting()
  const chosen = isPlaced ? await placeOfCursor(sent) : [0, 0]
  if (!chosen) return whenSavedAgain
  const found = chosen.map((at) => foundAgain(sent, whole, at))
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

/** Returns the selection of the visual editor as it is in a text, or undefined if it is where nothing is written. */
async function placeOfCursor(sent) {
  const text = await textWithSigns(false)
  if (text === undefined || !signs.every((sign) => text.includes(sign))) return undefined
  const [plain, ...chosen] = withoutSigns(text)
  return plain === sent ? chosen : undefined
}

/**
 * Returns where a position is in another text. If its line was changed there, the position is beside the same words.
 * Returns undefined if the line is gone: what is typed next does not belong into another one.
 */
function foundAgain(text, whole, at) {
  const [was, is] = [text.split('\n'), whole.split('\n')]
  const before = text.slice(0, at).split('\n')
  const row = before.length - 1
  const to = lineAgain(was, is, row)
  if (to === undefined) return undefined
  const [line, now, column] = [was[row], is[to], before[row].length]
  const [same, ends] = sharedBy(line, now)
  const moved = line.length - column <= ends ? column + now.length - line.length : Math.min(column, same)
  return is.slice(0, to).reduce((sum, { length }) => sum + length + 1, column <= same ? column : moved)
}

/** Returns how many characters two lines have in common at their beginnings and at their ends. */
function sharedBy(line, now) {
  const most = Math.min(line.length, now.length)
  let same = 0
  while (same < most && line[same] === now[same]) same++
  let ends = 0
  while (ends < most - same && line.at(-1 - ends) === now.at(-1 - ends)) ends++
  return [same, ends]
}

/** Returns the number of the line that one of the lines has become. */
function lineAgain(was, is, row) {
  const kept = keptLines(was, is)
  if (kept[row] !== -1) return kept[row]
  const moved = is.indexOf(was[row])
  if (was[row].trim() !== '' && moved !== -1 && moved === is.lastIndexOf(was[row])) return moved
  const below = kept.findIndex((to, each) => each > row && to !== -1)
  const from = (kept.slice(0, row).findLast((to) => to !== -1) ?? -1) + 1
  const changed = is.slice(from, below === -1 ? is.length : kept[below])
  const alike = changed.map((now) => sharedBy(was[row], now).reduce((sum, length) => sum + length))
  const most = alike.reduce((one, other) => Math.max(one, other), 0)
  return most > 0 && most >= was[row].length / 2 ? from + alike.indexOf(most) : undefined
}

/** With more differences than this, the work would take too long: it grows with the square of this number. */
const mostDifferences = 2000

/**
 * Returns which line of the second text each line of the first one is, or -1 if it is not there any more, by the
 * shortest way from one to the other (Myers, "An O(ND) Difference Algorithm", 1986).
 */
function keptLines(was, is) {
  const kept = was.map(() => -1)
  const rounds = roundsBetween(was, is)
  let [i, j] = [was.length, is.length]
  for (let d = rounds.length - 1; d >= 0; d--) {
    const k = (i - j + d) / 2
    const start = startOf(rounds[d - 1], d, k)
    while (i > start) kept[--i] = --j
    if (isAdded(rounds[d - 1], d, k)) j--
    else i--
  }
  return kept
}

/** After `d` differences, how far each diagonal reaches in the first text: `rounds[d][k]` is for `i - j = 2k - d`. */
function roundsBetween(was, is) {
  const rounds = []
  for (let d = 0; d <= mostDifferences; d++) {
    const round = new Int32Array(d + 1)
    rounds.push(round)
    for (let k = 0; k <= d; k++) {
      let i = startOf(rounds[d - 1], d, k)
      let j = i - 2 * k + d
      for (; i < was.length && j < is.length && was[i] === is[j]; i++) j++
      round[k] = i
      if (i >= was.length && j >= is.length) return rounds
    }
  }
  return []
}

const isAdded = (before, d, k) => k === 0 || (k < d && before[k - 1] < before[k])

function startOf(before, d, k) {
  if (d === 0) return 0
  return isAdded(before, d, k) ? before[k] : before[k - 1] + 1
}

/** Undo does not go further back: that would also take back what somebody else has changed. */
function forgetSteps() {
  past.length = 0
  undone.length = 0
  isMidway = false
  leftWith = field.value
}
