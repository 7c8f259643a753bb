// What the editor of a page adds to its form: the preview follows the text, buttons and keys write Markdown, files are
// dropped into it. Without it the form does all of that in its own ways. No dependency, deferred.
const form = document.querySelector('.review-edit')
const field = form.elements.text
const preview = document.querySelector('.writing-preview section')
const bar = form.querySelector('.writing-tools')
const chosenFiles = bar.querySelector('input')

const noAnswer = 'The server did not answer. Your text is still here: try again.'

/** Sends a form to a page of ours; undefined where nobody answered. Why something was refused stands on the page. */
async function send(address, body) {
  try {
    const response = await fetch(address, { method: 'POST', body })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return { isDone: response.ok, page, refusal: page.querySelector('.say[role=alert]')?.textContent }
  } catch {
    return undefined
  }
}

const fieldsNow = () => new URLSearchParams(new FormData(form))

/** Below the text: what became of a file, or of saving. */
function say(tone, text) {
  const note = document.createElement('p')
  note.className = 'say'
  note.dataset.tone = tone
  note.textContent = text
  form.querySelector('.writing-said').replaceChildren(note)
}

// -------------------------------------------------------------------------------------------------------- preview
const previewButton = form.querySelector('[formaction]')
const standing = preview.previousElementSibling
const pauseMs = 400
let drawnText
let isDrawing = false
let tookMs = 0
let timer

/** What takes the server long is asked for less often. */
function drawSoon() {
  clearTimeout(timer)
  timer = setTimeout(draw, Math.max(pauseMs, Math.min(tookMs, 3000)))
}

async function draw() {
  clearTimeout(timer)
  if (isDrawing || field.value === drawnText) return
  isDrawing = true
  const [text, from] = [field.value, performance.now()]
  const answer = await send(previewButton.formAction, fieldsNow())
  tookMs = performance.now() - from
  isDrawing = false
  drawnText = answer && text
  const fresh = answer?.isDone && answer.page.querySelector('.writing-preview section')
  standing.textContent = fresh
    ? 'Preview'
    : (answer?.refusal ?? 'The preview did not come. It is tried again as you write.')
  if (fresh) {
    const { scrollTop } = preview
    exchange(preview, fresh)
    preview.scrollTop = scrollTop
  }
  if (field.value !== text) drawSoon()
}

/** Only what differs is exchanged, so that all else stays as it is: pictures, and what somebody marked or opened. */
function exchange(old, fresh) {
  const [was, is] = [[...old.childNodes], [...fresh.childNodes]]
  const most = Math.min(was.length, is.length)
  let above = 0
  while (above < most && was[above].isEqualNode(is[above])) above++
  let below = 0
  while (below < most - above && was.at(-1 - below).isEqualNode(is.at(-1 - below))) below++
  const [gone, come] = [was.slice(above, was.length - below), is.slice(above, is.length - below)]
  const isOne = gone.length === 1 && come.length === 1 && come[0].hasChildNodes()
  if (isOne && gone[0].cloneNode().isEqualNode(come[0].cloneNode())) return exchange(gone[0], come[0])
  for (const each of come) old.insertBefore(each, was[above] ?? null)
  for (const each of gone) each.remove()
}

// What is looked at goes along with the text.
field.addEventListener('scroll', () => {
  const share = field.scrollTop / (field.scrollHeight - field.clientHeight || 1)
  preview.scrollTop = share * (preview.scrollHeight - preview.clientHeight)
})

// A link of the preview leaves the page with the text open.
preview.addEventListener('click', ({ target }) => {
  const link = target.closest('a[href]')
  if (link && !link.getAttribute('href').startsWith('#')) link.target = '_blank'
})

previewButton.addEventListener('click', (event) => {
  event.preventDefault()
  setTimeout(draw)
  standing.scrollIntoView()
})
field.addEventListener('input', () => {
  form.querySelector('.say[data-tone=success]')?.remove()
  drawSoon()
})
// A browser that brings a page back may bring back what was typed there.
addEventListener('pageshow', draw)
setTimeout(draw)

