// Enhancements of pages that are complete as HTML. No dependencies, deferred.
const root = document.documentElement
const $ = (query, from = document) => from.querySelector(query)
const $$ = (query, from = document) => [...from.querySelectorAll(query)]

// ---------------------------------------------------------------------------------------------------------- theme
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

$('[data-theme-toggle]')?.addEventListener('click', () => {
  const now = root.dataset.theme ?? (systemIsDark.matches ? 'dark' : 'light')
  const next = now === 'dark' ? 'light' : 'dark'
  const choice = (next === 'dark') === systemIsDark.matches ? 'system' : next
  if (choice === 'system') delete root.dataset.theme
  else root.dataset.theme = choice
  try {
    localStorage.setItem('lectern:theme', choice)
  } catch {
    // If storage is not available, the choice lasts only until the page is left.
  }
})

// ----------------------------------------------------------------------------------------------------------- tabs
// On a phone the tabs do not all fit: scrolls the open one into view, and leaves the page where it is.
for (const tab of $$('.work-tabs [aria-current]')) {
  const row = tab.parentElement
  row.scrollLeft +=
    tab.getBoundingClientRect().left - row.getBoundingClientRect().left - (row.clientWidth - tab.offsetWidth) / 2
}

// ------------------------------------------------------------------------------------------------------- contents
// Scrolls a long list to the page being read; in the drawer, when that is opened.
for (const here of $$('.work-contents [aria-current]')) {
  const list = here.closest('.work-contents')
  const show = () => {
    const [{ top, bottom }, seen] = [here.getBoundingClientRect(), list.getBoundingClientRect()]
    if (bottom > seen.bottom) list.scrollTop += top - seen.top - list.clientHeight / 2
  }
  show()
  list.addEventListener('toggle', show)
}

// ---------------------------------------------------------------------------------------------------------- wide
// Boxes that scroll sideways can be scrolled by keyboard as well. Others need no tab stop.
const wideness = new ResizeObserver((changes) => {
  for (const { target: box } of changes)
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
    else box.removeAttribute('tabindex')
})
for (const box of $$('.review-text :is(table, pre)')) wideness.observe(box)

// ----------------------------------------------------------------------------------------------------------- copy
// Created here and not in the HTML: that would be hundreds of buttons that do nothing without this script.
function drawing(name, kind) {
  const svg = $('svg.i').cloneNode(true)
  svg.setAttribute('class', `i ${kind}`)
  svg.firstElementChild.setAttribute('href', `#i-${name}`)
  return svg
}

function addCopyButtons(boxes, label) {
  // Browsers let a page copy only over HTTPS or from the local machine.
  if (boxes.length === 0 || !navigator.clipboard) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.setAttribute('aria-label', label)
  button.append(drawing('copy', 'todo'), drawing('check', 'done'))
  for (const box of boxes) box.append(button.cloneNode(true))
}

addCopyButtons($$('.code-head'), 'Copy')
addCopyButtons($$('.op-line'), 'Copy path')

addEventListener('click', async (event) => {
  const button = event.target.closest('.copy')
  if (!button) return
  try {
    await navigator.clipboard.writeText($('code', button.closest('.code, .op-line')).textContent)
  } catch {
    // The reader does not allow pages to copy.
    return
  }
  button.dataset.done = ''
  setTimeout(() => delete button.dataset.done, 1600)
})

// ---------------------------------------------------------------------------------------------------- two clicks
// On a double click, browsers submit a form twice and drop the response to the first submission.
let pressed = { at: -Infinity }
addEventListener('submit', (event) => {
  const { target: form, submitter, timeStamp: at } = event
  // Ignored: a script that handles the submission may later have the browser submit the form after all.
  if (event.defaultPrevented) return
  if (form === pressed.form && submitter === pressed.submitter && at - pressed.at < 700) event.preventDefault()
  else pressed = { form, submitter, at }
})

// -------------------------------------------------------------------------------------------------------- unsaved
// Warns before an unsaved text is left. A text that is being sent with its form does not count.
let sent
addEventListener('submit', (event) => (sent = event.defaultPrevented ? sent : event.target))
addEventListener('pageshow', () => (sent = undefined))
addEventListener('beforeunload', (event) => {
  const isUnsaved = (field) => field.form !== sent && (field.dataset.unsaved || field.value !== field.defaultValue)
  if ($$('[data-unsaved]').some(isUnsaved)) event.preventDefault()
})

