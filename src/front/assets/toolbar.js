// The buttons above a text form one row. Those that do not fit are in a menu at its end.

const moreButton = bar.querySelector('[data-more]')
const moreTools = bar.querySelector('.writing-more')

const isShown = ({ offsetParent }) => offsetParent !== null

/** Moves buttons into the menu, from the last one on, until the others fit. */
function fitTools() {
  closeMore()
  moreButton.before(...moreTools.childNodes)
  const row = tools.filter((tool) => tool !== moreButton && isShown(tool))
  const isTooLong = () => bar.scrollWidth > bar.clientWidth
  bar.classList.remove('is-short')
  if (isTooLong()) bar.classList.add('is-short')
  while (isTooLong() && row.length > 1) moreTools.prepend(row.pop())
  // A toolbar has a single Tab stop. The previous one may be hidden after the change.
  const stop = tools.find((tool) => tool.tabIndex === 0 && isShown(tool)) ?? tools.find(isShown) ?? tools[0]
  for (const tool of tools) tool.tabIndex = tool === stop ? 0 : -1
}

function closeMore() {
  moreTools.hidden = true
  moreButton.setAttribute('aria-expanded', 'false')
}

moreButton.addEventListener('click', (event) => {
  if (!moreTools.hidden) return closeMore()
  moreTools.hidden = false
  // Down to the lower edge of the window, or to the keyboard of a phone.
  const below = (globalThis.visualViewport?.height ?? innerHeight) - bar.getBoundingClientRect().bottom - 8
  moreTools.style.maxHeight = `${Math.max(132, below)}px`
  moreButton.setAttribute('aria-expanded', 'true')
  // Only if opened by key: after a click, the cursor stays where it is.
  if (event.detail === 0) stopAt(moreTools.firstElementChild)
})
addEventListener('click', ({ target }) => {
  if (!moreTools.hidden && !moreButton.contains(target)) closeMore()
})

function stopAt(next) {
  for (const tool of tools) tool.tabIndex = tool === next ? 0 : -1
  next.focus()
}

// Arrow keys move from button to button.
bar.addEventListener('keydown', (event) => {
  const shown = tools.filter(isShown)
  const at = shown.indexOf(event.target)
  const isInMenu = moreTools.contains(event.target)
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
  const to = { ...next, ...(isInMenu && { ArrowDown: at + 1, ArrowUp: at - 1 }) }[event.key]
  const isLeft = event.key === 'Escape' && !moreTools.hidden
  if (at === -1 || (to === undefined && !isLeft)) return
  event.preventDefault()
  if (isLeft) {
    stopAt(moreButton)
    closeMore()
  } else stopAt(shown.at(to % shown.length))
})

new ResizeObserver(fitTools).observe(bar)
void document.fonts.ready.then(fitTools)
