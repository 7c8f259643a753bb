// Runs before the first paint: in <head>, external, blocking, a few hundred bytes, cached for ever.
// Without a stored choice it changes nothing: the style sheet follows the system by itself.
;(function (root) {
  root.classList.add('js')
  if (root.hasAttribute('data-theme-fixed')) return
  function show() {
    try {
      var choice = localStorage.getItem('lectern:theme')
      if (choice === 'light' || choice === 'dark') root.dataset.theme = choice
      else if (choice === 'system') delete root.dataset.theme
    } catch {
      /* storage is closed: the site's default stays */
    }
  }
  show()
  // Browsers keep a page that was left, and bring it back as it looked then.
  addEventListener('pageshow', function (event) {
    if (event.persisted) show()
  })
})(document.documentElement)
