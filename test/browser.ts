import { after } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** A real browser for one test file. */
export async function startBrowser(more: string[] = []): Promise<Browser> {
  // Tests may run as root, and in containers without user namespaces. Nothing else is switched off.
  const browser = await chromium.launch({ ...(await findChromium()), args: ['--no-sandbox', ...more] })
  after(() => browser.close())
  return browser
}
