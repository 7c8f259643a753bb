// What the editor of a page adds to its form: the preview follows the text, buttons and keys write Markdown. Without it the
// form does all of that in its own ways. No dependency, deferred. What files, pasting and choosing add has files of its own,
// which use what is here; and so has writing without seeing Markdown.
const form = document.querySelector('.review-edit')
const field = form.elements.text
const preview = document.querySelector('.writing-preview section')
const bar = form.querySelector('.writing-tools')
const chosenFiles = bar.querySelector('input')

// Of a new page there is a title, and whoever comes to write does so behind it.
const writeBehindTitle = () => {
  if (field.selectionEnd === 0 && !field.value.trimEnd().includes('\n')) field.selectionStart = field.value.length
}
if (document.activeElement === field) writeBehindTitle()
else field.addEventListener('focus', writeBehindTitle, { once: true })

const noAnswer = 'The server did not answer. Your text is still here: try again.'
const signedOut = 'You are no longer signed in. Your text is still here: sign in in a new tab, then continue here.'

/** A form is one of a session: whoever has signed in anew in another tab goes on with one of theirs. */
async function post(address, body) {
  const response = await fetch(address, { method: 'POST', body })
  if (response.status !== 403 || !(await isFormRenewed())) return response
  body.set('form', form.elements.form.value)
  return fetch(address, { method: 'POST', body })
}

async function isFormRenewed() {
  const { value } = pageIn(await (await fetch(form.action)).text()).querySelector('.review-edit')?.elements.form ?? {}
  if (value) form.elements.form.value = value
  return value !== undefined
}

const pageIn = (markup) => new DOMParser().parseFromString(markup, 'text/html')

/** Sends a form to a page of ours; undefined where nobody answered. Why something was refused stands on the page. */
async function send(address, body) {
  try {
    const response = await post(address, body)
    const page = pageIn(await response.text())
    const refusal = page.querySelector('.say[role=alert]')?.textContent
    const isSignedOut = isLogin(response.url) || (response.status === 403 && [...page.links].some(isLogin))
    return { isDone: response.ok, address: response.url, isSignedOut, page, refusal }
  } catch {
    return undefined
  }
}

const isLogin = (link) => new URL(link).pathname.endsWith('/login')

const whyNot = (answer) => (answer?.isSignedOut ? signedOut : (answer?.refusal ?? noAnswer))

/** Every page of ours that a text is sent to has it, whatever became of it. Whoever is signed out keeps it here. */
const isKept = (answer) => Boolean(!answer?.isSignedOut && answer?.page.querySelector('textarea'))

function fieldsNow(next) {
  const fields = new URLSearchParams(new FormData(form))
  if (next) fields.set('next', next)
  return fields
}

/** Below the text: what became of files, or of saving. */
const said = form.querySelector('.writing-said')

function say(tone, text) {
  const note = document.createElement('p')
  note.className = 'say'
  note.dataset.tone = tone
  note.textContent = text
  if (text.endsWith(signedOut)) note.append(' ', linkToSignIn())
  said.append(note)
  return note
}

/** Where it leads, whoever is signed out signs in first. */
function linkToSignIn() {
  const link = document.createElement('a')
  const { href } = document.querySelector('.head-link[href$="/account"]') ?? { href: '/account' }
  return Object.assign(link, { href, target: '_blank', rel: 'noopener', textContent: 'Sign in' })
}

// -------------------------------------------------------------------------------------------------------- preview
const previewButton = form.querySelector('[formaction]')
const standing = preview.previousElementSibling
const pauseMs = 400
let drawnText
let isDrawing = false
/** Writing without seeing the text, which other files add: whether it is on, what the text does not say yet, what is done. */
const asSeen = { isOn: false, isTouched: false }
let tookMs = 0
let timer

/** What takes the server long is asked for less often. */
function drawSoon() {
  clearTimeout(timer)
  timer = setTimeout(drawText, Math.max(pauseMs, Math.min(tookMs, 3000)))
}

