// Lectern: what a published page adds to complete HTML. No dependency, deferred.
const root = document.documentElement
const $ = (query, from = document) => from.querySelector(query)
const $$ = (query, from = document) => [...from.querySelectorAll(query)]
const store = {
  get(key, where = localStorage) {
    try {
      return where.getItem('lectern:' + key)
    } catch {
      return null
    }
  },
  set(key, value, where = localStorage) {
    try {
      where.setItem('lectern:' + key, value)
    } catch {
      /* private mode */
    }
  },
}
const toast = $('.toast')
// In the language of the page.
const words = JSON.parse($('dialog.search').dataset.words)
let toastTimer
function say(text) {
  toast.textContent = text
  clearTimeout(toastTimer)
  toastTimer = setTimeout(() => (toast.textContent = ''), 1800)
}

// ------------------------------------------------------------------- theme
const systemDark = matchMedia('(prefers-color-scheme: dark)')
function setTheme(choice) {
  if (choice === 'system') delete root.dataset.theme
  else root.dataset.theme = choice
  store.set('theme', choice)
  showTheme()
}
function showTheme() {
  const chosen = root.dataset.theme ?? 'system'
  for (const button of $$('.theme button')) button.setAttribute('aria-pressed', String(button.value === chosen))
}
for (const button of $$('.theme button')) button.addEventListener('click', () => setTheme(button.value))
$('[data-theme-toggle]')?.addEventListener('click', () => {
  const now = root.dataset.theme ?? (systemDark.matches ? 'dark' : 'light')
  const next = now === 'dark' ? 'light' : 'dark'
  setTheme((next === 'dark') === systemDark.matches ? 'system' : next)
})
showTheme()
// A page that is gone back to may be from before the choice. (`theme.js` has made it look so.)
addEventListener('pageshow', showTheme)

// ------------------------------------------------------------ menus, drawer
// Behind the keyboard, too: it would lie over what has the focus then. (A touch of mere text is no click on an iPhone.)
for (const leaving of ['pointerdown', 'focusin'])
  addEventListener(leaving, ({ target }) => {
    for (const menu of $$('details.menu[open]')) if (!menu.contains(target)) menu.open = false
  })
// The last one of a full row would run off the screen.
for (const menu of $$('details.menu'))
  menu.addEventListener('toggle', () => {
    const list = $('.menu-list', menu)
    list.style.translate = ''
    const { left, right } = list.getBoundingClientRect()
    if (menu.open) list.style.translate = `${Math.max(8 - left, Math.min(0, root.clientWidth - 8 - right))}px`
  })
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of $$('details.menu[open]')) {
    menu.open = false
    $('summary', menu).focus()
  }
  closeDrawer()
})

// Of more sections than fit, the current one is in view.
const sections = $('.sections')
const section = sections && $(':scope > [aria-current]', sections)
if (section) bringIntoView(section, sections)
// The box moves and the page does not, as it would with `scrollIntoView`.
function bringIntoView(item, box) {
  const at = item.getBoundingClientRect()
  const view = box.getBoundingClientRect()
  if (at.left < view.left || at.right > view.right)
    box.scrollLeft += at.left - view.left - Math.max(0, (view.width - at.width) / 2)
  if (at.top < view.top || at.bottom > view.bottom) box.scrollTop += at.top - view.top - view.height / 3
}

const nav = $('.nav')
const drawerButton = $('[data-drawer]')
const wide = matchMedia('(min-width: 60rem)')
const behindDrawer = () => $$('body > :not(.nav-host, .toast, script), .nav-host > :not(.nav, .scrim)')
function openDrawer(event) {
  event?.preventDefault()
  if (wide.matches) return
  nav.dataset.open = ''
  drawerButton.setAttribute('aria-expanded', 'true')
  for (const part of behindDrawer()) part.inert = true
  $('[data-drawer-close]').focus({ preventScroll: true })
}
function closeDrawer() {
  if (!nav || nav.dataset.open === undefined) return
  delete nav.dataset.open
  for (const part of behindDrawer()) part.inert = false
  drawerButton.setAttribute('aria-expanded', 'false')
  drawerButton.focus()
}
if (nav) {
  drawerButton.setAttribute('role', 'button')
  drawerButton.addEventListener('click', openDrawer)
  for (const close of $$('[data-drawer-close], .scrim'))
    close.addEventListener('click', (event) => {
      event.preventDefault()
      closeDrawer()
    })
  wide.addEventListener('change', closeDrawer)
  nav.addEventListener('click', (event) => event.target.closest('a')?.hash && closeDrawer())
  for (const twist of $$('.twist', nav))
    twist.addEventListener('click', () =>
      twist.setAttribute('aria-expanded', String(twist.getAttribute('aria-expanded') !== 'true')),
    )
  // The sidebar stays where the reader left it; the current page is always in view.
  nav.scrollTop = Number(store.get('nav-scroll', sessionStorage) ?? 0)
  const here = $('[aria-current="page"]', nav)?.getBoundingClientRect()
  const box = nav.getBoundingClientRect()
  if (here && (here.top < box.top + 40 || here.bottom > box.bottom - 40))
    nav.scrollTop += here.top - box.top - box.height / 3
  addEventListener('pagehide', () => {
    store.set('nav-scroll', nav.scrollTop, sessionStorage)
    closeDrawer()
  })
}

