// Lectern: what a published page adds to its HTML, which is complete without it. No dependencies, deferred.
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
// A page restored from the history may be from before the choice. (`theme.js` has already applied it.)
addEventListener('pageshow', showTheme)

// ------------------------------------------------------------ menus, drawer
// Menus also close when the keyboard focus leaves them: they would cover the focused element. (On an iPhone, touching
// plain text fires no click.)
for (const leaving of ['pointerdown', 'focusin'])
  addEventListener(leaving, ({ target }) => {
    for (const menu of $$('details.menu[open]')) if (!menu.contains(target)) menu.open = false
  })
// Browsers keep a page that was left, and restore it as it was: with the menu open that led away from it.
addEventListener('pagehide', () => {
  for (const menu of $$('details.menu[open]')) menu.open = false
})
// The last menu of a full row would run off the screen.
for (const menu of $$('details.menu')) menu.addEventListener('toggle', () => placeMenu(menu))
function placeMenu(menu) {
  const list = $('.menu-list', menu)
  list.style.translate = ''
  if (!menu.open) return
  const { left, right } = list.getBoundingClientRect()
  const at = menu.getBoundingClientRect()
  // A menu outside of its row (`position: fixed`) does not follow its section.
  const isOut = getComputedStyle(list).position === 'fixed'
  const along = isOut ? (root.dir === 'rtl' ? at.right - right : at.left - left) : 0
  list.style.translate = `${Math.max(8 - left, Math.min(along, root.clientWidth - 8 - right))}px`
}
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of $$('details.menu[open]')) {
    menu.open = false
    $('summary', menu).focus()
  }
  closeDrawer()
})

// If there are more sections than fit, the current one is scrolled into view.
const sections = $('.sections')
const section = sections && $(':scope > :is([aria-current], [data-current])', sections)
if (section) {
  bringIntoView(section, sections)
  // In a font with other letter widths, it may be out of view again.
  void document.fonts.ready.then(() => bringIntoView(section, sections))
}
sections?.addEventListener('scroll', () => $$('details.menu[open]', sections).forEach(placeMenu))
// Scrolls the box only. `scrollIntoView` would scroll the page as well.
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
  // The sidebar stays where the reader left it, but the current page is always in view.
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
// Addresses encode letters beyond ASCII, the ids of headings do not.
const idBehind = ({ hash }) => decoded(hash.slice(1))
const headings = [...new Set(outline.map(idBehind))].map((id) => document.getElementById(id)).filter(Boolean)
let marked
// (Safari up to 17.3 lacks `checkVisibility`, but has no boxes for hidden elements.)
const isDrawn = (part) => part.checkVisibility?.() ?? part.getClientRects().length > 0
function markOutline() {
  const edge = parseFloat(getComputedStyle(root).scrollPaddingBlockStart) + 8
  const atEnd = innerHeight + scrollY >= root.scrollHeight - 4
  // A heading in a closed tab or fold is not visible anywhere on the page.
  const drawn = headings.filter(isDrawn)
  const isBelow = (h) => h.getBoundingClientRect().top > edge
  let current = drawn.findLast((h) => !isBelow(h)) ?? drawn[0]
  // The last headings never reach the top. At the end of the page, the current one is the heading in the address, or
  // else the very last.
  if (atEnd)
    current = drawn.find((h) => isBelow(h) && h.id === idBehind(location)) ?? (scrollY > 0 ? drawn.at(-1) : current)
  // If nothing has changed, readers may have scrolled the outline themselves.
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
// Shows the target of the address, in whichever tab it is. (Browsers open folds themselves, except for older ones.)
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
// Following a link to the current heading again does not change the address.
addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#"]')
  if (link && link.hash === location.hash) showTarget()
})
showTarget()

addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy], [data-copy-page]')
  if (!button) return
  // Without script, the button is a link.
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

// Safari lets a script copy only during the click: text that has to be fetched first is passed as a promise.
async function copy(text) {
  if (!navigator.clipboard) return copySelected(await text)
  if (typeof text === 'string' || !globalThis.ClipboardItem) return navigator.clipboard.writeText(await text)
  const plain = text.then((fetched) => new Blob([fetched], { type: 'text/plain' }))
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })])
}

// At an address without TLS, scripts have no clipboard, but selected text can still be copied.
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

// Boxes that do not scroll need no tab stop. A font that loads late changes the content of a box, but not the box.
const boxes = $$('pre, .table, .math, .formula')
function stopAt(box) {
  if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0
  else box.removeAttribute('tabindex')
}
const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => stopAt(target)))
for (const box of boxes) sizes.observe(box)
document.fonts.addEventListener('loadingdone', () => boxes.forEach(stopAt))
