import { createHash } from 'node:crypto'
import { limits as contentLimits } from '../content/limits.ts'
import type { FoundPage, Skipped } from './collected.ts'
import { ImportFailure } from './failure.ts'
import type { MenuItem } from './html/navigation.ts'
import { limits } from './limits.ts'
import type { Embedded } from './reader/messages.ts'

/**
 * How much an import keeps in memory until it is written. There is a limit for each kind of it, because a small archive
 * can unfold into more than there is memory, and a site can go on for ever.
 */
export class Kept {
  readonly #menus = new Set<string>()
  readonly #embedded = new Map<string, Embedded>()
  readonly #embeddedLimit: number
  #embeddedBytes = 0
  #textLength = 0
  #menuLength = 0
  readonly skipped: Skipped[] = []
  /** How many further sources were skipped. They are not reported individually. */
  skippedBeyond = 0

  constructor(embeddedLimit: number) {
    this.#embeddedLimit = embeddedLimit
  }

  /** Whether no further text is read. */
  get isFull(): boolean {
    return this.#textLength >= limits.textLength
  }

  add(...texts: (string | undefined)[]): void {
    for (const text of texts) this.#textLength += text?.length ?? 0
  }

  get hasRoomForMenus(): boolean {
    return this.#menuLength < limits.menuLength
  }

  /**
   * Returns whether a menu is to be kept: not if there is too much of them already, and not if it is there. Many sites
   * show the whole menu on each page.
   */
  addMenu(menu: readonly MenuItem[]): boolean {
    const text = JSON.stringify(menu)
    const hash = createHash('sha256').update(text).digest('base64')
    if (!this.hasRoomForMenus || this.#menus.has(hash)) return false
    this.#menus.add(hash)
    this.#menuLength += text.length
    return true
  }

  addEmbedded(found: readonly Embedded[]): void {
    for (const each of found) {
      if (this.#embedded.has(each.address) || this.#embeddedBytes + each.bytes.length > this.#embeddedLimit) continue
      this.#embeddedBytes += each.bytes.length
      this.#embedded.set(each.address, each)
    }
  }

  embeddedAt(address: string): Embedded | undefined {
    const found = this.#embedded.get(address)
    if (!found && address.startsWith('embedded:'))
      throw new ImportFailure('too-large', 'is embedded in its page, and there are too many like it')
    return found
  }

  skip(source: string, reason: string): void {
    if (this.skipped.length < limits.skipped) this.skipped.push({ source, reason })
    else this.skippedBeyond += 1
  }
}

/** Whether a page is longer than it may be. Some room is left for what is written above its text. */
export const isTooLong = ({ body }: Pick<FoundPage, 'body'>): boolean =>
  Buffer.byteLength(body) > contentLimits.sourceBytes * 0.9

/** Whether a Markdown file is too long to be converted, which takes a while. */
export const isTooLongFile = (text: string | Buffer): boolean => Buffer.byteLength(text) > contentLimits.sourceBytes

export const tooLong = () =>
  new ImportFailure('too-large', `is longer than a page may be: ${contentLimits.sourceBytes} bytes`)
