// ----------------------------------------------------- whether the page helps
// Without this script, the forms lead back to the same page, where the address determines what is shown next.
const rate = $('.rate')
const ratingSteps = rate ? [...rate.children] : []
for (const form of $$('.rate form'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const said = new URLSearchParams(new FormData(form))
    const { name, value } = event.submitter ?? {}
    if (name) said.set(name, value)
    try {
      const { type } = await fetch(form.action, { method: 'POST', body: said, redirect: 'manual' })
      // The server accepts an answer by redirecting back to the page.
      if (type !== 'opaqueredirect') throw new Error('It was not taken.')
      showRatingStep(ratingSteps.indexOf(form) + 1)
    } catch {
      say(rate.dataset.failed)
    }
  })
function showRatingStep(at) {
  for (const step of ratingSteps) step.toggleAttribute('data-on', step === ratingSteps[at])
  $('[tabindex]', ratingSteps[at]).focus({ preventScroll: true })
}
