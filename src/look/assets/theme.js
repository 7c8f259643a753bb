// Runs before the first paint: in <head>, external, blocking, a few hundred bytes, cached for ever.
// Without a stored choice it changes nothing: the style sheet follows the system setting.
;(function (root) {
  root.classList.add('js')
  if (root.hasAttribute('data-theme-fixed')) return
  function show() {
    try {
      var choice = localStorage.getItem('lectern:theme')
      if (choice === 'light' || choice === 'dark') root.dataset.theme = choice
      else if (choice === 'system') delete root.dataset.theme
    } catch {
      /* storage is blocked: the site's default applies */
    }
  }
  show()
  // Browsers may restore a page from their cache as it looked when it was left.
  addEventListener('pageshow', function (event) {
    if (event.persisted) show()
  })
})(document.documentElement)
