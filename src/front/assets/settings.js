// The settings of a page, whichever way somebody writes it: they stand above its text, and are asked for one by one.

const settingsDialog = document.querySelector('.writing-settings')
const settingsFields = [...(settingsDialog?.querySelectorAll('input:not([type=file]), textarea') ?? [])]
const settingsRefusal = settingsDialog?.querySelector('.say')
const coverFields = ['cover', 'coverDark'].map((name) =>
  [`${name}File`, name].map((each) => settingsDialog?.querySelector(`[name=${each}]`)),
)

/** Those of the text as it is now; undefined where it has none that can be read, which is said. */
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

/** Whether the text has others then. `take` puts it there. */
async function askSettings(take) {
  const settings = await findSettings()
  if (!settings) return
  fillSettings(settings)
  settingsRefusal.hidden = true
  const text = await settingsAnswered()
  if (text !== undefined && text !== field.value) await take(text)
}

const isNoAddress = ({ value }) => value !== '' && !/^(?:https?:\/\/|\/files\/)/i.test(value.trim())

/** The text with what was answered. What is refused stays in the box, to be said otherwise; undefined where it is left. */
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

/** What differs between two texts, and where something of the first one is in the second. */
function difference(before, text) {
  const to = changedAt(text, before)
  const end = changedAt(before, text)
  let from = 0
  while (from < Math.min(to, end) && before[from] === text[from]) from++
  return { from, to, end, moved: (at) => (at < to ? Math.min(at, end) : at + text.length - before.length) }
}

/** Only what differs: the cursor stays where it was, and the browser can undo it. */
function putDifference(text) {
  const { selectionStart, selectionEnd } = field
  const { from, to, end, moved } = difference(field.value, text)
  put(text.slice(from, end), from, to)
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd))
}

/** Where what was chosen is in the text; where nobody knows, `at`. */
async function placeSeen(chosen, at) {
  if (!visual.contains(chosen?.commonAncestorContainer)) return [at, at]
  getSelection().removeAllRanges()
  getSelection().addRange(chosen)
  putSigns(false)
  const { text = '' } = await textOfSeen()
  const [plain, ...place] = withoutSigns(text)
  return plain === field.value ? place : [at, at]
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

// Whatever else is under way comes first: whoever asks for it gets it then, once.
form.querySelector('[data-settings]')?.addEventListener('click', async () => {
  if (isOpeningSettings || settingsDialog.open) return
  isOpeningSettings = true
  await inTurn(async () => {
    if (!asSeen.isOn) await askSettings(putDifference)
    else if (await isWritten()) {
      // What is chosen is something in the box, once that is open.
      const chosen = getSelection().rangeCount > 0 ? getSelection().getRangeAt(0).cloneRange() : undefined
      await askSettings((text) => takeSeen(text, chosen))
    }
  }).finally(() => (isOpeningSettings = false))
})
