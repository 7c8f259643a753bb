import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type Page, chromium } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** Starts a real browser for one test file. */
export async function startBrowser(more: string[] = []): Promise<Browser> {
  // The sandbox is off because tests may run as root, and in containers without user namespaces. Nothing else is
  // switched off.
  const browser = await chromium.launch({ ...(await findChromium()), args: ['--no-sandbox', ...more] })
  after(() => browser.close())
  return browser
}

/**
 * Waits until an expression is true on a page. (`waitForFunction` evaluates it within the page, which the page's policy
 * forbids.)
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  for (const from = performance.now(); !(await page.evaluate<boolean>(expression)); await sleep(20))
    assert.ok(performance.now() - from < 10_000, `This never held: ${expression}`)
}
