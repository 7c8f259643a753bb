// Files in the editor: when dropped, pasted or chosen, they are added to the change request, and the line that shows a
// file is inserted at the cursor.
let waiting = 0
let count = 0

/** Inserts a placeholder for each file where it will appear, and uploads the files one after the other. */
function bring(files) {
  if (waiting === 0) said.replaceChildren()
  for (const file of files) {
    if (isTooLarge(file)) {
      say('danger', tooLarge(file))
      continue
    }
    const sign = `![${file.name.replace(/\s+/g, ' ')} is on its way (${++count})]()`
    const [from, to] = cursor()
    const isInLine = file.type.startsWith('image/') && files.length === 1
    const [above, below] = isInLine ? ['', ''] : gapsAround(from, to)
    put(above + sign + below, from, to)
    waiting++
    uploads = uploads.then(() => upload(file, sign)).finally(() => waiting--)
  }
}

const isTooLarge = ({ size }) => size > Number(chosenFiles.dataset.most)
const tooLarge = ({ name }) => `${name} is too large: a file may have ${chosenFiles.dataset.mostSaid}.`

async function upload(file, sign) {
  const { line, why } = await sendFile(file)
  await untilFree()
  exchangeSign(sign, line ?? '')
  if (line) return
  failed++
  say('danger', `${file.name} was not uploaded. ${why}`)
}

/** Returns the line that shows the file once it is in the change request, or the reason why it is not. */
async function sendFile(file) {
  const body = new FormData()
  body.append('form', form.elements.form.value)
  body.append('files', file)
  const answer = (await isReadable(file)) ? await send(chosenFiles.dataset.address, body) : { refusal: unreadable }
  const line = answer?.page?.querySelector('[data-new] code')?.textContent
  return line ? { line } : { why: whyNot(answer) }
}

const unreadable = 'It cannot be read. To upload a folder, drop its files instead.'

async function isReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}

// Changing the text would break off a word that is being composed.
let composed = Promise.resolve()
field.addEventListener('compositionstart', () => {
  composed = new Promise((done) => field.addEventListener('compositionend', done, { once: true }))
})

/**
 * Waits until no word is being composed and no dialog is open. While one is open, a browser would insert text there
 * that is meant for the editor.
 */
async function untilFree() {
  await composed
  const dialog = document.querySelector('dialog[open]')
  if (!dialog) return
  await new Promise((done) => dialog.addEventListener('close', done, { once: true }))
  await untilFree()
}

/** Positions of pasted text that waits for its Markdown. Insertions above it move them. */
const pastes = new Set()

/** Replaces a placeholder wherever it is by then, and keeps the cursor and focus of the author. */
function exchangeSign(sign, line, at = field.value.indexOf(sign)) {
  if (at === -1) return
  const { activeElement } = document
  const moved = (place) => (place <= at ? place : Math.max(at, place - sign.length) + line.length)
  const [from, to] = [moved(field.selectionStart), moved(field.selectionEnd)]
  put(line, at, at + sign.length)
  for (const paste of pastes) paste.at = moved(paste.at)
  field.setSelectionRange(from, to)
  activeElement?.focus()
}

// Text that was copied from a program may come with a picture of that text.
field.addEventListener('paste', (event) => {
  const { files, types } = event.clipboardData
  if (files.length === 0 || ['text/plain', 'text/html'].every((type) => types.includes(type))) return
  event.preventDefault()
  bring(files)
})

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files')
const mark = (isOver) => form.classList.toggle('over', isOver)

// On the whole page: a browser would open a file that misses the field, in place of the page.
addEventListener('dragover', (event) => {
  if (!hasFiles(event)) return
  event.preventDefault()
  mark(true)
})
addEventListener('dragleave', (event) => event.relatedTarget || mark(false))
addEventListener('drop', (event) => {
  if (!hasFiles(event)) return
  event.preventDefault()
  mark(false)
  void takeIn(event.dataTransfer.files)
})
chosenFiles.addEventListener('change', () => {
  void takeIn([...chosenFiles.files])
  chosenFiles.value = ''
})

const takeIn = (files) =>
  asSeen.isOn ? asSeen.through(false, () => bring(files), { mayWait: true, isOver: true }) : bring(files)
