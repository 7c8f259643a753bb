// The settings of a page, in either way of writing: they are stored above its text, and the dialog has a field for
// each.

const settingsDialog = document.querySelector('.writing-settings')
const settingsFields = [...(settingsDialog?.querySelectorAll('input:not([type=file]), textarea') ?? [])]
const settingsRefusal = settingsDialog?.querySelector('.say')
const coverFields = ['cover', 'coverDark'].map((name) =>
  [`${name}File`, name].map((each) => settingsDialog?.querySelector(`[name=${each}]`)),
)

/** Returns the settings of the current text. If they cannot be read, shows why and returns undefined. */
async function findSettings() {
  const { settings, ...answer } = (await askServer('/settings', { text: field.value })) ?? {}
  if (settings) return settings
  said.replaceChildren()
  say('danger', whyNot(answer))
  return undefined
}

function fillSettings(settings) {
  for (const [file] of coverFields) file.value = ''
  for (const each of settingsFields) {
    if (each.name === 'shown') each.checked = settings.shown.includes(each.value)
    else if (each.type === 'checkbox') each.checked = settings[each.name]
    else each.value = settings[each.name]
  }
}

function settingsAsked() {
  const asked = {}
  const shown = settingsFields.filter(({ name, checked }) => name === 'shown' && checked)
  for (const { name, type, checked, value } of settingsFields)
    if (name !== 'shown' && (type !== 'checkbox' || checked)) asked[name] = value
  return { ...asked, shown: shown.map(({ value }) => value).join(' ') }
}

/** Opens the settings. If the answers change the text, passes the new text to `take`. */
async function askSettings(take) {
  const settings = await findSettings()
  if (!settings) return
  fillSettings(settings)
  settingsRefusal.hidden = true
  const text = await settingsAnswered()
  if (text !== undefined && text !== field.value) await take(text)
}

const isNoAddress = ({ value }) => value !== '' && !/^(?:https?:\/\/|\/files\/)/i.test(value.trim())

/**
 * Returns the text with the answers applied, or undefined if the dialog is dismissed. After a refusal the dialog stays
 * open, so that the answers can be corrected.
 */
async function settingsAnswered() {
  isOpeningSettings = false
  for (let first = settingsFields[0]; ;) {
    if ((await answerOf(settingsDialog, first)) !== 'yes') return undefined
    first = await asSeen.refusedOf(settingsRefusal, ...coverFields)
    if (first) continue
    const { text, ...answer } = (await askServer('/settings', { text: field.value, ...settingsAsked() })) ?? {}
    if (text !== undefined) return text
    settingsRefusal.textContent = whyNot(answer)
    settingsRefusal.hidden = false
    first = coverFields.map(([, address]) => address).find(isNoAddress) ?? settingsFields[0]
  }
}

/** Returns the range in which two texts differ, and a function that maps positions of the first one to the second. */
function difference(before, text) {
  const to = changedAt(text, before)
  const end = changedAt(before, text)
  let from = 0
  while (from < Math.min(to, end) && before[from] === text[from]) from++
  return { from, to, end, moved: (at) => (at < to ? Math.min(at, end) : at + text.length - before.length) }
}

/** Replaces only what differs: the cursor stays where it was, and the browser can undo it. */
function putDifference(text) {
  const { selectionStart, selectionEnd } = field
  const { from, to, end, moved } = difference(field.value, text)
  put(text.slice(from, end), from, to)
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd))
}

/** Returns where the selection is in the text, or `at` if that is not known. */
async function placeSeen(chosen, at) {
  if (!visual.contains(chosen?.commonAncestorContainer)) return [at, at]
  getSelection().removeAllRanges()
  getSelection().addRange(chosen)
  return (await asSeen.placeOfCursor(field.value)) ?? [at, at]
}

async function takeSeen(text, chosen) {
  const before = field.value
  const { to, moved } = difference(before, text)
  const place = await placeSeen(chosen, to)
  past.push(before)
  undone.length = 0
  setText(text)
  touchText()
  await drawAnew(...place.map(moved))
}

let isOpeningSettings = false

// Waits for other work in progress. Further clicks in the meantime do not open the dialog again.
form.querySelector('[data-settings]')?.addEventListener('click', async () => {
  if (isOpeningSettings || settingsDialog.open) return
  isOpeningSettings = true
  await inTurn(async () => {
    if (!asSeen.isOn) await askSettings(putDifference)
    else if (await isAllWritten()) {
      // Read first: once the dialog is open, the selection is inside it.
      const chosen = getSelection().rangeCount > 0 ? getSelection().getRangeAt(0).cloneRange() : undefined
      await askSettings((text) => takeSeen(text, chosen))
    }
  }).finally(() => (isOpeningSettings = false))
})
