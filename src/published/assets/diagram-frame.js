// The other side of diagrams.js, in a frame of its own.
import mermaid from './mermaid/mermaid.esm.min.mjs'

function settings(dark) {
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    theme: dark ? 'dark' : 'neutral',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: 50_000,
    fontFamily: 'sans-serif',
  }
}

// Settings inside of a diagram would override ours.
function withoutSettings(source) {
  return source.replace(/^---\n[^]*?\n---\n/, '').replace(/%%\{[^]*?\}%%/g, '')
}

// One after the other: the library draws into the page, and two at once would meet there.
let last = Promise.resolve()
addEventListener('message', ({ data, source: page }) => {
  const before = last
  last = before.then(() => draw(data, page))
})

async function draw({ id, source, dark }, page) {
  mermaid.initialize(settings(dark))
  try {
    const { svg } = await mermaid.render(`diagram-${id}`, withoutSettings(source))
    page.postMessage({ id, svg: withSize(svg) }, '*')
  } catch {
    page.postMessage({ id }, '*')
  }
}

parent.postMessage('ready', '*')

// A picture needs a size of its own; the library leaves that to the page it stands in.
function withSize(svg) {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/\s+/)
  if (width && height) {
    root.setAttribute('width', width)
    root.setAttribute('height', height)
  }
  root.removeAttribute('style')
  return new XMLSerializer().serializeToString(root)
}
