// A link to another page: somebody looks for it by words of its title, and it stands in the text.
const choice = document.querySelector('.writing-choice')
const [choiceList, choiceWords, choiceState] = ['ul', 'input', '[role=status]'].map((part) =>
  choice.querySelector(part),
)
const linksButton = bar.querySelector('[data-links]')
let place = [0, 0]
let listing
let asking = 0
/** The words that the list is about. */
let listedFor

linksButton.addEventListener('click', () => {
  place = cursor()
  choiceWords.value = ''
  choiceList.replaceChildren()
  choiceState.textContent = ''
  choice.showModal()
  choiceWords.focus()
  void listPages()
})

/** Those that the page of links lists, which is there without a script as well. */
async function listPages() {
  clearTimeout(listing)
  const mine = ++asking
  const words = choiceWords.value
  const address = `${linksButton.dataset.links}?${new URLSearchParams({ find: words })}`
  const page = await fetch(address).then(
    async (response) => (response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined),
    () => undefined,
  )
  if (mine !== asking) return
  const found = [...(page?.querySelectorAll('[data-href]') ?? [])]
  choiceList.replaceChildren(...found.slice(0, 50).map(chooser))
  choiceState.textContent = page ? stateOf(found.length) : noAnswer
  listedFor = words
}

function stateOf(count) {
  if (count === 0) return 'No title has these words.'
  if (count > 50) return `The first 50 of ${count} pages. Say more of the title.`
  return count === 1 ? 'One page' : `${count} pages`
}

function chooser(listed) {
  const { title, href } = listed.dataset
  const [button, name, path] = ['button', 'span', 'span'].map((tag) => document.createElement(tag))
  button.type = 'button'
  name.textContent = title
  path.textContent = decodeURI(href)
  path.className = 'row-more'
  button.append(name, ' ', path)
  button.addEventListener('click', () => link(href, listed.querySelector('code').textContent))
  const item = document.createElement('li')
  item.append(button)
  return item
}

/** Around what was chosen of the text, else with the title of the page, as its line has it. */
function link(href, line) {
  choice.close()
  const [from, to] = place
  if (field.value.slice(from, to).trim() === '') put(line, from, to)
  else ways.around({ before: '[', after: `](${href})` }, from, to)
}

choiceWords.addEventListener('input', () => {
  clearTimeout(listing)
  listing = setTimeout(listPages, 150)
})
choice.querySelector('.btn').addEventListener('click', () => choice.close())
// A click beside it is one on what is behind.
choice.addEventListener('click', ({ target }) => target === choice && choice.close())
choice.addEventListener('close', () => field.focus())

// Enter takes the first one; arrows lead through the list.
choice.addEventListener('keydown', async (event) => {
  const buttons = [...choiceList.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement)
  if (event.key === 'Enter' && event.target === choiceWords) {
    event.preventDefault()
    // Whoever types fast means what they typed, not what is listed yet.
    if (listedFor !== choiceWords.value) await listPages()
    return choiceList.querySelector('button')?.click()
  }
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  ;(to < 0 ? choiceWords : buttons[Math.min(to, buttons.length - 1)])?.focus()
})
