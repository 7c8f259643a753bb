import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'

const source = readFileSync(new URL('probe.js', import.meta.url), 'utf8')
const probe = source.slice(source.indexOf('(origin)'))

/** Nothing but this machine is there for the browser, so that whoever looks for something else fails at once. */
export const nowhereElse = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']

/** A browser that sees whatever somebody's text manages to do. */
export interface Watched {
  page: Page
  context: BrowserContext
  /** Opens an address, touches everything on it, and answers with all that should not have happened. */
  visit(url: string): Promise<string[]>
  open(url: string): Promise<void>
  /** Of what is shown now. */
  look(): Promise<string[]>
  close(): Promise<void>
}

export type Looking = (watched: Watched, withPolicy: boolean) => Promise<void>

/** Once by the policy, and once as if there were none. */
export async function bothWays(browser: Browser, origin: string, look: Looking): Promise<void> {
  for (const withPolicy of [true, false]) {
    const watched = await watch(browser, origin, withPolicy)
    await look(watched, withPolicy)
    await watched.close()
  }
}

/** `withPolicy: false` is a browser that knows of no content security policy. */
export async function watch(browser: Browser, origin: string, withPolicy: boolean): Promise<Watched> {
  // Nobody looks, and drawing takes most of the time: the width is that of a desk, the height hardly anything.
  const context = await browser.newContext({ bypassCSP: !withPolicy, viewport: { width: 1280, height: 120 } })
  const page = await context.newPage()
  const seen: string[] = []
  await context.addInitScript(hook)
  page.on('console', (message) => {
    if (message.text().startsWith('FIRED ')) seen.push(message.text())
  })
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => {
    seen.push(`window ${popup.url()}`)
    void popup.close()
  })
  let expected = ''
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && frame.url() !== expected) seen.push(`navigation to ${frame.url()}`)
  })
  // Errors of our own script: somebody's text got in its way.
  page.on('pageerror', (error) => seen.push(`error ${String(error)}`))
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url())
    const isOurs = asked === origin || ['data:', 'blob:', 'about:'].includes(protocol)
    // Pictures and media may come from anywhere: that is what their authors want.
    if (isOurs || ['image', 'media'].includes(request.resourceType())) return
    seen.push(`request ${request.resourceType()} ${request.url()}`)
  })
  const look = async () => {
    expected = page.url()
    try {
      seen.push(...(await page.evaluate<string[]>(`(${probe})(${JSON.stringify(origin)})`)))
      // What was touched may act a little later.
      await page.evaluate('new Promise((done) => setTimeout(done, 30))')
    } catch (error) {
      seen.push(`the page went away: ${String(error)}`)
    }
    return seen.splice(0)
  }
  const open = async (url: string) => {
    expected = url
    await page.goto(url)
    // A redirect of ours, to the same place under its usual address, is none that somebody's text made.
    seen.splice(0, seen.length, ...seen.filter((what) => !what.startsWith('navigation to')))
  }
  return {
    page,
    context,
    open,
    look,
    async visit(url) {
      seen.length = 0
      await open(url)
      return look()
    },
    close: () => context.close(),
  }
}

/** In every frame, before anything of it runs. Nothing of the page can take it away. */
const hook = `
  const report = (what) => console.log('FIRED ' + what)
  const fixed = (name, value) => Object.defineProperty(globalThis, name, { value, writable: false, configurable: false })
  fixed('fired', report)
  fixed('messages', [])
  addEventListener('message', (event) => messages.push(event.data))
  for (const name of ['alert', 'confirm', 'prompt', 'print']) fixed(name, () => report(name))
`
