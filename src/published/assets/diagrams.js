// Draws the diagrams of a page; loaded only where there are some. The library that draws them runs in a frame that has
// no part in this site (no storage, no cookies, no access to this page), and what comes back is shown as a picture: so
// nothing that somebody wrote into a diagram can do anything here.
const figures = [...document.querySelectorAll('[data-diagram]')]
const address = document.querySelector('meta[name="diagrams"]')?.content
const systemDark = matchMedia('(prefers-color-scheme: dark)')

function isDark() {
  const chosen = document.documentElement.dataset.theme
  return chosen === undefined ? systemDark.matches : chosen === 'dark'
}

function openFrame() {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.className = 'sr'
  frame.tabIndex = -1
  frame.setAttribute('aria-hidden', 'true')
  frame.src = address
  document.body.append(frame)
  return frame
}

function askAll(frame) {
  for (const [id, figure] of figures.entries()) {
    figure.dataset.source ??= figure.querySelector('code').textContent
    frame.contentWindow.postMessage({ id, source: figure.dataset.source, dark: isDark() }, '*')
  }
}

// What cannot be drawn stays there to be read.
async function show({ id, svg }) {
  if (typeof svg !== 'string' || !figures[id]) return
  const image = new Image()
  image.alt = 'Diagram'
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  // Smaller than this its words cannot be read: where there is no room, the figure scrolls.
  image.width = Math.round(image.naturalWidth * 0.75)
  const figure = figures[id]
  figure.replaceChildren(image)
  if (figure.scrollWidth > figure.clientWidth) figure.tabIndex = 0
  else figure.removeAttribute('tabindex')
}

if (figures.length > 0 && address) {
  const frame = openFrame()
  addEventListener('message', (event) => {
    if (event.source !== frame.contentWindow) return
    if (event.data === 'ready') askAll(frame)
    else void show(event.data)
  })
  new MutationObserver(() => askAll(frame)).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  systemDark.addEventListener('change', () => askAll(frame))
}
