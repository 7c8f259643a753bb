// Tables in the visual editor: the Tab key moves from cell to cell, and the cell with the cursor has a menu for its row
// and column.

const tableButton = document.createElement('button')
const tableMenu = document.createElement('div')
Object.assign(tableButton, { type: 'button', className: 'table-button', hidden: true })
Object.assign(tableButton, { textContent: '…', title: 'Rows and columns (Escape leads here)' })
tableButton.setAttribute('aria-label', 'Rows and columns')
tableButton.setAttribute('aria-haspopup', 'menu')
Object.assign(tableMenu, { className: 'table-menu writing-menu', hidden: true, role: 'menu' })
tableMenu.setAttribute('aria-label', 'Rows and columns')
visual.after(tableButton, tableMenu)

/** The element that menus are positioned in. */
const writingPlace = visual.closest('.writing')
/** The cell whose row and column the menu changes. */
let cellNow

const cellAt = (node = chosenRange().startContainer) => elementAt(node).closest('[data-cell]') ?? undefined
const rowOf = (cell) => cell.parentElement
const tableOf = (cell) => cell.closest('table')
const columnOf = (cell) => [...tableOf(cell).rows].map(({ cells }) => cells[cell.cellIndex])
const isInHead = (cell) => rowOf(cell).rowIndex === 0

// ------------------------------------------------------------------------------------------------ rows and columns
/** Contains a line break, so that it has a height. */
function newCell(name, align) {
  const made = document.createElement(name)
  made.dataset.cell = ''
  made.contentEditable = 'true'
  if (align) made.setAttribute('align', align)
  made.append(document.createElement('br'))
  return made
}

/** Next to the head, the new row is the first one below it. */
function addRow(cell, isAbove) {
  const row = document.createElement('tr')
  row.append(...[...rowOf(cell).cells].map((each) => newCell('td', each.getAttribute('align'))))
  if (isInHead(cell)) tableOf(cell).tBodies[0].prepend(row)
  else rowOf(cell)[isAbove ? 'before' : 'after'](row)
  return row.cells[cell.cellIndex]
}

function addColumn(cell, isBefore) {
  for (const each of columnOf(cell)) each[isBefore ? 'before' : 'after'](newCell(each.tagName))
  return rowOf(cell).cells[cell.cellIndex + (isBefore ? -1 : 1)]
}

function moveRow(cell, isUp) {
  const row = rowOf(cell)
  if (isUp) row.previousElementSibling.before(row)
  else row.nextElementSibling.after(row)
  return cell
}

function moveColumn(cell, isBack) {
  const to = cell.cellIndex + (isBack ? -1 : 1)
  for (const each of columnOf(cell)) rowOf(each).cells[to][isBack ? 'before' : 'after'](each)
  return cell
}

function deleteRow(cell) {
  const row = rowOf(cell)
  const next = row.nextElementSibling ?? row.previousElementSibling ?? tableOf(cell).rows[0]
  row.remove()
  return next.cells[cell.cellIndex]
}

function deleteColumn(cell) {
  const next = cell.nextElementSibling ?? cell.previousElementSibling
  for (const each of columnOf(cell)) each.remove()
  return next
}

/** Choosing the same alignment again resets the column to the default. */
function align(cell, way) {
  const isThere = cell.getAttribute('align') === way
  for (const each of columnOf(cell)) {
    if (isThere) each.removeAttribute('align')
    else each.setAttribute('align', way)
  }
  return cell
}

const isLeftToRight = () => getComputedStyle(visual).direction === 'ltr'
const beside = (cell, isLeft) => (isLeft === isLeftToRight() ? cell.previousElementSibling : cell.nextElementSibling)
const isFirstRow = (cell) => rowOf(cell).rowIndex <= 1
const isLastRow = (cell) => isInHead(cell) || !rowOf(cell).nextElementSibling

