// The search of a published page: appended to `site.js` and sent as one file with it.
// The trigger is a link to the page of results; here it opens a dialog that searches while the reader types.
const dialog = $('dialog.search')
const input = dialog && $('input', dialog)
const hits = dialog && $('.hits', dialog)
// Nodes, never HTML from strings: titles and texts are written by authors.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  node.append(...children)
  return node
}
function icon(name, look = '') {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', `i ${look}`)
  svg.setAttribute('aria-hidden', 'true')
  svg.append(document.createElementNS('http://www.w3.org/2000/svg', 'use'))
  svg.firstChild.setAttribute('href', `#i-${name}`)
  return svg
}
function shine(text, marks = []) {
  const ends = [0, ...marks.flat(), text.length]
  const pieces = ends.slice(1).map((end, n) => text.slice(ends[n], end))
  return pieces.map((piece, n) => (n % 2 ? el('mark', {}, piece) : piece))
}
function drawHit(hit, n) {
  const place = el('small', {}, hit.place, ...(hit.text ? [' — ', ...shine(hit.text, hit.marks?.text)] : []))
  return el(
    'div',
    { class: 'hit', role: 'option', id: `~hit-${n}`, 'data-href': hit.href, 'aria-selected': String(n === 0) },
    icon(hit.all ? 'search' : hit.heading ? 'hash' : 'page'),
    el('div', {}, el('b', {}, ...shine(hit.title, hit.marks?.title)), place),
    el('span', { class: 'go' }, icon('enter')),
  )
}

