import { type Html, html } from '../http/html.ts'
import { codeBlock, highlightShell } from './code.ts'
import { type IconName, type Place, footer, header, icon, layout } from './layout.ts'

/**
 * The page at the root: what Lectern is, and the way to a first request. It shows nothing of the contents of the
 * instance.
 */
export function landingPage(place: Place, isSignedIn: boolean): Html {
  return layout({
    place,
    title: 'Lectern',
    description: 'Documentation that you write together and publish from your own server.',
    kind: 'home',
    icons: ['moon', 'sun', 'arrow', 'copy', 'check', ...abilities.map((each) => each.icon)],
    body: html`${header(place, '/', isSignedIn)}
      <main id="~content">
        <section class="hero">
          <div class="wrap">
            <div>
              <h1>Documentation with a place to stand.</h1>
              <p class="lead">
                Lectern is running here. Write together, review every change, and publish from your own server: with a
                browser, or all of it through one HTTP API.
              </p>
              <div class="btns">${isSignedIn ? toWork(place) : toRead(place)}</div>
            </div>
            ${codeBlock('First request', highlightShell(firstCall(place.url)))}
          </div>
        </section>
        <div class="wrap home-main">
          <section aria-labelledby="start">
            <h2 id="start">Start here</h2>
            <p class="section-lead">From a fresh server to your first page, and to your own scripts.</p>
            <ol class="path">
              ${isSignedIn ? write(place) : signInAndWrite(place)}
              <li>
                <h3>Make your first request</h3>
                <p>
                  You need your token. The first start prints it in the terminal. Without a terminal, it is in the file
                  <code>admin-token</code> of the data folder, unless you set it as <code>LECTERN_ADMIN_TOKEN</code>.
                  Send it as <code>Authorization: Bearer</code>.
                </p>
              </li>
              <li>
                <h3>Create tokens for the rest</h3>
                <p>
                  One for each script and person, with only the scopes that it needs. A revoked token stops working at
                  once.
                </p>
              </li>
              <li>
                <h3>Run it well</h3>
                <p>
                  <code>README.md</code> and the <code>docs</code> folder beside the program explain settings, backups
                  and upgrades.
                </p>
              </li>
            </ol>
          </section>
          <section aria-labelledby="what">
            <h2 id="what">What it does</h2>
            <p class="section-lead">And each of these is an operation that programs can call.</p>
            <ul class="cards" role="list">
              ${abilities.map(
                (each) =>
                  html`<li class="card">
                    <span class="chip">${icon(each.icon)}</span>
                    <h3>${each.title}</h3>
                    <p>${each.text}</p>
                  </li>`,
              )}
            </ul>
          </section>
        </div>
      </main>
      ${footer(place)}`,
  })
}

const toWork = (place: Place) =>
  html`<a class="btn primary big" href="${place.link('/account')}">Your organizations ${icon('arrow')}</a>
    <a class="btn big" href="${place.link('/docs')}">Read the documentation</a>`

const toRead = (place: Place) =>
  html`<a class="btn primary big" href="${place.link('/docs')}">Read the documentation ${icon('arrow')}</a>
    <a class="btn big" href="${place.link('/docs/api')}">API reference</a>`

const signInAndWrite = (place: Place) =>
  html`<li>
    <h3>Sign in and write</h3>
    <p>
      <a href="${place.link('/login')}">Sign in</a> with your e-mail address. Your account leads to your spaces: edit a
      page there, with nothing but the browser.
    </p>
  </li>`

const write = (place: Place) =>
  html`<li>
    <h3>Write</h3>
    <p>
      <a href="${place.link('/account')}">Your account</a> leads to your spaces: edit a page there, with nothing but the
      browser.
    </p>
  </li>`

const firstCall = (url: string) => `# the first start printed it, or left it in data/admin-token
export LECTERN_TOKEN=lct_…

# who am I?
curl "${url}/v1/user" \\
  --header "Authorization: Bearer $LECTERN_TOKEN"`

const abilities: { icon: IconName; title: string; text: string }[] = [
  { icon: 'book', title: 'Write', text: 'Spaces full of pages in Markdown, with blocks, files and reusable content.' },
  { icon: 'branch', title: 'Review', text: 'Change requests that are read, discussed and merged without losing work.' },
  {
    icon: 'globe',
    title: 'Publish',
    text: 'Fast sites that read well without script, on your address or on their own.',
  },
  { icon: 'key', title: 'Control', text: 'Roles and teams, tokens with scopes, and a record of who did what.' },
  { icon: 'code', title: 'Automate', text: 'Clients and scripts that were made for the GitBook API keep working.' },
  { icon: 'server', title: 'Own', text: 'One program and PostgreSQL. It comes with its own, or uses the one you run.' },
]