/** A table needs a head and at least one column: those cannot be removed. */
const tableActions = [
  ['Add a row above', isInHead, (cell) => addRow(cell, true)],
  ['Add a row below', undefined, (cell) => addRow(cell, false)],
  ['Move the row up', isFirstRow, (cell) => moveRow(cell, true)],
  ['Move the row down', isLastRow, (cell) => moveRow(cell, false)],
  ['Delete the row', isInHead, deleteRow],
  [],
  ['Add a column on the left', undefined, (cell) => addColumn(cell, isLeftToRight())],
  ['Add a column on the right', undefined, (cell) => addColumn(cell, !isLeftToRight())],
  ['Move the column left', (cell) => !beside(cell, true), (cell) => moveColumn(cell, isLeftToRight())],
  ['Move the column right', (cell) => !beside(cell, false), (cell) => moveColumn(cell, !isLeftToRight())],
  ['Delete the column', (cell) => rowOf(cell).cells.length === 1, deleteColumn],
  [],
  ['Align left', undefined, (cell) => align(cell, 'left'), 'left'],
  ['Align in the centre', undefined, (cell) => align(cell, 'center'), 'center'],
  ['Align right', undefined, (cell) => align(cell, 'right'), 'right'],
]

function changeTable(act) {
  const cell = act(cellNow)
  cursorAtEnd(cell)
  touch()
  placeTools()
}

/** Returns the rows copied from a spreadsheet, or undefined if this is not from one. */
asSeen.rowsIn = (copied, plain) => rowsCopied(copied) ?? rowsOf(plain)

/** Splits lines with tabs into cells; undefined if there is no tab. */
const rowsOf = (plain) =>
  plain.includes('\t')
    ? plain
        .replace(/\n+$/, '')
        .split('\n')
        .map((line) => line.split('\t').map((words) => words.trim()))
    : undefined

/**
 * Returns the rows of a copied table with nothing beside it. Unlike plain text, its cells may have several lines, and
 * it may have a single column.
 */
function rowsCopied(copied) {
  const { body } = pageIn(copied)
  const table = body.querySelector('table')
  const rows = [...(table?.rows ?? [])].filter(({ cells }) => cells.length > 0)
  if (rows.length === 0 || (rows.length === 1 && rows[0].cells.length === 1)) return undefined
  const isAlone = inOneLine(body.textContent) === inOneLine(table.textContent)
  return isAlone ? rows.map((row) => [...row.cells].flatMap((cell) => [wordsIn(cell), ...besideWide(cell)])) : undefined
}

/** If a cell spans several columns, the other ones are empty. */
const besideWide = ({ colSpan }) => Array.from({ length: Math.min(colSpan, 100) - 1 }, () => '')

/** Returns the text of a cell. Links have their address and words between marker characters that occur in no text. */
function wordsIn(cell) {
  for (const each of cell.querySelectorAll('br, p + p, div + div, li + li')) each.before('\u0000')
  for (const each of cell.querySelectorAll('a[href]')) {
    const words = inOneLine(each.textContent)
    if (words === '' || words.includes('\u0000')) continue
    each.replaceChildren(`\uFDD2${each.getAttribute('href').replaceAll(/\s/g, encodeURIComponent)}\uFDD3${words}\uFDD4`)
  }
  return cell.textContent.split('\u0000').map(inOneLine).join('\n').trim()
}

/** Fills cells from this one on, as spreadsheets do. Missing rows and columns are added. */
asSeen.fillCells = (cell, rows) => {
  const [table, from] = [tableOf(cell), { row: rowOf(cell).rowIndex, column: cell.cellIndex }]
  let last = cell
  for (const [down, row] of rows.entries())
    for (const [on, words] of row.entries()) {
      if (!table.rows[from.row + down]) addRow(table.rows[from.row + down - 1].cells[0], false)
      if (!table.rows[0].cells[from.column + on]) addColumn(table.rows[0].cells[from.column + on - 1], false)
      last = table.rows[from.row + down].cells[from.column + on]
      const lines = words.split('\n')
      // An empty cell has no height without one.
      const breaks = (at) => (at > 0 || words === '' ? [document.createElement('br')] : [])
      last.replaceChildren(...lines.flatMap((line, at) => [...breaks(at), ...withLinks(line)]))
    }
  cursorAtEnd(last)
  touch()
}

/**
 * In the split result, every third part is an address, and the next one its words. Relative addresses do not work here.
 */
const withLinks = (line) =>
  line.split(/\uFDD2([^\uFDD3]*)\uFDD3([^\uFDD4]*)\uFDD4/).flatMap((part, at, parts) => {
    if (at % 3 === 1) return []
    if (at % 3 === 0 || !/^(https?|mailto|tel):/i.test(parts[at - 1])) return [part]
    const link = document.createElement('a')
    link.setAttribute('href', parts[at - 1])
    link.textContent = part
    return [link]
  })

