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
  await drawVisual(...place.map(moved))
}

form.querySelector('[data-settings]')?.addEventListener('click', async () => {
  if (isWorking) return
  await inTurn(async () => {
    if (!asSeen.isOn) await askSettings(putDifference)
    else if (await isWritten()) {
      // What is chosen is something in the box, once that is open.
      const chosen = getSelection().rangeCount > 0 ? getSelection().getRangeAt(0).cloneRange() : undefined
      await askSettings((text) => takeSeen(text, chosen))
    }
  })
})
