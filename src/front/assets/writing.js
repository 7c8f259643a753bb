// Enhancements of the form of the page editor: the preview follows the text, and buttons and keys write Markdown.
// Without this script, the form does all of that in its own way. No dependencies, deferred. Files, pasting, choosing
// and the visual editor have scripts of their own, which use what is declared here.
const form = document.querySelector('.review-edit')
const field = form.elements.text
const preview = document.querySelector('.writing-preview section')
const bar = form.querySelector('.writing-tools')
const chosenFiles = bar.querySelector('input')

// A new page has only a title, and the author starts writing behind it.
const writeBehindTitle = () => {
  if (field.selectionEnd === 0 && !field.value.trimEnd().includes('\n')) field.selectionStart = field.value.length
}
if (document.activeElement === field) writeBehindTitle()
else field.addEventListener('focus', writeBehindTitle, { once: true })

const noAnswer = 'The server did not answer. Your text is still here: try again.'
const signedOut = 'You are no longer signed in. Your text is still here: sign in in a new tab, then continue here.'

/**
 * Forms belong to a session: after signing in again in another tab, the request is repeated with a form of the new
 * session.
 */
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

/**
 * Submits a form to one of our own pages. Returns undefined if the server did not answer. The reason for a refusal is
 * on the page.
 */
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

/**
 * Whether the returned page contains the text, as every page of ours does that a text is submitted to, whatever the
 * outcome. If the user is signed out, the text is kept only here.
 */
const isKept = (answer) => Boolean(!answer?.isSignedOut && answer?.page.querySelector('textarea'))

function fieldsNow(next) {
  const fields = new URLSearchParams(new FormData(form))
  if (next) fields.set('next', next)
  return fields
}

/** Messages below the text: the results of uploads and of saving. */
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

/** Links to a page where a signed-out user signs in first. */
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
/**
 * The visual editor, which other files add: whether it is on, whether it has changes that are not in the text yet, and
 * its functions.
 */
const asSeen = { isOn: false, isTouched: false }
let tookMs = 0
let timer

/** The slower the server draws, the less often it is asked. */
function drawSoon() {
  clearTimeout(timer)
  timer = setTimeout(drawText, Math.max(pauseMs, Math.min(tookMs, 3000)))
}

async function drawText() {
  clearTimeout(timer)
  if (isDrawing || asSeen.isOn || field.value === drawnText) return
  isDrawing = true
  const [text, from] = [field.value, performance.now()]
  // Each line gets its own direction. Finding it takes browsers long for one huge line, so this is not set if all lines
  // have the same one.
  if (/[\u0590-\u08ff]/.test(text)) field.dir = 'auto'
  const answer = await send(previewButton.formAction, fieldsNow())
  tookMs = performance.now() - from
  isDrawing = false
  drawnText = answer && text
  const fresh = answer?.isDone && answer.page.querySelector('.writing-preview section')
  const state = fresh ? 'Preview' : (answer?.refusal ?? 'The preview failed. It is tried again as you write.')
  // Screen readers read it again each time it is set.
  if (standing.textContent !== state) standing.textContent = state
  if (fresh) {
    const { scrollTop } = preview
    keepOpen(preview, fresh)
    exchange(preview, fresh)
    preview.scrollTop = scrollTop
  }
  if (field.value !== text) drawSoon()
}

/** What the author opened or closed stays so. */
function keepOpen(old, fresh) {
  const nameOf = (details) => details.querySelector('summary')?.textContent
  const was = [...old.querySelectorAll('details')]
  for (const each of fresh.querySelectorAll('details')) {
    const at = was.findIndex((one) => nameOf(one) === nameOf(each))
    if (at !== -1) each.open = was.splice(at, 1)[0].open
  }
}

/** Replaces only what differs, so that the rest stays as it is: pictures, the selection, and what was opened. */
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