// ----------------------------------------------------------------------------------------------------- sent files
// A form that is answered with a file leaves its page as it is: the status of the file on the page is refetched until
// it is complete.
let looking = 0
addEventListener('submit', (event) => {
  if (!event.defaultPrevented && event.target.matches('[data-sends-file]')) void lookWhileSent(++looking)
})
async function lookWhileSent(mine) {
  const newest = () => $('[data-sent] time')?.dateTime
  const before = newest()
  for (let looks = 1; looks < 1000; looks++) {
    await new Promise((resolve) => setTimeout(resolve, looks < 10 ? 1000 : 5000))
    const answer = await fetch($('[data-sent]').dataset.sent).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    // Another file was requested: that call looks for both.
    if (mine !== looking) return
    // A server that is unavailable or busy may answer the next time.
    if (text === undefined || answer.status === 429 || answer.status >= 500) continue
    const page = new DOMParser().parseFromString(text, 'text/html')
    const now = $('[data-sent]', page)
    // Signed out, or no longer allowed to see it.
    if (!now) break
    // Read aloud only if it has changed.
    const [status, said] = [document, page].map((each) => $('[data-sent]', each).previousElementSibling)
    if (status.textContent !== said.textContent) status.textContent = said.textContent
    $('[data-sent]').replaceWith(now)
    // A refused one is never listed, hence the limit on looks.
    if (said.textContent.trim() === '' && (newest() !== before || looks > 10)) return
  }
  $('[data-sent]').previousElementSibling.textContent = 'Reload this page to see the progress.'
}

// -------------------------------------------------------------------------------------------------------- sidebar
const nav = $('.nav:has(.nav-find)')
if (nav) {
  const links = $$('a', nav)
  const groups = $$('details', nav)
  const field = $('input', nav)

  // In the drawer, following a link closes the drawer.
  nav.addEventListener('click', (event) => {
    if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover()
  })

  // ----- filter: by name, path and operation id; all words have to be there
  const textOf = (link) => {
    const target = document.getElementById(link.hash.slice(1))
    return `${link.textContent} ${link.hash} ${(target && $('.op-line', target))?.textContent ?? ''}`.toLowerCase()
  }
  const wasOpen = new Map()
  let texts
  field.addEventListener('input', () => {
    texts ??= links.map(textOf)
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    links.forEach((link, at) => (link.parentElement.hidden = !words.every((word) => texts[at].includes(word))))
    for (const group of groups) {
      if (!wasOpen.has(group)) wasOpen.set(group, group.open)
      group.hidden = !$('li:not([hidden])', group)
      group.open = words.length > 0 || wasOpen.get(group)
    }
    if (words.length === 0) wasOpen.clear()
    $('.nav-none', nav).hidden = groups.some((group) => !group.hidden)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') $('li:not([hidden]) a', nav)?.click()
    if (event.key !== 'Escape' || field.value === '') return
    event.preventDefault()
    field.value = ''
    field.dispatchEvent(new Event('input'))
  })
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input') || field.checkVisibility?.() === false) return
    event.preventDefault()
    field.focus()
  })

  // ----- where the reader is
  const linkTo = new Map(links.map((link) => [link.hash.slice(1), link]))
  let current
  const mark = (id) => {
    const link = linkTo.get(id)
    if (!link || link === current) return
    current?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'true')
    current = link
    if (field.value !== '') return
    link.closest('details').open = true
    const [row, box] = [link.getBoundingClientRect(), nav.getBoundingClientRect()]
    if (row.top < box.top + 80 || row.bottom > box.bottom - 40) nav.scrollTop += row.top - box.top - box.height / 3
  }
  const watch = new IntersectionObserver(
    (entries) => {
      const seen = entries.find((entry) => entry.isIntersecting)
      if (seen) mark(seen.target.id)
    },
    { rootMargin: '-20% 0px -79% 0px' },
  )
  for (const section of $$('.op')) watch.observe(section)
}