// ----------------------------------------------------------- on-page outline
const outline = $$('.toc ol a')
// Addresses have letters beyond ASCII in another form than headings do.
const idBehind = ({ hash }) => decoded(hash.slice(1))
const headings = [...new Set(outline.map(idBehind))].map((id) => document.getElementById(id)).filter(Boolean)
let marked
// (Safari up to 17.3 cannot be asked, and draws no box for it.)
const isDrawn = (part) => part.checkVisibility?.() ?? part.getClientRects().length > 0
function markOutline() {
  const edge = parseFloat(getComputedStyle(root).scrollPaddingBlockStart) + 8
  const atEnd = innerHeight + scrollY >= root.scrollHeight - 4
  // One in a tab or fold that is closed is nowhere on the page.
  const drawn = headings.filter(isDrawn)
  const isBelow = (h) => h.getBoundingClientRect().top > edge
  let current = drawn.findLast((h) => !isBelow(h)) ?? drawn[0]
  // The last ones never get to the top: there it is the one that was chosen, or else the very last.
  if (atEnd)
    current = drawn.find((h) => isBelow(h) && h.id === idBehind(location)) ?? (scrollY > 0 ? drawn.at(-1) : current)
  // Where nothing is new, readers may have scrolled the outline themselves.
  if (!current || current === marked) return
  marked = current
  const name = $('[data-here]')
  for (const a of outline) {
    if (idBehind(a) === current.id) {
      a.setAttribute('aria-current', 'true')
      bringIntoView(a, a.closest('.toc'))
      if (name) name.textContent = a.textContent
    } else a.removeAttribute('aria-current')
  }
}
if (headings.length) {
  let asked = false
  addEventListener(
    'scroll',
    () => {
      if (asked) return
      asked = true
      requestAnimationFrame(() => {
        asked = false
        markOutline()
      })
    },
    { passive: true },
  )
  markOutline()
  addEventListener('hashchange', markOutline)
  $('.subbar details').addEventListener('toggle', () => {
    const a = $('.subbar .toc [aria-current]')
    if (a) bringIntoView(a, a.closest('.toc'))
  })
  for (const a of $$('.subbar .toc a')) a.addEventListener('click', () => (a.closest('details').open = false))
}

// --------------------------------------------------------------- tabs, copy
// Tabs with the same label change together (data-sync), and the choice is kept.
function selectTab(tab, alone = false) {
  const list = tab.closest('[role="tablist"]')
  for (const other of $$('[role="tab"]', list)) {
    const on = other === tab
    other.setAttribute('aria-selected', String(on))
    other.tabIndex = on ? 0 : -1
    document.getElementById(other.getAttribute('aria-controls')).toggleAttribute('data-on', on)
  }
  bringIntoView(tab, list)
  if (alone || !list.dataset.sync) return
  store.set('tab:' + list.dataset.sync, tab.textContent)
  const top = list.getBoundingClientRect().top
  for (const other of $$('[data-sync]')) {
    if (other === list || other.dataset.sync !== list.dataset.sync) continue
    const twin = $$('[role="tab"]', other).find((each) => each.textContent === tab.textContent)
    if (twin) selectTab(twin, true)
  }
  scrollBy({ top: list.getBoundingClientRect().top - top, behavior: 'instant' })
}
for (const list of $$('[role="tablist"]')) {
  const tabs = $$('[role="tab"]', list)
  const kept = list.dataset.sync && store.get('tab:' + list.dataset.sync)
  const first = tabs.find((tab) => tab.textContent === kept)
  if (first) selectTab(first, true)
  list.addEventListener('click', (event) => {
    const tab = event.target.closest('[role="tab"]')
    if (tab) selectTab(tab)
  })
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement)
    const forward = root.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = root.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const to = { [forward]: at + 1, [back]: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const tab = tabs.at(to % tabs.length)
    selectTab(tab)
    tab.focus()
  })
}
// What an address leads to is shown, in whichever tab it stands. (Folds are opened by browsers themselves, but for older ones.)
function showTarget() {
  const target = document.getElementById(decoded(location.hash.slice(1)))
  if (!target || isDrawn(target)) return
  for (let up = target.parentElement; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true
  for (let panel = target.closest('.panel'); panel; panel = panel.parentElement.closest('.panel')) {
    const tab = document.getElementById(panel.getAttribute('aria-labelledby'))
    if (tab) selectTab(tab, true)
  }
  target.scrollIntoView()
}
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
addEventListener('hashchange', showTarget)
// Choosing the same heading once more changes no address.
addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#"]')
  if (link && link.hash === location.hash) showTarget()
})
showTarget()

addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy], [data-copy-page]')
  if (!button) return
  // Without script it is a link.
  event.preventDefault()
  try {
    await copy(textFor(button))
    button.dataset.done = ''
    setTimeout(() => delete button.dataset.done, 1600)
    say(words.copied)
  } catch {
    say(words.cannotCopy)
  }
})

// Safari lets a script copy only while the click lasts: what has to be fetched first is promised then.
async function copy(text) {
  if (!navigator.clipboard) return copySelected(await text)
  if (typeof text === 'string' || !globalThis.ClipboardItem) return navigator.clipboard.writeText(await text)
  const plain = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }))
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })])
}

// Where an address has no TLS there is no clipboard for scripts; what is selected can be copied all the same.
function copySelected(text) {
  const [field, before] = [el('textarea', { class: 'sr' }, text), document.activeElement]
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  before.focus()
  if (!isDone) throw new Error('The browser does not copy.')
}

function textFor(button) {
  if (button.dataset.copyPage)
    return fetch(button.dataset.copyPage).then((page) => (page.ok ? page.text() : Promise.reject(page.status)))
  if (button.dataset.copy) return button.dataset.copy
  const from = button.closest('.code, .op-line')
  const source = $('.panel[data-on] pre code', from) ?? $('pre code, .op-path', from)
  return source.textContent.replace(/\n$/, '')
}

// What does not scroll needs no tab stop. A font that arrives late changes what is in a box, and not the box.
const boxes = $$('pre, .table, .math, .formula')
function stopAt(box) {
  if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0
  else box.removeAttribute('tabindex')
}
const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => stopAt(target)))
for (const box of boxes) sizes.observe(box)
document.fonts.addEventListener('loadingdone', () => boxes.forEach(stopAt))

// ------------------------------------------------------------------- search
// The trigger is a link to the page of results; here it opens a dialog that asks while the reader types.
const dialog = $('dialog.search')
const input = dialog && $('input', dialog)
const hits = dialog && $('.hits', dialog)
// Nodes, never HTML from strings: titles and texts are what authors wrote.
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
    el('span', { class: 'go' }, icon('enter', 'flip')),
  )
}

let scope = ''
let asked = 0
let waiting
/** What the rows are the answer to; where that is not what stands in the field, they are still those of before. */
let answered
/** What nobody answered: Enter asks it once more. */
let failed
/** Whoever is quicker than the answer: `true` in a new tab. */
let hurry
async function find(query) {
  const address = new URL(dialog.dataset.answers, location.href)
  address.searchParams.set('q', query)
  if (scope) address.searchParams.set('in', scope)
  const mine = ++asked
  const asking = { headers: { accept: 'application/json' }, redirect: 'manual' }
  const answer = await fetch(address, asking).catch(() => undefined)
  const found = answer?.ok ? await answer.json().catch(() => undefined) : undefined
  // An answer that took longer than a later question is of no interest any more.
  if (mine !== asked) return
  answered = found && query
  failed = found ? undefined : query
  // Whoever is not let in any more is led to where they sign in, and from there back to what they asked.
  if (answer?.type === 'opaqueredirect' || answer?.status === 401)
    return query ? location.assign(resultsFor(query)) : location.reload()
  if (found) draw(query, found)
  else if (answer?.status === 429) showMessage(words.busy, words.busyText)
  else showMessage(words.silent, words.silentText)
  // Whoever types on has asked for more than this.
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
  // The first one is chosen, wherever readers were in the answer before.
  hits.scrollTop = 0
  input.setAttribute('aria-expanded', 'true')
  input.setAttribute('aria-activedescendant', '~hit-0')
  $('[data-count]', dialog).textContent = query ? title : ''
}
// The dialog has the best ones; the page of results has them all.
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
  waiting = setTimeout(() => find(input.value.trim()), 80)
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
    const typing = event.target.closest?.('input, textarea, select, [contenteditable]')
    const combined = event.ctrlKey || event.metaKey
    if ((event.key.toLowerCase() === 'k' && combined) || (event.key === '/' && !typing && !combined)) {
      event.preventDefault()
      openSearch()
    }
  })
  input.addEventListener('input', ask)
  dialog.addEventListener('keydown', (event) => {
    // These keys are those of the input method, as long as it has the word. (Of the last one Safari says only the number.)
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
  // As with any link: the middle button opens it beside this page.
  dialog.addEventListener('auxclick', (event) => {
    const hit = event.target.closest('.hit')
    if (hit && event.button === 1) go(hit, true)
  })
  dialog.addEventListener('close', () => {
    hurry = undefined
    // Safari leaves the focus in the field, where the key would be typed.
    input.blur()
  })
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
