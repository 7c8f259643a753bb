import type { FetchReason } from '../fetch/failure.ts'

const asFiles = 'save the pages and bring them in as files (HTML, Markdown, or a zip of them)'

const nothingToRead = `Give the address of a page that opens without signing in. Where scripts draw the pages, ${asFiles}.`

/** What somebody can do whose website did not come, by why it did not. */
const advice: Partial<Record<string, string>> = {
  'bad-address': 'Give the address as a browser shows it, beginning with https://.',
  'private-address': `Ask whoever runs this server to open it, or ${asFiles}.`,
  unreachable: `Look whether it opens in a browser, and try again. If only your own network reaches it, ${asFiles}.`,
  timeout: `Try again later, or give an address further down, with fewer pages below it.`,
  'too-many-redirects': 'Give the address that a browser ends up at.',
  'too-large': `Give an address further down, with less below it, or ${asFiles}.`,
  'bad-status': `Look whether it opens in a browser without signing in. If it asks who you are, ${asFiles}.`,
  'bad-answer': `Give the address of a page, and not of a file or a service; or ${asFiles}.`,
  empty: nothingToRead,
  unreadable: nothingToRead,
  robots: `Ask whoever runs the website to allow it there, or ${asFiles}.`,
  elsewhere: 'Give the address that it leads to.',
} satisfies Partial<Record<FetchReason | 'empty' | 'unreadable' | 'robots' | 'elsewhere', string>>

/** Behind the sentence that says why. */
export const adviceFor = (rule: string): string => advice[rule] ?? `Try again later, or ${asFiles}.`