// The preview scrolls along with the text.
field.addEventListener('scroll', () => {
  const share = field.scrollTop / (field.scrollHeight - field.clientHeight || 1)
  preview.scrollTop = share * (preview.scrollHeight - preview.clientHeight)
})

// Links in the preview open a new tab, so that the text stays open.
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
// A browser that returns to a page may restore what was typed there.
addEventListener('pageshow', drawText)
void drawText()

// -------------------------------------------------------------------------------------------------------- writing
/** Replaces a range of the text. Only in this way can the author undo it. */
function put(text, from, to = from) {
  field.focus()
  field.setSelectionRange(from, to)
  if (text === '' && from === to) return
  if (putLong(text, from, to) || document.execCommand?.(text === '' ? 'delete' : 'insertText', false, text)) return
  field.setRangeText(text, from, to, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Chrome takes many seconds to insert a thousand lines as text, but not as HTML, which other browsers do not insert
 * here. Returns whether the text was inserted.
 */
function putLong(text, from, to) {
  const was = field.value
  if (text.length < 4000) return false
  document.execCommand?.('insertHTML', false, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  if (field.value === was) return false
  const whole = was.slice(0, from) + text + was.slice(to)
  if (field.value !== whole) field.value = whole
  return true
}

/** The selection, or the end of the text if the cursor was never set: the beginning would be above the title. */
function cursor() {
  const { selectionStart: from, selectionEnd: to, value } = field
  return document.activeElement === field || to > 0 ? [from, to] : [value.length, value.length]
}

const choose = (from, text) => field.setSelectionRange(from, from + text.length)

const lineStart = (at) => field.value.lastIndexOf('\n', at - 1) + 1
const lineEnd = (at) => (field.value.indexOf('\n', at) + 1 || field.value.length + 1) - 1

/** Returns the line ends that give text on lines of its own an empty line above and below it. */
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
    // A word is often selected with the blank behind it, which marks must not enclose.
    const all = field.value.slice(first, last)
    const own = all.trim()
    const from = first + all.indexOf(own)
    const to = own ? from + own.length : last
    // Applied a second time, the marks are removed.
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
    // A selection of whole lines ends where the next line begins, which is not part of it.
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

// Pressing a button keeps the selection in the text, and the keyboard of a phone.
bar.addEventListener('mousedown', (event) => event.target.closest('button') && event.preventDefault())
bar.addEventListener('click', ({ target }) => {
  const { where, ...tool } = target.closest('button')?.dataset ?? {}
  if (where && asSeen.isOn) asSeen.use(where, tool)
  else if (where) ways[where](tool, ...cursor())
  else if ('choose' in tool) chosenFiles.click()
})

const tools = [...bar.querySelectorAll('button:not([hidden])')]

// On a Mac, the Control key moves the cursor, so shortcuts use the Command key.
const isMac = /^(Mac|iP)/.test(navigator.platform)
/** On a keyboard without Latin letters, the position of a key determines its letter. */
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

/** Also within quotes. */
const listItem = /^((?:[ \t]*>)*[ \t]*)(?:([-*+])|(\d{1,9})([.)]))( +)(\[[ xX]\] )?/
const codeFence = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}(?=[^`\n]*$)|~{3,})(.*)$/gm

/** Whether a line is in a block of code, where nothing is a list. */
function isInCode(start) {
  let open = ''
  for (const [, fence, more] of field.value.slice(0, start).matchAll(codeFence)) {
    if (!open) open = fence
    else if (fence.startsWith(open) && more.trim() === '') open = ''
  }
  return open !== ''
}

/** By this number alone, Safari reports an Enter that ends the composition of a word. */
const isComposing = (event) => event.isComposing || event.keyCode === 229

// Enter continues a list on the next line; on an empty item, it ends the list.
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

/** Saves after a save in progress. At most one more is queued, for what was typed in the meantime. */
function save() {
  if (isNext) return
  isNext = true
  saving = saving.then(saveNow)
}

/** A text that was sent without getting an answer. It may have been saved. */
let unheard

/** Saves a text. If the outcome is unknown, shows that and returns undefined. */
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
  const { searchParams } = new URL(answer.address)
  // Somebody else may have saved the page right after: their text must not count as seen.
  const isSeen = saved && saved.seen.value === searchParams.get('seen')
  if (isSeen) takeState(saved)
  else if (answer.isDone) form.elements.base.value = text
  return { ...answer, combined: saved && searchParams.get('done') === 'combined' ? saved : undefined }
}

/** What the next save refers to, once the editor shows what is saved. Until then, to what the author saved last. */
function takeState(saved) {
  for (const name of ['seen', 'from', 'base']) form.elements[name].value = saved[name].value
}

/** A text saved without an answer would look like somebody else's change to the next save, so it is sent again. */
const isHeard = async () => unheard === undefined || unheard === field.value || Boolean(await store(unheard))

const isReady = async () => (await areFilesThere()) && (await asSeen.isWritten())

const savedAlone = 'Saved in the change request.'
const savedBoth = 'Saved in the change request, together with what somebody else has changed since you opened it.'

/**
 * Saves without leaving the page. If the response does not confirm that, submits the form itself, which then shows the
 * reason.
 */
async function saveNow() {
  const isWhole = await isReady()
  isNext = false
  if (!isWhole || !(await isHeard())) return
  const text = field.value
  const answer = await store(text)
  if (!answer) return
  const { page, isDone, combined } = answer
  if (!isDone) return form.requestSubmit()
  const later = combined && (await asSeen.showCombined(text, combined))
  const kept = combined && !later ? combined.text.value : text
  // Setting it again would move the cursor.
  if (field.defaultValue !== kept) field.defaultValue = kept
  field.dataset.unsaved = asSeen.isTouched ? 'unsaved' : ''
  nameAnew(page)
  // Messages above the text may be outdated: that it was refused, or is in conflict.
  for (const note of document.querySelectorAll('main > .say'))
    if (!page.querySelector(`main > [data-tone=${note.dataset.tone}]`)) note.remove()
  say('success', combined ? [savedBoth, later].filter(Boolean).join(' ') : savedAlone)
}

/** A save may give the page another title, and the change request another subject. */
function nameAnew(page) {
  for (const part of ['title', 'main > h1', 'main > .review-space'])
    document.querySelector(part).replaceChildren(...page.querySelector(part).childNodes)
}

let isSending = false
let isSent = false
/** Until the next page is there, nobody may write what it would not get. */
let isLeaving = false
const longestLeaveMs = 10_000
form.addEventListener('beforeinput', (event) => isLeaving && event.preventDefault(), { capture: true })
addEventListener('pageshow', () => (isLeaving = false))

// Work in progress belongs to the text that is submitted. If the server could not take it, a browser would show an
// error page in place of this one, and the text would be lost: so a request is sent from here first.
form.addEventListener('submit', async (event) => {
  if (isSent) return
  event.preventDefault()
  if (isSending) return
  isSending = true
  await saving
  if ((await isReady()) && (await isHeard())) await sendForm(event.submitter)
  isSending = false
})

async function sendForm(submitter) {
  isLeaving = true
  const answer = await send(form.action, fieldsNow('ask'))
  said.replaceChildren()
  isLeaving = isKept(answer)
  if (!isLeaving) return say('danger', whyNot(answer))
  isSent = true
  form.requestSubmit(submitter)
  isSent = false
  // The author may have told the browser to stay.
  setTimeout(() => (isLeaving = false), longestLeaveMs)
}

/** Uploads run one after the other. `failed` counts those that did not succeed. */
let uploads = Promise.resolve()
let failed = 0

/**
 * Waits for all uploads. Returns false if any of them failed, so that the author sees that before the text is saved.
 */
async function areFilesThere() {
  const before = failed
  let last
  do {
    last = uploads
    await last
  } while (last !== uploads)
  return failed === before
}