// ------------------------------------------------------------------------------------------------------- the menu
for (const [name, isOut, act, way] of tableActions) {
  const item = document.createElement(name ? 'button' : 'hr')
  if (name) {
    Object.assign(item, {
      type: 'button',
      textContent: name,
      tabIndex: -1,
      role: way ? 'menuitemcheckbox' : 'menuitem',
    })
    item.addEventListener('click', () => {
      closeTableMenu()
      if (!isWorking) changeTable(act)
    })
  } else item.setAttribute('role', 'separator')
  item.prepare = () => {
    item.disabled = Boolean(isOut?.(cellNow))
    if (way) item.setAttribute('aria-checked', String(cellNow.getAttribute('align') === way))
  }
  tableMenu.append(item)
}

const menuItems = () => [...tableMenu.querySelectorAll('button:not(:disabled)')]

function openTableMenu() {
  if (!cellNow || isWorking) return
  for (const item of tableMenu.children) item.prepare()
  tableMenu.hidden = false
  tableButton.setAttribute('aria-expanded', 'true')
  asSeen.placeBeside(tableMenu, tableButton.getBoundingClientRect())
  menuItems()[0].focus({ preventScroll: true })
  tableMenu.scrollIntoView({ block: 'nearest' })
}

function closeTableMenu() {
  tableMenu.hidden = true
  tableButton.setAttribute('aria-expanded', 'false')
}

// A press keeps the selection, and the keyboard of a phone.
for (const each of [tableButton, tableMenu]) each.addEventListener('mousedown', (event) => event.preventDefault())
tableButton.addEventListener('click', () => (tableMenu.hidden ? openTableMenu() : closeTableMenu()))
addEventListener('click', ({ target }) => {
  if (!tableMenu.hidden && !tableMenu.contains(target) && target !== tableButton) closeTableMenu()
})

function backToCell() {
  closeTableMenu()
  if (cellNow?.isConnected) cursorAtEnd(cellNow)
}

tableButton.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' || event.key === 'Tab') backToCell()
  else if (event.key === 'ArrowDown') openTableMenu()
  else return
  event.preventDefault()
})
tableMenu.addEventListener('keydown', (event) => {
  const items = menuItems()
  const at = items.indexOf(document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (event.key === 'Escape' || event.key === 'Tab') backToCell()
  else if (to === undefined) return
  else items.at(to % items.length).focus()
  event.preventDefault()
})

// ------------------------------------------------------------------------------------------------- where the menu is
/** Places the button at the lower end of the cell. */
function placeTools() {
  const cell = asSeen.isOn && visual.contains(getSelection().anchorNode) ? cellAt() : undefined
  if (cell !== cellNow) closeTableMenu()
  cellNow = cell
  tableButton.hidden = !cell
  if (!cell) return
  const [{ right, bottom, left }, around] = [cell, writingPlace].map((each) => each.getBoundingClientRect())
  // In a wide table, that corner may be out of sight.
  const frame = cell.closest('.frame').getBoundingClientRect()
  const end = isLeftToRight() ? Math.min(right, frame.right) : Math.max(left, frame.left)
  tableButton.style.left = `${end - around.left}px`
  tableButton.style.top = `${bottom - around.top}px`
}

document.addEventListener('selectionchange', placeTools)
visual.addEventListener('input', placeTools)
// A wide table scrolls sideways.
visual.addEventListener('scroll', placeTools, true)
addEventListener('resize', placeTools)

/** Places a menu below a position on the page, or above it if there is no room below, and within the text. */
asSeen.placeBeside = (menu, { left, top, bottom }) => {
  const around = writingPlace.getBoundingClientRect()
  menu.style.maxHeight = ''
  const { width, height } = menu.getBoundingClientRect()
  // Between the header of the page and the lower edge of the window, or the keyboard of a phone. If neither side has
  // room, the menu scrolls.
  const header = document.querySelector('.head')?.getBoundingClientRect().bottom ?? 0
  const above = top - Math.max(0, header) - 8
  const below = (globalThis.visualViewport?.height ?? innerHeight) - bottom - 8
  const isBelow = height <= below || below >= above
  const shown = Math.min(height, Math.max(80, isBelow ? below : above))
  menu.style.maxHeight = `${shown}px`
  menu.style.left = `${Math.max(0, Math.min(left, innerWidth - width - 8, around.right - width) - around.left)}px`
  menu.style.top = `${(isBelow ? bottom + 4 : top - shown - 4) - around.top}px`
}

// ------------------------------------------------------------------------------------------------------------ keys
visual.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !cellAt(event.target) || isComposing(event)) return
  event.preventDefault()
  // A fast user may press it before the browser reports the selection.
  placeTools()
  tableButton.focus()
})

