import type { FileData } from '../../pages/entry-data.ts'
import { bookLimits } from '../book.ts'

/** What the typesetter can draw, and under which ending it knows it. */
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  // The press makes PNG of it.
  'image/webp': 'webp.png',
}

/** The pictures that a book needs, each once. */
export class Pictures {
  readonly #names = new Map<string, string>()
  #bytes = 0

  /** Under which name the template finds it. Undefined: it cannot be drawn, or there are too many already. */
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

  /** Which bytes have which name. */
  get all(): { blob: string; name: string }[] {
    return [...this.#names].map(([blob, name]) => ({ blob, name }))
  }
}
