import { addresses, type Writer } from './payloads-addresses.ts'
import { breaking, elsewhere, handlers } from './payloads-elements.ts'
import { clobbering, encodings, endings, mutations, pictures, styles } from './payloads-markup.ts'
import { blocks, diagrams, expressions, formulas, markdown } from './payloads-content.ts'

/** Text that would run in a page that lets it through. It calls `fired` with its number. */
export interface Payload {
  kind: Kind
  text: string
}

export type Kind = keyof typeof writers

const writers = {
  handlers,
  breaking,
  addresses,
  links: (run: string) => addresses(run).map((address) => `<a href="${address}">x</a>`),
  places: elsewhere,
  pictures,
  mutations,
  endings,
  styles,
  clobbering,
  encodings,
  markdown,
  blocks,
  diagrams,
  formulas,
  expressions,
} satisfies Record<string, Writer>

/** All payloads, always in the same order. The number of each one is its index. */
export function allPayloads(): Payload[] {
  const all: Payload[] = []
  for (const [kind, write] of Object.entries(writers) as [Kind, Writer][]) {
    const { length } = write('')
    for (let index = 0; index < length; index++) all.push({ kind, text: write(`fired(${all.length})`)[index]! })
  }
  return all
}