async function drawText() {
  clearTimeout(timer)
  if (isDrawing || asSeen.isOn || field.value === drawnText) return
  isDrawing = true
  const [text, from] = [field.value, performance.now()]
  // Each line goes in its own direction. Of one huge line a browser takes long to find it out, so not where all go the same.
  if (/[\u0590-\u08ff]/.test(text)) field.dir = 'auto'
  const answer = await send(previewButton.formAction, fieldsNow())
  tookMs = performance.now() - from
  isDrawing = false
  drawnText = answer && text
  const fresh = answer?.isDone && answer.page.querySelector('.writing-preview section')
  const state = fresh ? 'Preview' : (answer?.refusal ?? 'The preview failed. It is tried again as you write.')
  // What is said anew is read aloud anew.
  if (standing.textContent !== state) standing.textContent = state
  if (fresh) {
    const { scrollTop } = preview
    keepOpen(preview, fresh)
    exchange(preview, fresh)
    preview.scrollTop = scrollTop
  }
  if (field.value !== text) drawSoon()
}

/** What somebody opened or closed is no difference: it stays so. */
function keepOpen(old, fresh) {
  const nameOf = (details) => details.querySelector('summary')?.textContent
  const was = [...old.querySelectorAll('details')]
  for (const each of fresh.querySelectorAll('details')) {
    const at = was.findIndex((one) => nameOf(one) === nameOf(each))
    if (at !== -1) each.open = was.splice(at, 1)[0].open
  }
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
  void drawText()
  standing.scrollIntoView()
})
field.addEventListener('input', () => {
  said.querySelector('[data-tone=success]')?.remove()
  drawSoon()
})
// A browser that brings a page back may bring back what was typed there.
addEventListener('pageshow', drawText)
void drawText()

