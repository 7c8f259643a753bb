// ------------------------------------------------- the site in other languages
// Decided in the browser, so that everyone gets the same page.
const offers = $$('.offer')
const keyOfOffers = offers.length > 0 && 'offers:' + offers[0].dataset.site
/**
 * Finds the best match: for `pt-BR`, `pt-br`, else `pt`, else any Portuguese. Norwegian has several codes of its own,
 * and traditional Chinese is named after a region where it is written.
 */
function inLanguage(wanted, all) {
  const whole = wanted.toLowerCase().replace(/^zh-(?:hant|hk|mo)\b.*/, 'zh-tw')
  const [primary] = whole.replace(/^n[bn]\b/, 'no').split('-')
  const found = (fits) => all.find(({ lang }) => fits(lang.toLowerCase()))
  return (
    found((lang) => lang === whole) ??
    found((lang) => lang === primary) ??
    found((lang) => lang.split('-')[0] === primary)
  )
}
if (offers.length > 0 && store.get(keyOfOffers) === null) {
  let fitting
  for (const wanted of navigator.languages) if ((fitting = inLanguage(wanted, [root, ...offers]))) break
  if (fitting && fitting !== root) fitting.hidden = false
}
for (const offer of offers)
  $('button', offer).addEventListener('click', () => {
    offer.hidden = true
    store.set(keyOfOffers, 'no')
  })
// A reader who chooses a variant in the menu knows about the others.
if (keyOfOffers)
  for (const choice of $$('.variant a, .nav-variants a'))
    choice.addEventListener('click', () => store.set(keyOfOffers, 'no'))
