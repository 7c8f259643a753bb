import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'

const source = readFileSync(new URL('probe.js', import.meta.url), 'utf8')
const probe = source.slice(source.indexOf('(origin)'))

/** The browser can resolve no host but this machine, so that requests to others fail at once. */
export const nowhereElse = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']

/** A browser that records everything that hostile text manages to do. */
export interface Watched {
  page: Page
  context: BrowserContext
  /** Opens an address, touches everything on it, and returns all that should not have happened. */
  visit(url: string): Promise<string[]>
  open(url: string): Promise<void>
  /** The same for the page that is currently shown. */
  look(): Promise<string[]>
  close(): Promise<void>
}

export type Looking = (watched: Watched, withPolicy: boolean) => Promise<void>

/** Runs `look` with the content security policy, and again without it. */
export async function bothWays(browser: Browser, origin: string, look: Looking): Promise<void> {
  for (const withPolicy of [true, false]) {
    const watched = await watch(browser, origin, withPolicy)
    await look(watched, withPolicy)
    await watched.close()
  }
}

/** `withPolicy: false` acts as a browser that does not support content security policies. */
export async function watch(browser: Browser, origin: string, withPolicy: boolean): Promise<Watched> {
  // Nobody looks at it, and drawing takes most of the time. So the viewport is as wide as a desktop screen, but has
  // hardly any height.
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
  // An error in our own script means that hostile text got in its way.
  page.on('pageerror', (error) => seen.push(`error ${String(error)}`))
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url())
    const isOurs = asked === origin || ['data:', 'blob:', 'about:'].includes(protocol)
    // Pictures and media may come from anywhere, as their authors want.
    if (isOurs || ['image', 'media'].includes(request.resourceType())) return
    seen.push(`request ${request.resourceType()} ${request.url()}`)
  })
  const look = async () => {
    expected = page.url()
    try {
      seen.push(...(await page.evaluate<string[]>(`(${probe})(${JSON.stringify(origin)})`)))
      // Elements that were touched may react a little later.
      await page.evaluate('new Promise((done) => setTimeout(done, 30))')
    } catch (error) {
      seen.push(`the page went away: ${String(error)}`)
    }
    return seen.splice(0)
  }
  const open = async (url: string) => {
    expected = url
    await page.goto(url)
    // Ignores navigation while the page is opened: our own redirect to the usual address of the same place was not
    // caused by hostile text.
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

/** Runs in every frame before any script of the page, which cannot remove it. */
const hook = `
  const report = (what) => console.log('FIRED ' + what)
  const fixed = (name, value) => Object.defineProperty(globalThis, name, { value, writable: false, configurable: false })
  fixed('fired', report)
  fixed('messages', [])
  addEventListener('message', (event) => messages.push(event.data))
  for (const name of ['alert', 'confirm', 'prompt', 'print']) fixed(name, () => report(name))
`
