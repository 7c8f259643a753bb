// Pictures in the visual editor, and what applies to all elements with a dialog: a click on one, or Enter when it is
// focused, opens its dialog; Delete removes it.

/** By kind: the name of an element, and the function that asks about it and returns whether that changed it. */
asSeen.askable = {
  picture: {
    name: ({ dataset }) => (dataset.alt ? `Picture: ${dataset.alt}` : 'Picture without alternative text'),
    ask: askAboutPicture,
  },
}

asSeen.toolsOf.images = {
  picture: ['Picture', 'Its alternative text, caption, width, place and address', (frame) => askFirst(frame)],
}

const askFirst = (frame) => void askAbout(frame.querySelector(askable))
asSeen.askFirst = askFirst

const kindAsked = ({ dataset }) => Object.keys(asSeen.askable).find((kind) => dataset[kind] !== undefined)

asSeen.nameAskable = () => {
  for (const piece of visual.querySelectorAll(askable)) {
    const name = asSeen.askable[kindAsked(piece)].name(piece)
    Object.assign(piece, { tabIndex: 0, role: 'button', title: `${name}. Enter changes it, Delete deletes it` })
    // An element with text of its own is named by that.
    if (piece.textContent.trim() === '') piece.ariaLabel = name
  }
}

/** Asks about an element, and redraws everything if that changed it. */
const askAbout = (piece) =>
  inTurn(async () => {
    const at = [...visual.querySelectorAll(askable)].indexOf(piece)
    if (!(await isAllWritten())) return
    const before = field.value
    const answer = await asSeen.askable[kindAsked(piece)].ask(piece)
    if (answer === 'remove') return removeAsked(piece)
    if (answer === 'changed' && !(await drawChanged(before))) return
    visual.querySelectorAll(askable)[at]?.focus({ preventScroll: true })
  })

/** After a change to the elements themselves: updates the text, and draws it as the server renders it. */
async function drawChanged(before) {
  touch()
  if (!(await isAllWritten())) return false
  const at = changedAt(before, field.value)
  return drawVisual(at, at)
}

asSeen.drawChanged = drawChanged

/** Removes an element together with anything around it that would be left empty. */
function removeAsked(piece) {
  const frame = piece.closest('.frame')
  const figure = piece.closest('figure')
  if (piece.dataset.piece === undefined && (!figure || frame.querySelectorAll('figure').length === 1))
    return deleteFrame(frame)
  const gone = figure && piece.dataset.piece === undefined ? figure : piece
  const block = gone === piece ? piece.closest('p, li, h1, h2, h3, h4, h5, h6, [data-cell]') : undefined
  if (block) cursorBehind(piece)
  gone.remove()
  if (block && isEmpty(block)) block.append(document.createElement('br'))
  touch()
}

visual.addEventListener('click', ({ target }) => {
  const piece = target.closest(askable)
  if (piece && !isWorking) void askAbout(piece)
})

// Comes before other keys of the text, because the focus is on the element.
visual.addEventListener(
  'keydown',
  (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (!target.matches(askable) || ctrlKey || metaKey || altKey) return
    event.stopImmediatePropagation()
    if (key === 'Tab') return
    event.preventDefault()
    if (isWorking) return
    if (key === 'Enter' || key === ' ') void askAbout(target)
    else if (key === 'Delete' || key === 'Backspace') removeAsked(target)
    else if (key === 'Escape') hostOf(target).focus({ preventScroll: true })
  },
  { capture: true },
)

// ------------------------------------------------------------------------------------------------------- the question
const pictureDialog = document.querySelector('.writing-picture')
const [pictureAlt, pictureWidth, picturePixels, pictureSide] = ['alt', 'width', 'pixels', 'side'].map((name) =>
  pictureDialog.querySelector(`[name=${name}]`),
)
const [pictureAddress, pictureFile, pictureDark, pictureDarkFile] = ['address', 'file', 'dark', 'darkFile'].map(
  (name) => pictureDialog.querySelector(`[name=${name}]`),
)
const pictureCaption = pictureDialog.querySelector('.writing-line')
const pictureRefusal = pictureDialog.querySelector('.say')

