import type { Static } from 'typebox'
import { fromDocument } from '../content/from-document.ts'
import { invalid } from '../http/errors.ts'
import Type from '../http/type.ts'

/** In characters, as a schema counts them. */
export const longestText = 65_536

const shapes = [
  Type.Object({ markdown: Type.String({ maxLength: longestText }) }),
  Type.Object({ document: Type.Object({ object: Type.Literal('document') }) }),
  // An object with anything else in it is neither Markdown nor a document, and must not be taken for no text.
  Type.Object({}, { maxProperties: 0, description: 'No text.' }),
] as const

/**
 * Text that people write beside the content, such as a comment. Accepted in one of these shapes, and stored as
 * Markdown.
 */
export const TextBody = Type.Union([...shapes])

/** The same for a description and the comment of a review, which some clients send without a wrapper. */
export const MarkdownOrDocument = Type.Union([
  Type.String({ maxLength: longestText, description: 'Markdown.' }),
  ...shapes,
  Type.Object({ object: Type.Literal('document') }, { description: 'A document without a wrapper.' }),
])

/** `path` is its place in the request, for the error about an invalid document. */
export function markdownOf(text: Static<typeof MarkdownOrDocument>, path: string): string {
  if (typeof text === 'string') return text
  if ('markdown' in text) return text.markdown
  if ('document' in text) return fromBlocks(text.document, `${path}.document`)
  return 'object' in text ? fromBlocks(text, path) : ''
}

function fromBlocks(document: unknown, path: string): string {
  const read = fromDocument(document)
  if (!('markdown' in read)) {
    const [problem] = read.problems
    const place = problem?.path.replace(/\[(\d+)\]/g, '.$1')
    throw invalid(place ? `${path}.${place}` : path, 'document', problem?.message ?? 'is not a document')
  }
  if (read.markdown.length > longestText) throw invalid(path, 'maxLength', `at most ${longestText} characters`)
  return read.markdown
}
