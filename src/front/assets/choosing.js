// The dialog for choosing a page to link to, or a reusable content: the author searches by words of the title, and the
// line of the chosen one is inserted into the text.
const choice = document.querySelector('.writing-choice')
const [choiceTitle, choiceList, choiceWords, choiceState] = ['h2', 'ul', 'input', '[role=status]'].map((part) =>
  choice.querySelector(part),
)
const mostChoices = 50
/**
 * The range of the text to insert at (`place`), and the data of the button (`list`), with the address of the page that
 * lists the choices and works without a script as well.
 */
let place = [0, 0]
let list = {}
let listing
let asking = 0
/**
 * Whether selected words of the visual editor are to be linked. If so, `linked` receives the address, and nothing is
 * inserted into the text.
 */
let isLinking = false
let linked
/** The search words that the shown list belongs to. */
let listedFor

for (const button of bar.querySelectorAll('[data-list]'))
  button.addEventListener('click', () => {
    if (!asSeen.isOn) openChoices(button)
    else if (button.matches('[data-inline]') && asSeen.areWordsChosen()) void asSeen.linkWords(() => askForPage(button))
    else void asSeen.through(!button.matches('[data-inline]'), () => untilChosen(button))
  })

function openChoices(button) {
  place = cursor()
  list = button.dataset
  choiceTitle.textContent = button.title
  choiceWords.value = ''
  choiceList.replaceChildren()
  choiceState.textContent = ''
  choice.showModal()
  choiceWords.focus()
  void listChoices()
}

/** Waits until a choice is made and inserted, or the dialog is closed. */
async function untilChosen(button) {
  openChoices(button)
  await new Promise((done) => choice.addEventListener('close', done, { once: true }))
}

/** Returns the address of the chosen page, or undefined if none was chosen. */
async function askForPage(button) {
  isLinking = true
  linked = undefined
  await untilChosen(button)
  isLinking = false
  return linked
}

async function listChoices() {
  clearTimeout(listing)
  const mine = ++asking
  const words = choiceWords.value
  const page = await fetch(`${list.list}?${new URLSearchParams({ find: words })}`).then(
    async (response) => (response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined),
    () => undefined,
  )
  if (mine !== asking) return
  const found = [...(page?.querySelectorAll('[data-title]') ?? [])].filter((each) => isChoice(each.dataset, words))
  choiceList.replaceChildren(...found.slice(0, mostChoices).map(chooser))
  choiceState.textContent = page ? countOf(found.length, words) : noAnswer
  listedFor = words
}

/** The page or content being written is excluded: it can neither link to itself nor include itself. */
function isChoice({ id, title }, words) {
  const name = title.normalize('NFC').toLowerCase()
  const isSought = words
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word))
  return isSought && !form.action.includes(id)
}

function countOf(count, words) {
  if (count === 0) return words.trim() === '' ? list.none : 'No title contains these words.'
  if (count > mostChoices) return `The first ${mostChoices} of ${count}. Type more of the title.`
  return `${count} found`
}

function chooser(listed) {
  const { title, about } = listed.dataset
  const [item, button, name, more] = ['li', 'button', 'span', 'span'].map((tag) => document.createElement(tag))
  button.type = 'button'
  name.textContent = title
  more.textContent = about
  more.className = 'row-more'
  button.append(name, ' ', more)
  button.addEventListener('click', () => putChoice(listed.dataset, listed.querySelector('code').textContent))
  item.append(button)
  return item
}

/**
 * A link is put around the selected text, or else contains the title of the page. Everything else goes on lines of its
 * own.
 */
function putChoice({ href }, line) {
  choice.close()
  linked = href
  if (isLinking) return
  const [from, to] = place
  if (href === undefined) ways.behind({ before: line, sample: '', after: '' }, from, to)
  else if (field.value.slice(from, to).trim() === '') put(line, from, to)
  else ways.around({ before: '[', after: `](${href})` }, from, to)
}

choiceWords.addEventListener('input', () => {
  clearTimeout(listing)
  listing = setTimeout(listChoices, 150)
})
choice.querySelector('.btn').addEventListener('click', () => choice.close())
// A click on the backdrop has the dialog itself as its target.
choice.addEventListener('click', ({ target }) => target === choice && choice.close())

// Enter takes the first choice; the arrow keys move through the list.
choice.addEventListener('keydown', async (event) => {
  if (isComposing(event)) return
  const buttons = [...choiceList.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement)
  if (event.key === 'Enter' && event.target === choiceWords) {
    event.preventDefault()
    // For a fast typist, Enter refers to the words typed, not to what is listed so far.
    if (listedFor !== choiceWords.value) await listChoices()
    // Nor to an earlier list, if Enter was pressed twice or the dialog was closed in the meantime.
    if (choice.open && listedFor === choiceWords.value) choiceList.querySelector('button')?.click()
    return
  }
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  ;(to < 0 ? choiceWords : buttons[Math.min(to, buttons.length - 1)])?.focus()
})
