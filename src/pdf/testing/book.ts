import { parse } from '../../content/parse.ts'
import type { Surroundings } from '../book.ts'
import { printBook } from '../print/print.ts'

interface Given {
  title?: string
  language?: string
  around?: Surroundings
}

/** Returns a book of one page, as it is sent to the press. */
export async function sheetsOf(markdown: string, given: Given = {}) {
  const { title = 'Page', language = 'en', around = { link: () => undefined, file: () => undefined } } = given
  const chapter = {
    entry: { entry: 'a', data: { type: 'document', title } },
    depth: 1,
    document: parse(markdown),
    around,
  }
  const book = {
    organizationId: '',
    title,
    subtitle: undefined,
    language,
    isSingle: false,
    async *chapters() {
      yield chapter
    },
  }
  const { data } = await printBook(book, { depth: 10, pictures: true, formulas: true, colours: true })
  return { data, pictures: [] }
}
