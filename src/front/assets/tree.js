// Pages of a change request can be dragged to another place, or moved there by keys. Each move sends the form that
// every page has for it; without this script, people use that form. No dependencies, a module.
const treeNow = () => document.querySelector('.review-tree[data-pages]')
const rowsNow = () => [...(treeNow()?.children ?? [])]
const rowOf = (id) => rowsNow().find((row) => row.dataset.page === id)
const titleIn = (row) => row.querySelector('.review-title')
const nameIn = (row) => (titleIn(row).querySelector('a') ?? titleIn(row)).textContent.trim()
const parentOf = (row) => rowOf(row.dataset.parent)
const siblingsOf = (row) => rowsNow().filter((each) => each.dataset.parent === row.dataset.parent)
const besideOf = (row, far) => siblingsOf(row)[siblingsOf(row).indexOf(row) + far]
const isWithin = (row, other) => row !== undefined && (row === other || isWithin(parentOf(row), other))

// Messages in it are read by screen readers wherever the focus is.
const spoken = document.createElement('p')
spoken.className = 'sr'
spoken.setAttribute('role', 'status')
document.body.append(spoken)

function addGrips() {
  for (const row of rowsNow()) {
    const grip = document.createElement('button')
    Object.assign(grip, { type: 'button', className: 'review-grip' })
    grip.setAttribute('aria-label', `Drag ${nameIn(row)}`)
    grip.setAttribute('aria-describedby', '~moving')
    row.prepend(grip)
  }
}
addGrips()

// --------------------------------------------------------------------------------------------------------- dragging
/**
 * The row being dragged, the pointer and its position, and the drop target. `isOn` is set once it is more than a click.
 */
let held
const leastPixels = 5
const edgePixels = 72

addEventListener('pointerdown', (event) => {
  const row = event.target.closest?.('.review-tree[data-pages] > li')
  if (!row || held || event.button !== 0) return
  // A finger on a title scrolls the page.
  if (event.pointerType !== 'mouse' && !event.target.closest('.review-grip')) return
  held = { row, pointer: event.pointerId, x: event.clientX, y: event.clientY, isOn: false, over: undefined }
})

addEventListener('pointermove', (event) => {
  if (event.pointerId !== held?.pointer) return
  // Released without an event, such as in a menu of the browser.
  if (event.buttons === 0) return letGo()
  const far = Math.hypot(event.clientX - held.x, event.clientY - held.y)
  if (!held.isOn && far < leastPixels) return
  const isFirst = !held.isOn
  Object.assign(held, { isOn: true, x: event.clientX, y: event.clientY })
  if (isFirst) begin()
  look()
})

