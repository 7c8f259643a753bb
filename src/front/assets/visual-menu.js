// The block menu of the visual editor: "/" in an empty paragraph lists the blocks, and what is typed behind it filters
// them. Each one is a button of the toolbar, and does what that button does.

const blockMenu = document.createElement('div')
Object.assign(blockMenu, { className: 'block-menu writing-menu', id: '~blocks', role: 'listbox', hidden: true })
blockMenu.setAttribute('aria-label', 'Blocks')
visual.after(blockMenu)

// Inline elements, which are not blocks, come last.
const blockButtons = [...bar.querySelectorAll('[data-also]')].toSorted(
  (one, other) => Number('inline' in one.dataset) - Number('inline' in other.dataset),
)
const blockOptions = blockButtons.map((button, number) => {
  const option = document.createElement('div')
  const name = button.getAttribute('aria-label') ?? button.textContent.trim()
  Object.assign(option, { id: `~block-${number}`, role: 'option', textContent: name })
  option.addEventListener('click', () => chooseBlock(option))
  option.addEventListener('pointermove', () => markOption(option))
  blockMenu.append(option)
  return { option, button, name: name.toLowerCase(), words: `${name} ${button.dataset.also}`.toLowerCase() }
})

/**
 * While the menu is open: the paragraph that begins with a slash, and functions that restore the attributes of its
 * field.
 */
let slashed
let hostBefore
/** The paragraph where the menu closed because nothing in it matched: it opens again when that is corrected. */
let unmatched

const shownOptions = () => [...blockMenu.children].filter(({ hidden }) => !hidden)

function markOption(chosen) {
  for (const { option } of blockOptions) option.setAttribute('aria-selected', String(option === chosen))
  hostOf(slashed).setAttribute('aria-activedescendant', chosen.id)
}

/** For screen readers, the field is a combobox with a list while the menu is open. */
function nameHost(host) {
  const during = { role: 'combobox', 'aria-expanded': 'true', 'aria-controls': blockMenu.id }
  Object.assign(during, { 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox', 'aria-multiline': null })
  if (!host.hasAttribute('aria-label')) during['aria-label'] = 'Text'
  hostBefore = Object.entries(during).map(([name, now]) => {
    const before = host.getAttribute(name)
    setOrRemove(host, name, now)
    return () => setOrRemove(host, name, before)
  })
  hostBefore.push(() => host.removeAttribute('aria-activedescendant'))
}

function openBlocks(block) {
  slashed = block
  unmatched = undefined
  nameHost(hostOf(block))
  blockMenu.hidden = false
  listBlocks()
}

/** What was typed stays as it is, and is written to the text. */
function closeBlocks() {
  if (!slashed) return
  slashed = undefined
  blockMenu.hidden = true
  for (const restore of hostBefore) restore()
  touch()
}

/** Ranks a match, nearest first: by the name, by any words in any order, by any letters in them. */
function farnessOf({ name, words }, sought) {
  if (` ${name}`.includes(` ${sought}`)) return 0
  if (sought.split(' ').every((word) => ` ${words}`.includes(` ${word}`))) return 1
  return words.replaceAll(' ', '').includes(sought) ? 2 : undefined
}

function listBlocks() {
  const sought = slashed.textContent.slice(1).replaceAll('\u00a0', ' ').toLowerCase()
  const found = blockOptions.map((each) => ({ option: each.option, far: farnessOf(each, sought) }))
  const isNear = found.some(({ far }) => far < 2)
  for (const { option, far } of found) option.hidden = far === undefined || (isNear && far === 2)
  blockMenu.append(...found.toSorted((one, other) => one.far - other.far).map(({ option }) => option))
  const [first] = shownOptions()
  if (!first) {
    unmatched = slashed
    return closeBlocks()
  }
  markOption(first)
  blockMenu.scrollTop = 0
  // Typing a search is not a step to be undone, so the text is not written yet.
  clearTimeout(pause)
  asSeen.placeBeside(blockMenu, slashed.getBoundingClientRect())
}

function chooseBlock(chosen) {
  const { button } = blockOptions.find(({ option }) => option === chosen)
  const block = slashed
  block.replaceChildren(document.createElement('br'))
  cursorIn(block)
  closeBlocks()
  button.click()
}

/** Chooses the marked block. Returns whether there was one. */
asSeen.chooseListed = () => {
  const chosen = slashed && shownOptions().find(({ ariaSelected }) => ariaSelected === 'true')
  if (chosen) chooseBlock(chosen)
  return Boolean(chosen)
}

/**
 * Whether the cursor is still in the paragraph with the slash, and no blank follows the slash. Names may contain
 * blanks.
 */
const isSought = (block = slashed) =>
  block.isConnected && block === blockAt(chosenRange().startContainer) && /^\/(\S.*)?$/.test(block.textContent)

visual.addEventListener('input', ({ data, inputType }) => {
  if (slashed) return isSought() ? listBlocks() : closeBlocks()
  if (unmatched && inputType.startsWith('delete') && !isWorking && isSought(unmatched)) return openBlocks(unmatched)
  if (data !== '/' || !inputType.startsWith('insert') || isWorking || isInCodeField()) return
  const block = blockAt(chosenRange().startContainer)
  if (block?.matches('p, div:not(.frame)') && block.textContent === '/' && !asSeen.cellAt()) openBlocks(block)
})
document.addEventListener('selectionchange', () => slashed && !isSought() && closeBlocks())
visual.addEventListener('focusout', closeBlocks)
// A press keeps the cursor, and the keyboard of a phone.
blockMenu.addEventListener('mousedown', (event) => event.preventDefault())

visual.addEventListener(
  'keydown',
  (event) => {
    if (!slashed || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return
    const shown = shownOptions()
    const at = shown.findIndex((option) => option.ariaSelected === 'true')
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
    if (event.key === 'Escape') closeBlocks()
    else if (event.key === 'Enter' || event.key === 'Tab') asSeen.chooseListed()
    else if (to === undefined) return
    else {
      const next = shown.at(to % shown.length)
      markOption(next)
      next.scrollIntoView({ block: 'nearest' })
    }
    event.preventDefault()
    event.stopImmediatePropagation()
  },
  { capture: true },
)

// The keyboard of a phone may report a new line without a key.
visual.addEventListener(
  'beforeinput',
  (event) => {
    if (event.inputType === 'insertParagraph' && !isWorking && asSeen.chooseListed()) event.preventDefault()
  },
  { capture: true },
)

// The same with a button: at the cursor, or below its block if that has text.
bar.querySelector('[data-add]').addEventListener('click', () => {
  if (!asSeen.isOn || isWorking) return
  const { endContainer } = chosenRange()
  let block = blockApart(endContainer)
  if (!block?.matches('p') || !isEmpty(block)) {
    const own = emptyParagraph()
    if (block) block.after(own)
    else visual.append(own)
    block = own
  }
  cursorIn(block)
  command('insertText', '/')
})