// -------------------------------------------------------------------------------------------------------- writing
/** Puts a text where another one was. This way alone somebody can undo it. */
function put(text, from, to = from) {
  field.focus()
  field.setSelectionRange(from, to)
  if (text === '' && from === to) return
  if (putLong(text, from, to) || document.execCommand?.(text === '' ? 'delete' : 'insertText', false, text)) return
  field.setRangeText(text, from, to, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** For a thousand lines of text Chrome takes many seconds; not so for the same as HTML, which others do not put in here. */
function putLong(text, from, to) {
  const was = field.value
  if (text.length < 4000) return false
  document.execCommand?.('insertHTML', false, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  if (field.value === was) return false
  const whole = was.slice(0, from) + text + was.slice(to)
  if (field.value !== whole) field.value = whole
  return true
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
    // At the end of the text, one line end is enough.
    (/^\n*$/.test(below) ? '\n' : '\n\n').slice(/^\n{0,2}/.exec(below)[0].length),
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
    // Whoever chose whole lines has chosen up to where the next one begins, which is none of them.
    const [start, end] = [lineStart(from), lineEnd(to > from && field.value[to - 1] === '\n' ? to - 1 : to)]
    const now = field.value.slice(start, end)
    const lines = now.split('\n')
    const bare = (line) => line.replace(/^([ \t]*)(?:#+|[-*+]|\d+[.)]) +/, '$1')
    let number = 0
    const mark = (line) => bare(line).replace(/^[ \t]*/, `$&${before.replace('1', ++number)}`)
    const marked = lines.map((line) => (line.trim() || lines.length === 1 ? mark(line) : line))
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
bar.addEventListener('mousedown', (event) => event.target.closest('button') && event.preventDefault())
bar.addEventListener('click', ({ target }) => {
  const { where, ...tool } = target.closest('button')?.dataset ?? {}
  if (where && asSeen.isOn) asSeen.use(where, tool)
  else if (where) ways[where](tool, ...cursor())
  else if ('choose' in tool) chosenFiles.click()
})

const tools = [...bar.querySelectorAll('button:not([hidden])')]

// On a Mac, the Control key moves the cursor.
const isMac = /^(Mac|iP)/.test(navigator.platform)
/** Where a keyboard has no Latin letters, the place of a key tells which one it is. */
const letterOf = ({ key, code }) => (/^[a-z]$/i.test(key) ? key : code.replace('Key', '')).toLowerCase()

addEventListener('keydown', (event) => {
  if (!(isMac ? event.metaKey : event.ctrlKey) || event.altKey || event.shiftKey) return
  const key = letterOf(event)
  const isInText = event.target === field || Boolean(event.target.closest?.('.writing-visual'))
  const tool = isInText && tools.find(({ dataset }) => dataset.key === key)
  if (!tool && key !== 's') return
  event.preventDefault()
  if (tool) tool.click()
  else if (!event.repeat) save()
})

/** Within quotes, too. */
const listItem = /^((?:[ \t]*>)*[ \t]*)(?:([-*+])|(\d{1,9})([.)]))( +)(\[[ xX]\] )?/
const codeFence = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}(?=[^`\n]*$)|~{3,})(.*)$/gm

/** In a block of code, nothing is a list. */
function isInCode(start) {
  let open = ''
  for (const [, fence, more] of field.value.slice(0, start).matchAll(codeFence)) {
    if (!open) open = fence
    else if (fence.startsWith(open) && more.trim() === '') open = ''
  }
  return open !== ''
}

/** Safari says with this number alone that Enter ends a word which is being composed. */
const isComposing = (event) => event.isComposing || event.keyCode === 229

// A list goes on with the next line; an item that says nothing ends it.
field.addEventListener('keydown', (event) => {
  const { key, shiftKey, ctrlKey, altKey, metaKey } = event
  const { selectionStart: at, selectionEnd: to } = field
  if (key !== 'Enter' || shiftKey || ctrlKey || altKey || metaKey || isComposing(event) || at !== to) return
  const start = lineStart(at)
  const item = listItem.exec(field.value.slice(start, at))
  if (!item || isInCode(start)) return
  event.preventDefault()
  const [all, indent, bullet, number, sign, gap, task] = item
  if (field.value.slice(start + all.length, lineEnd(at)).trim() === '') put('', start, at)
  else put(`\n${indent}${bullet ?? Number(number) + 1 + sign}${gap}${task ? '[ ] ' : ''}`, at)
})

// --------------------------------------------------------------------------------------------------------- saving
let saving = Promise.resolve()
let isNext = false

/** What was typed while it was saved is saved next, where somebody asks for that. */
function save() {
  if (isNext) return
  isNext = true
  saving = saving.then(saveNow)
}

/** What was sent, and may be saved although no answer came. */
let unheard

/** Saves a text. Undefined where nobody knows what became of it: that is said. */
async function store(text) {
  unheard = text
  const fields = fieldsNow('stay')
  fields.set('text', text)
  const answer = await send(form.action, fields)
  said.replaceChildren()
  if (!isKept(answer)) {
    say('danger', whyNot(answer))
    return undefined
  }
  unheard = undefined
  const saved = answer.page.querySelector('.review-edit')?.elements
  // Somebody else may have saved the page right after: their text must not count as seen.
  const isSeen = saved && saved.seen.value === new URL(answer.address).searchParams.get('seen')
  if (isSeen) form.elements.seen.value = saved.seen.value
  return { page: answer.page, isSeen }
}

/** Saved without our knowing, it would look like somebody else's change to what is saved next: so it is sent once more. */
const isHeard = async () => unheard === undefined || unheard === field.value || Boolean(await store(unheard))

/** Saves, and stays. Whatever is in the way of that, the form says it when it is sent itself. */
async function saveNow() {
  const isWhole = (await areFilesThere()) && (await asSeen.isWritten())
  isNext = false
  if (!isWhole || !(await isHeard())) return
  const text = field.value
  const answer = await store(text)
  if (!answer) return
  if (!answer.isSeen) return form.requestSubmit()
  // Said once more, it would move the cursor.
  if (field.defaultValue !== text) field.defaultValue = text
  field.dataset.unsaved = asSeen.isTouched ? 'unsaved' : ''
  // What was said above the text may not hold any more: that it was refused, or is in conflict.
  for (const note of document.querySelectorAll('main > .say'))
    if (!answer.page.querySelector(`main > [data-tone=${note.dataset.tone}]`)) note.remove()
  say('success', 'Saved in the change request.')
}

let isSending = false
let isSent = false

// What is under way belongs to the text that is sent. Where nobody takes that, a browser would show a page of its own in
// place of this one, and the text be gone: so it is asked for first.
form.addEventListener('submit', async (event) => {
  if (isSent) return
  event.preventDefault()
  if (isSending) return
  isSending = true
  await saving
  if ((await areFilesThere()) && (await asSeen.isWritten()) && (await isHeard())) await sendForm(event.submitter)
  isSending = false
})

async function sendForm(submitter) {
  const answer = await send(form.action, fieldsNow('ask'))
  said.replaceChildren()
  if (!isKept(answer)) return say('danger', whyNot(answer))
  isSent = true
  form.requestSubmit(submitter)
  isSent = false
}

/** What is brought: one after the other, and how many did not come. */
let uploads = Promise.resolve()
let failed = 0

/** Waits for all of them. Whoever saves is to see first which of them did not come. */
async function areFilesThere() {
  const before = failed
  let last
  do {
    last = uploads
    await last
  } while (last !== uploads)
  return failed === before
}