addEventListener('pointerup', (event) => {
  if (event.pointerId !== held?.pointer) return
  const { row, over, isOn } = held
  letGo()
  if (!isOn) return
  // The end of a drag is not a click on anything in the row.
  const refuse = (click) => click.preventDefault()
  addEventListener('click', refuse, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', refuse, { capture: true }))
  if (over) moving = moving.then(() => moveNow(row.dataset.page, over.spot, over.near.dataset.page))
})

addEventListener('pointercancel', (event) => event.pointerId === held?.pointer && letGo())
addEventListener('keydown', (event) => event.key === 'Escape' && held && letGo())
// A browser would drag the link of a title.
addEventListener('dragstart', (event) => event.target.closest?.('.review-tree[data-pages]') && event.preventDefault())

function begin() {
  const tree = treeNow()
  tree.setPointerCapture(held.pointer)
  tree.dataset.moving = ''
  getSelection().removeAllRanges()
  for (const row of rowsNow()) if (isWithin(row, held.row)) row.dataset.held = ''
  requestAnimationFrame(scrollAtEdge)
}

function letGo() {
  held = undefined
  tellFree()
  const tree = treeNow()
  if (!tree) return
  delete tree.dataset.moving
  for (const row of rowsNow()) for (const mark of ['held', 'drop']) delete row.dataset[mark]
}

function scrollAtEdge() {
  if (!held) return
  const step = held.y < edgePixels ? -10 : held.y > innerHeight - edgePixels ? 10 : 0
  if (step !== 0) {
    scrollBy(0, step)
    look()
  }
  requestAnimationFrame(scrollAtEdge)
}

/** Shows where the dragged row would go. */
function look() {
  for (const row of rowsNow()) delete row.dataset.drop
  held.over = placeAt(held.x, held.y)
  if (!held.over) return
  const { line, drop, left } = held.over
  line.dataset.drop = drop
  line.style.setProperty('--drop', `${left - treeNow().getBoundingClientRect().left}px`)
}

const leftOf = (row) => titleIn(row).getBoundingClientRect().left

/** Releasing a row farther from the list than this moves nothing. */
const awayPixels = 48

/** Returns undefined if the row is already there, if the place is within the row itself, or away from the list. */
function placeAt(x, y) {
  const rows = rowsNow()
  const list = treeNow().getBoundingClientRect()
  if (y < list.top - awayPixels || y > list.bottom + awayPixels) return undefined
  const row = rows.find((each) => y < each.getBoundingClientRect().bottom) ?? rows.at(-1)
  if (isWithin(row, held.row)) return undefined
  const { top, height } = row.getBoundingClientRect()
  const share = (y - top) / height
  const isLeaf = 'leaf' in row.dataset
  const found = share < (isLeaf ? 0.5 : 0.25) ? above(row) : share <= 0.75 && !isLeaf ? inside(row) : below(row, x)
  return isThere(held.row, found) ? undefined : found
}

const above = (row) => ({ spot: 'before', near: row, line: row, drop: 'before', left: leftOf(row) })
const inside = (row) => ({ spot: 'last', near: row, line: row, drop: 'inside', left: leftOf(row) })

/**
 * Returns the place between a page and its first subpage. If it has none, the further left the pointer, the higher the
 * level.
 */
function below(row, x) {
  const next = rowsNow().find((each) => each.dataset.parent === row.dataset.page)
  if (next) return { spot: 'first', near: row, line: row, drop: 'after', left: leftOf(next) }
  let near = row
  const isLast = (each) => [undefined, held.row].includes(besideOf(each, 1))
  while (x < leftOf(near) && parentOf(near) && isLast(near)) near = parentOf(near)
  return { spot: 'after', near, line: row, drop: 'after', left: leftOf(near) }
}

function isThere(row, { spot, near }) {
  if (spot === 'before') return near === besideOf(row, 1)
  if (spot === 'after') return near === besideOf(row, -1)
  return near === parentOf(row) && besideOf(row, spot === 'first' ? -1 : 1) === undefined
}

// ------------------------------------------------------------------------------------------------------------- keys
const byKeys = {
  ArrowUp: (row) => [besideOf(row, -1), 'before'],
  ArrowDown: (row) => [besideOf(row, 1), 'after'],
  ArrowRight: (row) => [besideOf(row, -1)?.matches(':not([data-leaf])') ? besideOf(row, -1) : undefined, 'last'],
  ArrowLeft: (row) => [parentOf(row), 'after'],
}

addEventListener('keydown', (event) => {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  const id = event.target.closest?.('.review-tree[data-pages] > li')?.dataset.page
  if (!id || !altKey || ctrlKey || metaKey || shiftKey || !byKeys[key]) return
  event.preventDefault()
  moving = moving.then(() => moveByKey(id, key))
})

async function moveByKey(id, key) {
  const row = rowOf(id)
  const [near, spot] = row ? byKeys[key](row) : []
  if (near) await moveNow(id, spot, near.dataset.page)
  else spoken.textContent = 'It cannot be moved further that way.'
}

// ----------------------------------------------------------------------------------------------------------- moving
/** Moves run one after the other: each starts from the result of the one before it. */
let moving = Promise.resolve()

/** The list is not replaced while a row is being dragged. */
let tellFree = () => {}
const handIsFree = () => new Promise((resolve) => (held ? (tellFree = resolve) : resolve()))

async function moveNow(id, spot, near) {
  const { pages, form } = treeNow().dataset
  const answer = await ask(`${pages}/${id}/place`, { method: 'POST', body: new URLSearchParams({ form, spot, near }) })
  await handIsFree()
  const isElsewhere = !isFree(document.activeElement)
  if (answer?.isDone) {
    exchange(answer.page)
    return tellPlace(id, isElsewhere)
  }
  // Somebody else's change may be the reason for the refusal: the list is updated to the current state.
  const now = answer && !answer.isSignedOut ? await ask(location.href) : undefined
  await handIsFree()
  if (now?.isDone) exchange(now.page)
  refuse(whyNot(answer))
  if (!isElsewhere) rowOf(id)?.querySelector('.review-grip').focus()
}

/** Whether the focus may be moved: a user who has gone on to another part of the page stays there. */
const isFree = (focused) => focused === document.body || focused?.closest('#pages') !== null

/** Returns undefined if the server did not answer. */
async function ask(address, options) {
  try {
    const response = await fetch(address, options)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const isSignedOut = new URL(response.url).pathname.endsWith('/login')
    const isDone = response.ok && page.querySelector('#pages') !== null
    const isRefused = response.status >= 400 && response.status < 500
    const refusal = page.querySelector(isRefused ? '.say' : '.say[role=alert]')?.textContent.trim()
    return { isDone, isSignedOut, isRefused, page, refusal }
  } catch {
    return undefined
  }
}

function whyNot(answer) {
  if (answer?.isSignedOut) return 'Not moved: you are no longer signed in. Sign in in a new tab, then try again.'
  if (answer?.refusal) return `Not moved: ${answer.refusal}`
  // For example after signing in again: the list was made for the earlier session.
  if (answer?.isRefused)
    return 'Not moved: this list was out of date. Try again; if that does not help, reload this page.'
  return 'The server did not answer, so the page may not have been moved. Reload this page to see where it is.'
}

/** Other parts of the page that show the change request. A part that the user is writing in is not replaced. */
const others = ['#changes', '.review-standing', '#word', 'section[aria-label="Merge"]', '.review-next']
const isWriting = (part) =>
  part.contains(document.activeElement) ||
  [...part.querySelectorAll('[data-unsaved]')].some((each) => each.value !== each.defaultValue)

function exchange(page) {
  const top = treeNow()?.getBoundingClientRect().top
  const list = document.querySelector('#pages')
  const fresh = page.querySelector('#pages')
  fresh.querySelector('details').open = list.querySelector('details').open
  list.replaceWith(fresh)
  addGrips()
  const isRead = !isWriting(document.querySelector('#changes'))
  for (const part of others) {
    const [old, now] = [document, page].map((each) => each.querySelector(part))
    const isDecision = now?.querySelector('[name=revision]')
    if (old && now && !isWriting(old) && (isRead || !isDecision)) old.replaceWith(now)
  }
  // Decisions made on this page refer to the new revision, which the user has seen.
  const revision = page.querySelector('[name=revision]')?.value
  if (isRead && revision) for (const each of document.querySelectorAll('[name=revision]')) each.value = revision
  // The list of changes above gets longer: the pages stay at the same position on the screen.
  if (top !== undefined && treeNow()) scrollBy(0, treeNow().getBoundingClientRect().top - top)
}

function tellPlace(id, isElsewhere) {
  const row = rowOf(id)
  if (!row) return
  if (!isElsewhere) row.querySelector('.review-grip').focus()
  const [above, before] = [parentOf(row), besideOf(row, -1)]
  const where = [above ? `below ${nameIn(above)}` : 'at the top level', before ? `after ${nameIn(before)}` : 'first']
  spoken.textContent = `${nameIn(row)} is now ${where.join(', ')}.`
}

function refuse(text) {
  const list = document.querySelector('#pages details')
  for (const each of list.querySelectorAll('.say')) each.remove()
  const note = document.createElement('p')
  note.className = 'say'
  note.dataset.tone = 'danger'
  note.setAttribute('role', 'alert')
  list.querySelector('summary').after(note)
  note.textContent = text
}
