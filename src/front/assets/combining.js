// After a text was saved together with what somebody else has changed: the editor shows both.

/**
 * Shows the saved text, with what the author has written since then, and the cursor where it was. Returns false if it is
 * not known where that belongs. Whoever has a dialog open answers it first: the answer belongs to the text before.
 */
asSeen.takeCombined = (sent, saved) =>
  inTurn(async () => {
    await untilFree()
    const whole = saved.text.value
    const [seen, ...chosen] = await textWithCursor()
    const text = carriedOver(sent, field.value, whole)
    if (text === undefined) return false
    const [place, fill] = asSeen.isOn ? placeIn(seen, ...chosen) : [chosen]
    const moved = (at) => foundAgain(seen, text, at)
    const { scrollTop } = field
    field.value = text
    field.setSelectionRange(...place.map(moved))
    for (const paste of pastes) paste.at = moved(paste.at)
    field.scrollTop = scrollTop
    if (asSeen.isOn) await drawAnew()
    else drawSoon()
    fill?.()
    forgetSteps(whole)
    takeState(saved)
    return true
  })

/**
 * Returns the text with the beginning and the end of the selection. In the visual editor, the text also contains what
 * only the cursor keeps there: an empty paragraph, or a blank at the end of a line.
 */
async function textWithCursor() {
  const { value, selectionStart, selectionEnd } = field
  if (!asSeen.isOn || !(await isWritten())) return [value, selectionStart, selectionEnd]
  const takeSigns = putSigns(false)
  const { text } = await textOfSeen()
  takeSigns()
  return withoutSigns(text ?? field.value)
}

/**
 * Returns the selection as it can be drawn. A cursor where nothing is written comes to the end of what is written above
 * it, with what the author had typed from there.
 */
function placeIn(text, from, to) {
  const before = text.slice(0, from)
  const start = before.lastIndexOf('\n') + 1
  const line = text.slice(start).split('\n', 1)[0]
  if (from !== to || line.trim() !== before.slice(start).trim()) return [[from, to]]
  const end = (length) => Array(2).fill(before.slice(0, length).trimEnd().length)
  if (/^[\s>]*$/.test(line)) return [end(start), () => isEmpty(blockOfCursor()) || typedAgain.insertParagraph()]
  if (/^[\s>]*(?:[-*+]|\d+[.)])(?:\s+\[[ xX]\])?\s*$/.test(line))
    return [end(start), () => isEmpty(blockOfCursor()) || getSelection().modify('move', 'forward', 'character')]
  return [end(from), /\s$/.test(before) ? () => typedAgain.insertText(' ') : undefined]
}

const blockOfCursor = () => blockAt(getSelection().anchorNode) ?? visual

/** How many lines around a change may be needed to find its place. */
const mostAround = 20

/**
 * Returns a text with the lines that differ between `sent` and `now`. Their place is where the lines before the change
 * are, with as many of those around them as it takes to tell them from others. Undefined if that is not known, such as
 * when somebody else has changed them.
 */
function carriedOver(sent, now, whole) {
  if (now === sent) return whole
  const [before, after, lines] = [sent, now, whole].map((each) => each.split('\n'))
  const most = Math.min(before.length, after.length)
  let above = 0
  while (above < most && before[above] === after[above]) above++
  let below = 0
  while (below < most - above && before.at(-1 - below) === after.at(-1 - below)) below++
  for (const [moreAbove, moreBelow] of around) {
    const [from, left] = [Math.max(above - moreAbove, 0), Math.max(below - moreBelow, 0)]
    const sought = before.slice(from, before.length - left)
    const [at, ...others] = startsOf(sought, lines)
    if (at === undefined || others.length > 0 || startsOf(sought, before).length > 1) continue
    return lines.toSpliced(at, sought.length, ...after.slice(from, after.length - left)).join('\n')
  }
  return undefined
}

/** None, then ever more lines: those above, those below, or both. */
const around = Array.from({ length: mostAround }, (_, more) => [
  [more, 0],
  [0, more],
  [more, more],
]).flat()

const startsOf = (sought, lines) =>
  [...lines.keys()].filter((at) => sought.every((line, row) => line === lines[at + row]))

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

/** Undo goes back to what was saved, and no further: that would also take back what somebody else has changed. */
function forgetSteps(saved) {
  past.length = 0
  undone.length = 0
  if (field.value !== saved) past.push(saved)
  isMidway = false
  leftWith = field.value
}
