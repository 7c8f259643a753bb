import type { FetchReason } from '../../fetch/failure.ts'

const asFiles = 'save the pages and bring them in as files (HTML, Markdown, or a zip of them)'

const nothingToRead = `Enter the address of a page that opens without signing in. If scripts render the pages, ${asFiles}.`

/** What a user can do if their website could not be imported, by the reason for that. */
const advice: Partial<Record<string, string>> = {
  'bad-address': 'Enter the address as a browser shows it, starting with https://.',
  'private-address': `Ask the operator of this server to allow it, or ${asFiles}.`,
  unreachable: `Check that it opens in a browser, and try again. If it can only be reached from your own network, ${asFiles}.`,
  untrusted: `If it is in your own network, ask the operator of this server to trust its authority; or ${asFiles}.`,
  timeout: `Try again later, or enter an address further down, with fewer pages below it.`,
  'too-many-redirects': 'Enter the address that a browser ends up at.',
  'too-large': `Enter an address further down, with less below it, or ${asFiles}.`,
  'bad-status': `Check that it opens in a browser without signing in. If it requires signing in, ${asFiles}.`,
  'bad-answer': `Enter the address of a page, not of a file or a service; or ${asFiles}.`,
  empty: nothingToRead,
  unreadable: nothingToRead,
  robots: `Ask the owner of the website to allow it there, or ${asFiles}.`,
  elsewhere: 'Enter the address that it leads to.',
} satisfies Partial<Record<FetchReason | 'empty' | 'unreadable' | 'robots' | 'elsewhere', string>>

/** Returns the advice that follows the sentence with the reason. */
export const adviceFor = (rule: string): string => advice[rule] ?? `Try again later, or ${asFiles}.`
