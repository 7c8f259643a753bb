// Where the cursor is in another text: in the Markdown of what is seen, and in what was saved together with others.

/**
 * Returns the selection of the visual editor as it is in its text, or undefined if it is where nothing is written. With
 * the signs in it, a line is written in standard Markdown, which may differ from how it is in the text.
 */
asSeen.placeOfCursor = async (text) => {
  const signed = await textWithSigns(false)
  if (signed === undefined || !signs.every((sign) => signed.includes(sign))) return undefined
  const [plain, ...chosen] = withoutSigns(signed)
  const places = placesIn(text, plain, chosen)
  return places.includes(undefined) ? undefined : places
}

/** Returns where positions of a text are in another way of writing it: beside the same character. */
function placesIn(text, plain, chosen) {
  const [same, ends] = sharedBy(plain, text)
  const [was, is] = [plain, text].map((each) => each.slice(same, each.length - ends).split(''))
  const kept = keptIn(was, is)
  const keptAt = (at) => {
    if (at < same) return at
    if (at >= plain.length - ends) return at + text.length - plain.length
    return kept[at - same] === -1 ? undefined : kept[at - same] + same
  }
  const isWord = (at) => /\S/.test(plain[at] ?? '') && keptAt(at) !== undefined
  return chosen.map((at) => {
    const [before, behind] = [keptAt(at - 1), keptAt(at)]
    if (isWord(at - 1)) return before + 1
    return isWord(at) || before + 1 === behind ? behind : undefined
  })
}

/**
 * Returns where a position is in another text. If its line was changed there, the position is beside the same words.
 * Returns undefined if the line is gone: what is typed next does not belong into another one.
 */
asSeen.foundAgain = (text, whole, at) => {
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

/** Returns how many characters two texts have in common at their beginnings and at their ends. */
function sharedBy(was, is) {
  const most = Math.min(was.length, is.length)
  let same = 0
  while (same < most && was[same] === is[same]) same++
  let ends = 0
  while (ends < most - same && was.at(-1 - ends) === is.at(-1 - ends)) ends++
  return [same, ends]
}

/** Returns the number of the line that one of the lines has become. */
function lineAgain(was, is, row) {
  const kept = keptIn(was, is)
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
 * Returns where each part of a list is in another list, or -1 if it is not there any more, by the shortest way from one
 * to the other (Myers, "An O(ND) Difference Algorithm", 1986).
 */
function keptIn(was, is) {
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

/** After `d` differences, how far each diagonal reaches in the first list: `rounds[d][k]` is for `i - j = 2k - d`. */
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