// -------------------------------------------------------------------------------------------------------- writing
/** Puts a text where another one was. This way alone somebody can undo it. */
function put(text, from, to = from) {
  field.focus()
  field.setSelectionRange(from, to)
  if (text === '' && from === to) return
  if (document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) return
  field.setRangeText(text, from, to, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** At the end where nobody has put it yet: above the first line would be above the title. */
function cursor() {
  const { selectionStart: from, selectionEnd: to, value } = field
  return document.activeElement === field || to > 0 ? [from, to] : [value.length, value.length]
}

const choose = (from, text) => field.setSelectionRange(from, from + text.length)

const lineStart = (at) => field.value.lastIndexOf('\n', at - 1) + 1
const lineEnd = (at) => (field.value.indexOf('\n', at) + 1 || field.value.length + 1) - 1

/** What stands on lines of its own has an empty one above and below it. */
function gapsAround(from, to) {
  const [above, below] = [field.value.slice(0, from), field.value.slice(to)]
  return [
    above === '' ? '' : '\n\n'.slice(/\n{0,2}$/.exec(above)[0].length),
    below === '' ? '\n' : '\n\n'.slice(/^\n{0,2}/.exec(below)[0].length),
  ]
}

const ways = {
  around({ before, sample, after, next }, first, last) {
    // A word is often chosen with the blank behind it, which no mark may enclose.
    const all = field.value.slice(first, last)
    const own = all.trim()
    const from = first + all.indexOf(own)
    const to = own ? from + own.length : last
    // Asked for once more, it is taken away.
    if (field.value.slice(0, from).endsWith(before) && field.value.slice(to).startsWith(after)) {
      put(own, from - before.length, to + after.length)
      return choose(from - before.length, own)
    }
    put(before + (own || sample) + after, from, to)
    const start = from + before.length
    if (own && next) choose(start + own.length + after.indexOf(next), next)
    else choose(start, own || sample)
  },

  lines({ before }, from, to) {
    const [start, end] = [lineStart(from), lineEnd(to)]
    const now = field.value.slice(start, end)
    const lines = now.split('\n')
    const bare = (line) => line.replace(/^(?:#+|[-*+]|\d+[.)]) +/, '')
    let number = 0
    const marked = lines.map((line) => (line || lines.length === 1 ? before.replace('1', ++number) + bare(line) : line))
    const text = (marked.join('\n') === now ? lines.map(bare) : marked).join('\n')
    put(text, start, end)
    if (lines.length > 1) choose(start, text)
  },

  block({ before, sample, after }, from, to) {
    const text = field.value.slice(from, to) || sample
    const [above, below] = gapsAround(from, to)
    put(above + before + text + after + below, from, to)
    choose(from + above.length + before.length, text)
  },

  behind: (tool, _from, to) => ways.block(tool, to, to),
}

// A press on a button takes nothing of the text's choice away, and no keyboard of a phone.
bar.addEventListener('mousedown', (event) => event.preventDefault())
bar.addEventListener('click', ({ target }) => {
  const { where, ...tool } = target.closest('button')?.dataset ?? {}
  if (where) ways[where](tool, ...cursor())
  else if ('choose' in tool) chosenFiles.click()
})

// One stop of the Tab key, as toolbars have; arrows lead from button to button.
const tools = [...bar.querySelectorAll('button')]
for (const tool of tools.slice(1)) tool.tabIndex = -1
bar.addEventListener('keydown', (event) => {
  const at = tools.indexOf(event.target)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
  if (at === -1 || to === undefined) return
  event.preventDefault()
  tools[at].tabIndex = -1
  const next = tools.at(to % tools.length)
  next.tabIndex = 0
  next.focus()
})

// On a Mac, the Control key moves the cursor.
const isMac = /^(Mac|iP)/.test(navigator.platform)
addEventListener('keydown', (event) => {
  if (!(isMac ? event.metaKey : event.ctrlKey) || event.altKey || event.shiftKey) return
  const key = event.key.toLowerCase()
  const tool = event.target === field && tools.find(({ dataset }) => dataset.key === key)
  if (!tool && key !== 's') return
  event.preventDefault()
  if (tool) tool.click()
  else void save()
})

// A list goes on with the next line; an item that says nothing ends it.
field.addEventListener('keydown', (event) => {
  const { key, shiftKey, ctrlKey, altKey, metaKey, isComposing } = event
  const { selectionStart: at, selectionEnd: to } = field
  if (key !== 'Enter' || shiftKey || ctrlKey || altKey || metaKey || isComposing || at !== to) return
  const start = lineStart(at)
  const item = /^([ \t]*)(?:([-*+])|(\d{1,9})([.)]))( +)(\[[ xX]\] )?/.exec(field.value.slice(start, at))
  if (!item) return
  event.preventDefault()
  const [all, indent, bullet, number, sign, gap, task] = item
  if (field.value.slice(start + all.length, lineEnd(at)).trim() === '') put('', start, at)
  else put(`\n${indent}${bullet ?? Number(number) + 1 + sign}${gap}${task ? '[ ] ' : ''}`, at)
})

// --------------------------------------------------------------------------------------------------------- saving
let isSaving = false

/** Saves, and stays. Whatever is in the way of that, the form says it when it is sent itself. */
async function save() {
  if (isSaving) return
  isSaving = true
  await uploads
  const text = field.value
  const fields = fieldsNow()
  fields.set('next', 'stay')
  const answer = await send(form.action, fields)
  isSaving = false
  if (!answer) return say('danger', noAnswer)
  const saved = answer.page.querySelector('.review-edit')?.elements
  // Somebody else may have saved the page right after: their text must not count as seen.
  if (!answer.isDone || saved?.text.value !== text) return form.requestSubmit()
  form.elements.seen.value = saved.seen.value
  field.defaultValue = text
  field.dataset.unsaved = ''
  say('success', 'Saved in the change request.')
}

// ---------------------------------------------------------------------------------------------------------- files
let uploads = Promise.resolve()
let waiting = 0
let count = 0

/** Each leaves a sign where it will stand, and they go one after the other. */
function bring(files) {
  for (const file of files) {
    if (file.size > Number(chosenFiles.dataset.most)) {
      say('danger', `${file.name} is too large: a file may have ${chosenFiles.dataset.mostSaid}.`)
      continue
    }
    const sign = `![${file.name} is on its way (${++count})]()`
    const [from, to] = cursor()
    const isInLine = file.type.startsWith('image/') && files.length === 1
    const [above, below] = isInLine ? ['', ''] : gapsAround(from, to)
    put(above + sign + below, from, to)
    waiting++
    uploads = uploads.then(() => upload(file, sign)).finally(() => waiting--)
  }
}

async function upload(file, sign) {
  const body = new FormData()
  body.append('form', form.elements.form.value)
  body.append('files', file)
  const answer = await send(chosenFiles.dataset.address, body)
  const line = answer?.page.querySelector('[data-new] code')?.textContent
  exchangeSign(sign, line ?? '')
  if (!line) say('danger', `${file.name} was not uploaded. ${answer ? (answer.refusal ?? signIn) : noAnswer}`)
}

const signIn = 'Perhaps you are not signed in any more: sign in in a new tab, then try again.'

/** Wherever it stands by now, and whatever somebody is doing meanwhile. */
function exchangeSign(sign, line) {
  const at = field.value.indexOf(sign)
  if (at === -1) return
  const { activeElement } = document
  const moved = (place) => (place <= at ? place : Math.max(at, place - sign.length) + line.length)
  const [from, to] = [moved(field.selectionStart), moved(field.selectionEnd)]
  put(line, at, at + sign.length)
  field.setSelectionRange(from, to)
  activeElement?.focus()
}

// Text that was copied from a program may come with a picture of itself.
field.addEventListener('paste', (event) => {
  const { files, types } = event.clipboardData
  if (files.length === 0 || ['text/plain', 'text/html'].every((type) => types.includes(type))) return
  event.preventDefault()
  bring(files)
})

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files')
const mark = (isOver) => form.classList.toggle('over', isOver)

// Anywhere on the page: a browser would open what misses the field, in its place.
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
  bring(event.dataTransfer.files)
})
chosenFiles.addEventListener('change', () => {
  bring(chosenFiles.files)
  chosenFiles.value = ''
})

// What is on its way belongs to the text that is sent.
form.addEventListener('submit', async (event) => {
  if (waiting === 0) return
  event.preventDefault()
  const { submitter } = event
  await uploads
  form.requestSubmit(submitter)
})
