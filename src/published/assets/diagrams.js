// Draws the diagrams of a page; loaded only on pages that have some. The library that draws them runs in a frame that
// is cut off from this site (no storage, no cookies, no access to this page), and its result is shown as an image:
// nothing that an author wrote into a diagram can do anything here.
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

// Returns the current colours of this site. The library only understands RGB colours.
function palette() {
  const probe = document.body.appendChild(document.createElement('i'))
  // If the system forces its own colours on pages, all of them would otherwise be the text colour.
  probe.style.forcedColorAdjust = 'none'
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const read = (name) => {
    probe.style.color = `var(--${name})`
    pen.fillStyle = getComputedStyle(probe).color
    pen.fillRect(0, 0, 1, 1)
    const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data
    return `rgb(${red}, ${green}, ${blue})`
  }
  const names = ['sunken', 'raised', 'hover', 'line-2', 'ink', 'text', 'muted', 'soft', 'soft-line', 'accent']
  const colours = Object.fromEntries(names.map((name) => [name, read(name)]))
  const inTone = (tone) => {
    probe.dataset.tone = tone
    return { strong: read('tone'), soft: read('tone-line') }
  }
  const tones = ['accent', 'success', 'warning', 'violet', 'danger', 'info'].map(inTone)
  probe.remove()
  return { ...colours, tones }
}

function askAll(frame) {
  const [dark, colours] = [isDark(), palette()]
  for (const [id, figure] of figures.entries()) {
    figure.dataset.source ??= figure.querySelector('code').textContent
    frame.contentWindow.postMessage({ id, source: figure.dataset.source, dark, colours }, '*')
  }
}

// A diagram that cannot be drawn stays readable as source.
async function show({ id, svg }) {
  if (typeof svg !== 'string' || !figures[id]) return
  const image = new Image()
  image.alt = figures[id].dataset.diagram
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  const isDrawn = await image.decode().then(
    () => true,
    () => false,
  )
  if (!isDrawn) return
  const figure = figures[id]
  // At its full size, if there is room. If its words would become too small to read, the figure scrolls instead.
  const least = Math.round(image.naturalWidth * 0.75)
  const scrolls = least > figure.clientWidth
  image.width = scrolls ? least : image.naturalWidth
  image.classList.toggle('wide', scrolls)
  // When printed, it is turned light: there is no time to draw it again.
  image.classList.toggle('drawn-dark', isDark())
  ;(figure.querySelector('img') ?? figure.querySelector('pre')).replaceWith(image)
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
