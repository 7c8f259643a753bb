import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

export interface Checked {
  /** Rules of axe, or tags of rules. All rules by default. */
  rules?: string[]
  impacts?: string[]
}

/** Returns the accessibility problems that axe finds on a page in its current state. */
export async function flaws(page: Page, { rules, impacts }: Checked = {}): Promise<string[]> {
  // The content security policy of the page blocks foreign scripts, so axe is injected through the debugging protocol.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: `globalThis.axe || ${axe}` })
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(
      ({ id, impact, nodes }) => ({ impact, text: id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ') })))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  if (exceptionDetails) throw new Error(`The checker failed: ${exceptionDetails.exception?.description}`)
  const found = result.value as { impact: string; text: string }[]
  return found.filter(({ impact }) => !impacts || impacts.includes(impact)).map(({ text }) => text)
}
