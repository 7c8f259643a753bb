import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

export interface Checked {
  /** Rules of axe, or tags of them; all if nothing is said. */
  rules?: string[]
  impacts?: string[]
}

/** What a checker of accessibility finds wrong on a page as it stands. */
export async function flaws(page: Page, { rules, impacts }: Checked = {}): Promise<string[]> {
  // The policy of a page lets no stranger's script in, so it is handed over.
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