/** Tab in the last cell adds a row; Shift+Tab in the first one is left to the browser, and leaves the table. */
asSeen.tabInCell = (isBack) => {
  const cell = cellAt()
  if (!cell) return false
  const cells = [...tableOf(cell).querySelectorAll('[data-cell]')]
  const next = cells[cells.indexOf(cell) + (isBack ? -1 : 1)]
  if (!next && isBack) return false
  cursorAtEnd(next ?? rowOf(addRow(cell, false)).cells[0])
  if (!next) touch()
  return true
}

/** Arrow up and down stay in the column; browsers would move along the row. */
visual.addEventListener('keydown', (event) => {
  const isUp = event.key === 'ArrowUp'
  if ((event.key !== 'ArrowDown' && !isUp) || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
  const cell = cellAt()
  if (!cell || isWorking || isComposing(event) || !isOnEdge(cell, isUp)) return
  const next = tableOf(cell).rows[rowOf(cell).rowIndex + (isUp ? -1 : 1)]?.cells[cell.cellIndex]
  const outside = next ?? besideFrame(cell.closest('.frame'), isUp)
  if (!outside) return
  event.preventDefault()
  if (isUp || next) cursorAtEnd(outside)
  else cursorIn(outside)
})

/** Whether the cursor is on the first visible line of an element, or on the last one. */
function isOnEdge(element, isUp) {
  const [caret] = chosenRange().getClientRects()
  const all = document.createRange()
  all.selectNodeContents(element)
  const lines = [...all.getClientRects()]
  if (!caret || lines.length === 0) return true
  if (isUp) return caret.top - Math.min(...lines.map(({ top }) => top)) < caret.height / 2
  return Math.max(...lines.map(({ bottom }) => bottom)) - caret.bottom < caret.height / 2
}

/** Returns the nearest block with text, or the nearest field to write in. */
function besideFrame(frame, isUp) {
  const next = isUp ? frame.previousElementSibling : frame.nextElementSibling
  if (!next?.matches('.frame')) return next
  return next.querySelector('[contenteditable=true], [data-text]') ?? besideFrame(next, isUp)
}

function cursorAtEnd(element) {
  hostOf(element).focus({ preventScroll: true })
  getSelection().selectAllChildren(element)
  getSelection().collapseToEnd()
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

Object.assign(asSeen, { cellAt, isOnEdge })

// ------------------------------------------------------------------------------------------------------- a new table
const sizeDialog = document.querySelector('.writing-size')
const sizes = [...sizeDialog.querySelectorAll('input')]

/** Asks for the number of columns and rows; undefined if the dialog is dismissed. */
async function askSize() {
  const answered = answerOf(sizeDialog, sizes[0])
  sizes[0].select()
  if ((await answered) !== 'yes') return undefined
  return sizes.map(({ value, min, max }) =>
    Math.max(Number(min), Math.min(Number(max), Math.floor(Number(value) || 1))),
  )
}

/** Adds an empty table below the cursor, which goes into its first cell before anything else is done. */
asSeen.insertTable = () =>
  throughText(true, async () => {
    const [from, to] = cursor()
    const [columns, rows] = (await askSize()) ?? []
    if (!columns) return
    const line = (cell) => `|${` ${cell} |`.repeat(columns)}`
    const lines = [line(''), line('---'), ...Array.from({ length: rows }, () => line(''))]
    ways.behind({ before: lines.join('\n'), sample: '', after: '' }, from, to)
    const at = field.selectionStart
    early.unshift(() => cursorInTable(at))
  })

function cursorInTable(at) {
  const made = [...visual.querySelectorAll('.frame')].find(({ dataset }) => Number(dataset.to) === at)
  const first = made?.querySelector('[data-cell]')
  if (first) cursorAtEnd(first)
}
