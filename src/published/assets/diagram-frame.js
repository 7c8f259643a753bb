// The counterpart of diagrams.js, in a frame of its own.
import mermaid from './mermaid/mermaid.esm.min.mjs'

function settings(dark, colours) {
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    theme: 'base',
    themeVariables: inColours(dark, colours),
    htmlLabels: false,
    // A column of text is narrow, so everything is as close together as it can be while still readable.
    flowchart: { htmlLabels: false, minNodeWidth: 60, nodeSpacing: 40, rankSpacing: 40 },
    state: { minNodeWidth: 60, nodeSpacing: 40, rankSpacing: 40 },
    // A Gantt chart takes the width of its container, which this frame does not have.
    gantt: { useWidth: 720, fontSize: 13, sectionFontSize: 13 },
    maxTextSize: 50_000,
    fontFamily: 'sans-serif',
  }
}

// The library's names for the parts of a diagram, with the colours of the site.
function inColours(
  darkMode,
  { sunken, raised, hover, 'line-2': line, ink, text, muted, soft, 'soft-line': softLine, accent, tones },
) {
  return {
    darkMode,
    background: sunken,
    primaryColor: soft,
    primaryBorderColor: softLine,
    primaryTextColor: ink,
    secondaryColor: raised,
    secondaryBorderColor: line,
    tertiaryColor: hover,
    tertiaryBorderColor: line,
    lineColor: muted,
    textColor: text,
    titleColor: ink,
    edgeLabelBackground: sunken,
    clusterBkg: hover,
    clusterBorder: line,
    noteBkgColor: raised,
    noteBorderColor: line,
    noteTextColor: text,
    actorLineColor: line,
    signalColor: muted,
    signalTextColor: text,
    labelBoxBkgColor: raised,
    labelBoxBorderColor: line,
    activationBkgColor: accent,
    dropShadow: 'none',
    fontSize: '15px',
    pieTitleTextColor: ink,
    pieLegendTextColor: text,
    pieSectionTextColor: raised,
    pieStrokeColor: sunken,
    pieOuterStrokeWidth: '0px',
    pieOpacity: '1',
    taskBkgColor: soft,
    taskBorderColor: softLine,
    sectionBkgColor: raised,
    sectionBkgColor2: hover,
    altSectionBkgColor: sunken,
    gridColor: line,
    ...inTurn('pie', 1, tones, 'strong'),
    ...inTurn('git', 0, tones, 'strong'),
    ...inTurn('cScale', 0, tones, 'soft'),
    ...inTurn('cScaleLabel', 0, [{ ink }], 'ink'),
    ...inTurn('gitBranchLabel', 0, [{ raised }], 'raised'),
  }
}

// Twelve of each kind, for slices, branches and periods.
const inTurn = (name, first, tones, shade) =>
  Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${name}${first + i}`, tones[i % tones.length][shade]]))

// Settings inside of a diagram would override ours, so they are removed.
function withoutSettings(source) {
  return source.replace(/^---\n[^]*?\n---\n/, '').replace(/%%\{[^]*?\}%%/g, '')
}

// One diagram after the other: the library draws into the page, where two at once would collide.
let last = Promise.resolve()
addEventListener('message', ({ data, source: page }) => {
  const before = last
  last = before.then(() => draw(data, page))
})

async function draw({ id, source, dark, colours }, page) {
  mermaid.initialize(settings(dark, colours))
  try {
    const { svg } = await mermaid.render(`diagram-${id}`, withoutSettings(source))
    page.postMessage({ id, svg: withSize(svg) }, '*')
  } catch {
    page.postMessage({ id }, '*')
  }
}

parent.postMessage('ready', '*')

// An image needs a size of its own, which the library leaves to the surrounding page.
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
