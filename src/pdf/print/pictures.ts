import type { FileData } from '../../pages/entry-data.ts'
import { bookLimits } from '../book.ts'

/** The content types that the typesetter can draw, with the file extension by which it recognizes each. */
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  // The press converts it to PNG.
  'image/webp': 'webp.png',
}

/** The pictures that a book needs, without duplicates. */
export class Pictures {
  readonly #names = new Map<string, string>()
  #bytes = 0

  /**
   * Returns the name under which the template finds a picture. Undefined if it cannot be drawn, or if the book has too
   * many pictures already.
   */
  take({ blob, contentType, size }: FileData): string | undefined {
    const known = this.#names.get(blob)
    if (known !== undefined) return known
    const ending = endings[contentType.split(';')[0]!.trim()]
    if (ending === undefined || this.#bytes + size > bookLimits.pictureBytes) return undefined
    const name = `${blob}.${ending}`
    this.#names.set(blob, name)
    this.#bytes += size
    return name
  }

  /** The blob and the name of each picture. */
  get all(): { blob: string; name: string }[] {
    return [...this.#names].map(([blob, name]) => ({ blob, name }))
  }
}
