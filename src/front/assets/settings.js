// The settings of a page, whichever way somebody writes it: they stand above its text, and are asked for one by one.

const settingsDialog = document.querySelector('.writing-settings')
const settingsFields = [...(settingsDialog?.querySelectorAll('input, textarea') ?? [])]

/** Those of the text as it is now; undefined where it has none that can be read, which is said. */
async function findSettings() {
  const { settings, ...answer } = (await askServer('/settings', { text: field.value })) ?? {}
  if (settings) return settings
  said.replaceChildren()
  say('danger', whyNot(answer))
  return undefined
}

function fillSettings(settings) {
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
  if ((await answerOf(settingsDialog, settingsFields[0])) !== 'yes') return
  const { text, ...answer } = (await askServer('/settings', { text: field.value, ...settingsAsked() })) ?? {}
  if (text === undefined) {
    said.replaceChildren()
    say('danger', whyNot(answer))
  } else if (text !== field.value) await take(text)
}

/** Only what differs: the cursor stays where it was, and the browser can undo it. */
function putDifference(text) {
  const before = field.value
  const { selectionStart, selectionEnd } = field
  const to = changedAt(text, before)
  const end = changedAt(before, text)
  let from = 0
  while (from < Math.min(to, end) && before[from] === text[from]) from++
  put(text.slice(from, end), from, to)
  const moved = (at) => (at < to ? Math.min(at, end) : at + text.length - before.length)
  field.setSelectionRange(moved(selectionStart), moved(selectionEnd))
}

async function takeSeen(text) {
  const before = field.value
  past.push(before)
  undone.length = 0
  setText(text)
  touchText()
  const at = changedAt(before, text)
  await drawVisual(at, at)
}

form.querySelector('[data-settings]')?.addEventListener('click', async () => {
  if (isWorking) return
  await inTurn(async () => {
    if (!asSeen.isOn) await askSettings(putDifference)
    else if (await isWritten()) await askSettings(takeSeen)
  })
})