async function askAboutPicture(piece) {
  const figure = piece.dataset.piece === undefined ? piece.closest('figure') : undefined
  const caption = figure?.querySelector('figcaption')
  fillPicture(piece.dataset, figure, caption)
  pictureRefusal.hidden = true
  for (let first = pictureAlt; ;) {
    const answer = await answerOf(pictureDialog, first)
    if (answer !== 'yes') return answer
    first = await refusedOf(pictureRefusal, [pictureFile, pictureAddress], [pictureDarkFile, pictureDark])
    if (!first) break
  }
  const said = {
    alt: pictureAlt.value.trim(),
    width: widthAsked(piece.dataset),
    ...(figure && { side: pictureSide.value }),
    address: pictureAddress.value.trim(),
    dark: pictureDark.value.trim(),
  }
  const words = pictureCaption.innerHTML
  const isSame = Object.entries(said).every(([name, value]) => piece.dataset[name] === value)
  if (isSame && words === (caption?.innerHTML ?? '')) return 'same'
  Object.assign(piece.dataset, said)
  if (caption) caption.innerHTML = words
  else figure?.append(captionOf(words))
  return 'changed'
}

/** A picture within a line has no caption, and its position is that of the line. */
function fillPicture({ alt, width, side = '', address, dark }, figure, caption) {
  pictureAlt.value = alt
  pictureAddress.value = address
  pictureDark.value = dark
  pictureFile.value = ''
  pictureDarkFile.value = ''
  pictureSide.value = side
  pictureSide.parentElement.hidden = !figure
  pictureCaption.parentElement.hidden = !figure
  pictureCaption.innerHTML = caption?.innerHTML ?? ''
  const isListed = [...pictureWidth.options].some(({ value }) => value === width)
  pictureWidth.value = isListed ? width : 'pixels'
  picturePixels.value = isListed ? '' : Number.parseInt(width, 10) || ''
  showPixels()
}

function showPixels() {
  picturePixels.parentElement.hidden = pictureWidth.value !== 'pixels'
}
pictureWidth.addEventListener('change', () => {
  showPixels()
  if (pictureWidth.value === 'pixels') picturePixels.focus()
})

/** Without a valid number, the width stays as it was. */
function widthAsked({ width }) {
  if (pictureWidth.value !== 'pixels') return pictureWidth.value
  const pixels = Math.min(99_999, Math.floor(Number(picturePixels.value)))
  return pixels > 0 && pixels !== Number.parseInt(width, 10) ? String(pixels) : width
}

/**
 * Uploads the files of several fields. Returns the first field whose picture was not uploaded, or undefined if all are
 * in the change request.
 */
async function refusedOf(refusal, ...chosen) {
  for (const [file, address] of chosen) {
    if (!(await isUploaded(file, address, refusal))) return file
    // An uploaded picture is not sent again if a later one fails.
    file.value = ''
  }
  return undefined
}

/**
 * Uploads a chosen picture to the change request, and puts its address into its field. Returns whether that worked, and
 * otherwise shows why not.
 */
async function isUploaded(chosen, address, refusal) {
  const [file] = chosen.files
  if (!file) return true
  const { line, why } = isTooLarge(file) ? { why: tooLarge(file) } : await sendFile(file)
  const found = /^!\[[^]*\]\(([^\s)]+)\)$/.exec(line?.trim() ?? '')?.[1]
  if (found) address.value = found
  else refusal.textContent = why ?? 'This is not a picture.'
  refusal.hidden = Boolean(found)
  return Boolean(found)
}

Object.assign(asSeen, { isUploaded, refusedOf })

function captionOf(words) {
  const caption = document.createElement('figcaption')
  caption.innerHTML = words
  return caption
}
