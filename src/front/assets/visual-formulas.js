// Formulas in the visual editor: a dialog for their TeX, with a preview.

const formulaDialog = document.querySelector('.writing-formula')
const formulaField = formulaDialog.querySelector('textarea')
const formulaLook = formulaDialog.querySelector('.writing-look')
const formulaRemove = formulaDialog.querySelector('[value=remove]')

asSeen.askable.formula = { name: ({ dataset }) => `Formula: ${dataset.formula}`, ask: askAboutFormula }

asSeen.toolsOf.math = { formula: ['Formula', 'What it says', asSeen.askFirst] }

async function askAboutFormula(piece) {
  const answer = await asSeen.askFormula(piece.dataset.formula, false)
  if (answer === undefined || answer === 'remove' || answer === piece.dataset.formula) return answer
  piece.dataset.formula = answer
  return 'changed'
}

/**
 * Asks for the TeX of a formula. Returns the TeX, `remove` if the formula is to be removed or its field is empty, or
 * undefined if the dialog is dismissed.
 */
asSeen.askFormula = async (tex, isNew) => {
  formulaField.value = tex
  formulaRemove.hidden = isNew
  void lookAtFormula()
  const answered = answerOf(formulaDialog, formulaField)
  if (isNew) formulaField.select()
  const answer = await answered
  const now = formulaField.value.trim()
  if (answer === 'yes' && now !== '') return now
  return !isNew && (answer === 'remove' || answer === 'yes') ? 'remove' : undefined
}

/** Inserts a formula at the cursor, made from the selected words. */
asSeen.insertFormula = () =>
  inTurn(async () => {
    const range = chosenRange().cloneRange()
    // Replacing words of several blocks would join the blocks.
    if (blockAt(range.startContainer) !== blockAt(range.endContainer)) range.collapse(false)
    if (!(await isAllWritten())) return
    const before = field.value
    const tex = await asSeen.askFormula(range.toString() || 'a^2 + b^2 = c^2', true)
    hostOf(range.startContainer).focus({ preventScroll: true })
    getSelection().removeAllRanges()
    getSelection().addRange(range)
    if (!tex) return
    const made = document.createElement('span')
    made.className = 'math'
    made.dataset.formula = tex
    range.deleteContents()
    range.insertNode(made)
    await asSeen.drawChanged(before)
  })

// ------------------------------------------------------------------------------------------------------- how it looks
let lookedAt
let lookTimer

/**
 * Shows the formula as it will look. While the server has not answered, or the TeX is not valid yet, an earlier result
 * is not shown.
 */
async function lookAtFormula() {
  clearTimeout(lookTimer)
  const tex = formulaField.value.trim().replaceAll(/\${2,}/g, '$')
  if (tex === lookedAt) return
  lookedAt = tex
  const answer = tex && (await askServer('', { text: `$$\n${tex}\n$$`, from: 0, to: 0 }))
  if (tex !== lookedAt) return
  const page = new DOMParser().parseFromString(answer?.markup ?? '', 'text/html')
  const look = page.querySelector('.math math')
  const refused = answer?.markup === undefined ? noAnswer : 'This cannot be read as TeX yet.'
  formulaLook.replaceChildren(...(look ? [look] : tex ? [refused] : []))
}
formulaField.addEventListener('input', () => {
  clearTimeout(lookTimer)
  lookTimer = setTimeout(lookAtFormula, 250)
})

// Clicking a button keeps the selection in the field.
formulaDialog.addEventListener('mousedown', (event) => event.target.closest('[data-tex]') && event.preventDefault())
formulaDialog.addEventListener('click', ({ target }) => {
  const { tex } = target.closest('[data-tex]')?.dataset ?? {}
  if (tex === undefined) return
  const { selectionStart: from, selectionEnd: to, value } = formulaField
  const [before, behind] = tex.split('|')
  formulaField.setRangeText(before + value.slice(from, to) + behind, from, to, 'end')
  const at = from + before.length + (to - from)
  formulaField.setSelectionRange(at, at)
  formulaField.focus()
  formulaField.dispatchEvent(new Event('input'))
})
