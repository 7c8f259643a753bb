// Runs inside a page: examines every element for anything that could run or load, and triggers events on each of them.
// Returns what it found.
globalThis.probe = (origin) => {
  // Browsers show XML with a style sheet of their own.
  if (document.contentType !== 'text/html') return []
  const found = []
  const say = (what, element) => found.push(`${what}: ${element.outerHTML.slice(0, 200)}`)
  const addresses = new Set(
    'href src action formaction xlink:href poster data background cite ping longdesc manifest srcset'.split(' '),
  )
  const safe = new Set(['http:', 'https:', 'mailto:', 'tel:'])
  const banned = new Set('style object embed applet base frame frameset template portal'.split(' '))
  // Selectors of the frame around a page. In the text of a page, such elements would cover it or mislead our script.
  const ours = '.scrim, .toast, .skip, .nav, .head, .sr, [data-drawer], [data-drawer-close], [data-search], .lost'

  const isSite = document.querySelector('.prose, .lost') !== null
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName
    for (const attribute of element.attributes) {
      if (attribute.name.startsWith('on')) say(`handler ${attribute.name}`, element)
      if (attribute.name === 'style') say('style', element)
      if (!addresses.has(attribute.name)) continue
      if (!URL.canParse(attribute.value, document.baseURI)) continue
      const { protocol } = new URL(attribute.value, document.baseURI)
      const isDrawn = element.matches('[data-diagram] img')
      if (!safe.has(protocol) && !isDrawn) say(`address ${attribute.name}`, element)
    }
    if (banned.has(name) && (isSite || !element.matches('head > style:only-of-type'))) say('element', element)
    if (name === 'script' && (!element.src.startsWith(`${origin}/`) || element.textContent !== ''))
      say('script', element)
    if (name === 'iframe' && !element.matches('body > iframe[sandbox="allow-scripts"]')) say('frame', element)
    if (name === 'meta' && element.hasAttribute('http-equiv')) say('meta', element)
    if (name === 'link' && element.closest('head') === null) say('link', element)
    if (name === 'form' && !element.matches('.lost form, form.rating')) say('form', element)
    if (element.matches('.prose svg *') && !element.matches('use[href^="#i-"]')) say('drawing', element)
    if (element.matches('.prose *') && element.matches(ours)) say('look of the frame', element)
  }

  // Elements that replace something that scripts use.
  for (const element of document.querySelectorAll('[id], [name]:not(meta)')) {
    for (const name of [element.id, element.getAttribute('name') ?? '']) {
      if (!(name in Document.prototype)) continue
      const value = document[name]
      if (value === element || value instanceof HTMLCollection) say(`takes the place of document.${name}`, element)
    }
    if (isSite && !element.closest('.prose') && element.id && document.getElementById(element.id) !== element)
      say('an id of the frame is taken', element)
  }

  // Triggers events as a reader would, and more. Links that lead elsewhere are not followed, but an address that would
  // run does run.
  const stop = (event) => {
    const link = event.target.closest?.('a, area')
    // A link without a protocol has no address at all.
    if (!link || safe.has(link.protocol) || link.protocol === ':') event.preventDefault()
  }
  addEventListener('click', stop, true)
  const touches = 'pointerover mouseover mouseenter focus focusin toggle animationstart wheel error load'.split(' ')
  for (const element of document.querySelectorAll('.prose *, .nav a, .foot a, .head a, .title *, .lost *, .hit')) {
    if (element.closest('button')) continue
    for (const type of touches) element.dispatchEvent(new Event(type, { cancelable: true }))
    element.dispatchEvent(new MouseEvent('click', { cancelable: true }))
  }
  removeEventListener('click', stop, true)
  return found
}
