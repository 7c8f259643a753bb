// ------------------------------------------------ which server samples call
// Boxes with the same servers share one choice, on this page and on the next.
const serverBoxes = $$('[data-servers]')
const fieldsOf = (radio) => $$('[data-variable]', radio.closest('dl > div'))
function showServer(box) {
  const radio = $('input:checked', box)
  const values = Object.fromEntries(fieldsOf(radio).map((field) => [field.dataset.variable, field.value.trim()]))
  const address = radio.value.replace(/\{([^{}]*)\}/g, (written, name) => values[name] || written).replace(/\/+$/, '')
  for (const base of $$('[data-base]', box.closest('.op'))) base.textContent = address
  return { url: radio.value, values }
}
function chooseServer(box, { url, values }) {
  const radio = $$('[type="radio"]', box).find((each) => each.value === url)
  if (!radio) return
  radio.checked = true
  for (const field of fieldsOf(radio)) {
    const value = values[field.dataset.variable]
    if (value !== undefined && [...(field.options ?? [{ value }])].some((each) => each.value === value))
      field.value = value
  }
  showServer(box)
}
/** Invalid stored data must not stop the script. */
function keptChoice(key) {
  try {
    return JSON.parse(store.get(key))
  } catch {
    return undefined
  }
}
for (const box of serverBoxes) {
  const key = 'server:' + box.dataset.servers
  const kept = keptChoice(key)
  if (kept?.values) chooseServer(box, kept)
  box.addEventListener('input', ({ target }) => {
    // Changing a variable of a server selects that server.
    if (target.dataset.variable) $('[type="radio"]', target.closest('dl > div')).checked = true
    const choice = showServer(box)
    store.set(key, JSON.stringify(choice))
    for (const other of serverBoxes)
      if (other !== box && other.dataset.servers === box.dataset.servers) chooseServer(other, choice)
  })
}
