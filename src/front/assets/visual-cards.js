// Cards in the visual editor: clicking one, or its button, opens a dialog for its texts and its target.

const cardDialog = document.querySelector('.writing-card')
const cardTexts = cardDialog.querySelector('[data-texts]')
const [cardTarget, cardCover, cardFile] = ['target', 'cover', 'file'].map((name) =>
  cardDialog.querySelector(`[name=${name}]`),
)
const cardRefusal = cardDialog.querySelector('.say')
const cardTargets = cardDialog.querySelector('datalist')

const cardsOf = (card) => [...card.parentElement.children]
const titleOf = (card) => card.querySelector('[data-words]')?.textContent.trim() || 'without a title'

/** Adds a button to each card, for users without a mouse. */
asSeen.nameCards = () => {
  for (const card of visual.querySelectorAll('[data-card]')) {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'card-change', textContent: 'Change' })
    button.ariaLabel = `Change the card ${titleOf(card)}`
    card.append(button)
  }
}

visual.addEventListener('click', ({ target }) => {
  const card = target.closest('[data-card]')
  if (card && !isWorking) void changeCard(card)
})
// The focus is on the button, so the other keys of the text do not apply.
visual.addEventListener(
  'keydown',
  (event) => {
    if (event.target.matches('.card-change') && !event.ctrlKey && !event.metaKey) event.stopImmediatePropagation()
  },
  { capture: true },
)

/** Opens the dialog of a card. If a card is added, its dialog is opened next. */
async function changeCard(card) {
  const rank = asSeen.rankOf(card.closest('.frame'))
  const at = cardsOf(card).indexOf(card)
  const [answer, isDrawn] = await askCard(card)
  const cards = isDrawn && asSeen.framesOf(rank.kind)[rank.at]?.querySelectorAll('[data-card]')
  if (!cards) return
  const to = { add: at + 1, back: at - 1, on: at + 1 }[answer] ?? at
  if (answer === 'add' && cards[to]) await changeCard(cards[to])
  else cards[to]?.querySelector('.card-change').focus({ preventScroll: true })
}

/** Returns the answer, and whether everything was redrawn. */
async function askCard(card) {
  let told = ['no', false]
  await inTurn(async () => {
    if (!(await isAllWritten())) return
    const before = field.value
    const answer = await answerAbout(card)
    if (answer === '' || answer === 'no') return
    if (answer === 'remove' && cardsOf(card).length === 1) return deleteFrame(card.closest('.frame'))
    const acts = {
      remove: () => card.remove(),
      add: () => addCard(card),
      back: () => move(card, -1),
      on: () => move(card, 1),
    }
    if (answer !== 'remove') sayOf(card)
    acts[answer]?.()
    told = [answer, await asSeen.drawChanged(before)]
  })
  return told
}

async function answerAbout(card) {
  const fields = [...card.querySelectorAll('[data-words]')].map(fieldOf)
  cardTexts.replaceChildren(...fields)
  cardTarget.value = card.dataset.target
  cardCover.value = card.dataset.cover
  cardFile.value = ''
  cardRefusal.hidden = true
  const [all, at] = [cardsOf(card), cardsOf(card).indexOf(card)]
  cardDialog.querySelector('[value=back]').disabled = at === 0
  cardDialog.querySelector('[value=on]').disabled = at === all.length - 1
  void listTargets()
  for (;;) {
    const first = cardRefusal.hidden ? (cardTexts.querySelector('.writing-line') ?? cardTarget) : cardFile
    const answered = answerOf(cardDialog, first)
    if (first.textContent === newTitle) getSelection().selectAllChildren(innermost(first))
    const answer = await answered
    if (answer === '' || answer === 'no' || answer === 'remove') return answer
    if (await asSeen.isUploaded(cardFile, cardCover, cardRefusal)) return answer
  }
}

/** Creates a line for one of the texts of a card. The first text is its title. */
function fieldOf(words, at) {
  const [own, name, line] = ['div', 'span', 'div'].map((tag) => document.createElement(tag))
  own.className = 'field'
  name.textContent = words.dataset.called ?? (at === 0 ? 'Title' : at === 1 ? 'Text' : `Text ${at}`)
  name.id = `~card-text-${at}`
  Object.assign(line, {
    className: 'writing-line',
    contentEditable: 'true',
    role: 'textbox',
    innerHTML: words.innerHTML,
  })
  line.setAttribute('aria-labelledby', name.id)
  own.append(name, line)
  return own
}

/** Copies the contents of the fields to the card. */
function sayOf(card) {
  const lines = [...cardTexts.querySelectorAll('.writing-line')]
  for (const [at, words] of [...card.querySelectorAll('[data-words]')].entries()) words.innerHTML = lines[at].innerHTML
  Object.assign(card.dataset, { target: cardTarget.value.trim(), cover: cardCover.value.trim() })
}

/** Adds a card like the given one behind it, empty except for a placeholder title. */
function addCard(card) {
  const made = card.cloneNode(true)
  Object.assign(made.dataset, { card: '', target: '', cover: '' })
  for (const [at, words] of [...made.querySelectorAll('[data-words]')].entries())
    if (at === 0) innermost(words).textContent = newTitle
    else words.replaceChildren()
  card.after(made)
}

const newTitle = 'New card'

/**
 * If all the words of an element are inside the same marks, as titles are mostly bold, returns the innermost mark, so
 * that new words keep them.
 */
function innermost(words) {
  const [only, ...others] = words.childNodes
  const isMark =
    others.length === 0 && only?.nodeType === Node.ELEMENT_NODE && only.matches('b, strong, i, em, u, s, del')
  return isMark ? innermost(only) : words
}

function move(card, by) {
  const cards = cardsOf(card)
  const other = cards[cards.indexOf(card) + by]
  if (by < 0) other.before(card)
  else other.after(card)
}

// ------------------------------------------------------------------------------------------------------ where it leads
const linksButton = bar.querySelector('[data-list][data-inline]')
let targetTimer

/** Lists pages whose titles contain the words, using our own page that lists them. */
async function listTargets() {
  clearTimeout(targetTimer)
  const words = cardTarget.value
  if (/^(?:[/#.]|[a-z]+:)/i.test(words)) return
  const response = await fetch(`${linksButton.dataset.list}?${new URLSearchParams({ find: words })}`).catch(
    () => undefined,
  )
  if (!response?.ok || words !== cardTarget.value) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const options = [...page.querySelectorAll('[data-href]')].slice(0, 50).map(({ dataset }) => {
    const option = document.createElement('option')
    Object.assign(option, { value: dataset.href, label: dataset.title })
    return option
  })
  cardTargets.replaceChildren(...options)
}
cardTarget.addEventListener('input', () => {
  clearTimeout(targetTimer)
  targetTimer = setTimeout(listTargets, 200)
})