let scope = ''
let asked = 0
let waiting
/** The timer until an answer takes so long that readers should see that it is under way. */
let slow
/** The query that the rows answer. If it is not what is in the field, the rows are from an earlier query. */
let answered
/** The query that could not be answered: Enter sends it again. */
let failed
/** Set if the reader pressed Enter before the answer arrived: `true` for a new tab. */
let hurry
async function find(query) {
  const address = new URL(dialog.dataset.answers, location.href)
  address.searchParams.set('q', query)
  if (scope) address.searchParams.set('in', scope)
  const mine = ++asked
  clearTimeout(slow)
  slow = setTimeout(() => hits.setAttribute('aria-busy', 'true'), 250)
  const asking = { headers: { accept: 'application/json' }, redirect: 'manual' }
  const answer = await fetch(address, asking).catch(() => undefined)
  const found = answer?.ok ? await answer.json().catch(() => undefined) : undefined
  // An answer that took longer than a later query is discarded, and so is one for a closed dialog: it might lead away
  // from the page. (The `close` event is too late to detect this: it fires in the next frame at the earliest.)
  if (mine !== asked) return
  clearTimeout(slow)
  hits.removeAttribute('aria-busy')
  if (!dialog.open) return
  answered = found && query
  failed = found ? undefined : query
  // A reader who is no longer let in is sent to sign in, and from there back to what they searched for.
  if (answer?.type === 'opaqueredirect' || answer?.status === 401)
    return query ? location.assign(resultsFor(query)) : location.reload()
  if (found) draw(query, found)
  else if (answer?.status === 429) showMessage(words.busy, words.busyText)
  else showMessage(words.silent, words.silentText)
  // If the reader has typed more, this is not the answer to it.
  if (query !== input.value.trim()) return
  if (hurry !== undefined && found) go($('[aria-selected="true"]', hits), hurry)
  hurry = undefined
}
function draw(query, { hits: found, count }) {
  const counted = count > 999 ? words.over : count === 1 ? words.onePage : words.manyPages.replace('{}', count)
  const title = query ? counted : words.suggested
  if (found.length)
    hits.replaceChildren(
      el('div', { class: 'hits-title', role: 'presentation' }, title),
      ...[...found, ...allResults(query, found, count)].map((hit, n) => drawHit(hit, n)),
    )
  else if (query)
    showMessage(
      words.nothing.replace('{}', () => query),
      scope ? words.nothingInSection : words.nothingText,
    )
  else showMessage('', '')
  if (!found.length) return
  // The first result is selected, wherever the reader was in the previous answer.
  hits.scrollTop = 0
  input.setAttribute('aria-expanded', 'true')
  input.setAttribute('aria-activedescendant', '~hit-0')
  $('[data-count]', dialog).textContent = query ? title : ''
}
// The dialog shows the best results; the page of results has all of them.
function allResults(query, found, count) {
  if (!query || found.filter(({ heading }) => !heading).length >= count) return []
  return [{ title: words.allResults, href: resultsFor(query), place: query, all: true }]
}
function resultsFor(query) {
  const address = new URL(dialog.dataset.answers, location.href)
  address.pathname = address.pathname.replace(/\.json$/, '')
  address.searchParams.set('q', query)
  if (scope) address.searchParams.set('in', scope)
  return address.pathname + address.search
}
function showMessage(title, text) {
  hits.replaceChildren(el('div', { class: 'none', role: 'presentation' }, el('b', {}, title), text))
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
  $('[data-count]', dialog).textContent = title
}
function ask() {
  clearTimeout(waiting)
  hurry = undefined
  waiting = setTimeout(() => dialog.open && find(input.value.trim()), 80)
}
function move(by) {
  const all = $$('.hit', hits)
  if (!all.length) return
  const at = (all.findIndex((hit) => hit.getAttribute('aria-selected') === 'true') + by + all.length) % all.length
  all.forEach((hit, n) => hit.setAttribute('aria-selected', String(n === at)))
  input.setAttribute('aria-activedescendant', all[at].id)
  all[at].scrollIntoView({ block: 'nearest', behavior: 'instant' })
}
function go(hit, elsewhere) {
  if (!hit) return
  if (elsewhere) return open(hit.dataset.href, '_blank', 'noopener')
  dialog.close()
  location.href = hit.dataset.href
}
function openSearch(question) {
  if (dialog.open) return
  clearTimeout(waiting)
  hurry = undefined
  if (question) input.value = question
  dialog.showModal()
  input.select()
  void find(input.value.trim())
}
if (dialog) {
  for (const trigger of $$('[data-search]')) {
    trigger.setAttribute('role', 'button')
    trigger.setAttribute('aria-haspopup', 'dialog')
    const press = (event) => {
      event.preventDefault()
      openSearch(trigger.dataset.query)
    }
    trigger.addEventListener('click', press)
    trigger.addEventListener('keydown', (event) => event.key === ' ' && press(event))
  }
  addEventListener('keydown', (event) => {
    // The field keeps the focus for a moment after its dialog was closed.
    const field = event.target.closest?.('input, textarea, select, [contenteditable]')
    const typing = field && (field !== input || dialog.open)
    const combined = event.ctrlKey || event.metaKey
    if ((event.key.toLowerCase() === 'k' && combined) || (event.key === '/' && !typing && !combined)) {
      event.preventDefault()
      openSearch()
    }
  })
  input.addEventListener('input', ask)
  dialog.addEventListener('keydown', (event) => {
    // While an input method composes a word, these keys belong to it. (For the last key, Safari only reports the
    // number.)
    if (event.isComposing || event.keyCode === 229) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by) {
      event.preventDefault()
      move(by)
    }
    if (event.key === 'Enter' && event.target === input) {
      event.preventDefault()
      const elsewhere = event.ctrlKey || event.metaKey
      if (input.value.trim() === answered) go($('[aria-selected="true"]', hits), elsewhere)
      else if (input.value.trim() === failed) void find(failed)
      else hurry = elsewhere
    }
  })
  // As with any link, the middle button opens the result beside this page.
  dialog.addEventListener('auxclick', (event) => {
    const hit = event.target.closest('.hit')
    if (hit && event.button === 1) go(hit, true)
  })
  // Safari leaves the focus in the field, where the shortcut key would be typed.
  dialog.addEventListener('close', () => dialog.open || input.blur())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
    const hit = event.target.closest('.hit')
    if (hit) go(hit, event.ctrlKey || event.metaKey)
    const chip = event.target.closest('.scope button')
    if (!chip) return
    scope = chip.value
    answered = undefined
    for (const other of $$('.scope button', dialog)) other.setAttribute('aria-pressed', String(other === chip))
    void find(input.value.trim())
    input.focus()
  })
  $('[data-search-close]', dialog).addEventListener('click', () => dialog.close())
}
