import { limits } from '../limits.ts'
import type { DocumentNode } from './shape.ts'
import { isObject } from '../../objects.ts'

export interface DocumentProblem {
  /** The location, such as `nodes[2].leaves[0].text`. */
  readonly path: string
  readonly message: string
}

const maxNodes = 100_000
const maxProblems = 20

/** A document as a client sends it. */
export interface SentDocument {
  readonly object: 'document'
  readonly nodes: readonly DocumentNode[]
}

/** Checks the shape that all documents have in common. Unknown data of a type is ignored, not refused. */
export function validateDocument(value: unknown): SentDocument | readonly DocumentProblem[] {
  const problems: DocumentProblem[] = []
  let count = 0
  const fail = (path: string, message: string) => {
    if (problems.length < maxProblems) problems.push({ path, message })
  }

  const nodes = (list: unknown, path: string, depth: number): void => {
    if (list === undefined) return
    if (!Array.isArray(list)) return fail(path, 'must be an array')
    list.forEach((item, index) => node(item, `${path}[${index}]`, depth))
  }

  const node = (item: unknown, path: string, depth: number): void => {
    if (++count > maxNodes)
      return count === maxNodes + 1 ? fail(path, `a document has at most ${maxNodes} nodes`) : undefined
    if (depth > limits.documentNesting) return fail(path, `nodes nest at most ${limits.documentNesting} deep`)
    if (!isObject(item)) return fail(path, 'must be an object')
    if (item['object'] === 'text') return leaves(item['leaves'], `${path}.leaves`)
    if (item['object'] !== 'block' && item['object'] !== 'inline') {
      return fail(`${path}.object`, 'must be "block", "inline" or "text"')
    }
    if (typeof item['type'] !== 'string' || item['type'] === '') fail(`${path}.type`, 'must be a text')
    if (item['data'] !== undefined && !isObject(item['data'])) fail(`${path}.data`, 'must be an object')
    nodes(item['nodes'], `${path}.nodes`, depth + 1)
    fragments(item['fragments'], `${path}.fragments`, depth + 1)
  }

  const fragments = (list: unknown, path: string, depth: number): void => {
    if (list === undefined) return
    if (!Array.isArray(list)) return fail(path, 'must be an array')
    list.forEach((item, index) => {
      if (!isObject(item)) return fail(`${path}[${index}]`, 'must be an object')
      if (!Array.isArray(item['nodes'])) return fail(`${path}[${index}].nodes`, 'must be an array')
      nodes(item['nodes'], `${path}[${index}].nodes`, depth)
    })
  }

  const leaves = (list: unknown, path: string): void => {
    if (!Array.isArray(list)) return fail(path, 'must be an array')
    list.forEach((leaf, index) => {
      const place = `${path}[${index}]`
      if (!isObject(leaf) || typeof leaf['text'] !== 'string') return fail(`${place}.text`, 'must be a text')
      const marks = leaf['marks'] ?? []
      if (!Array.isArray(marks)) return fail(`${place}.marks`, 'must be an array')
      marks.forEach((mark, at) => {
        const known = isObject(mark) && typeof mark['type'] === 'string'
        if (!known) fail(`${place}.marks[${at}].type`, 'must be a text')
      })
    })
  }

  if (!isObject(value)) return [{ path: '', message: 'must be an object' }]
  if (value['object'] !== 'document') fail('object', 'must be "document"')
  if (!Array.isArray(value['nodes'])) fail('nodes', 'must be an array')
  else nodes(value['nodes'], 'nodes', 1)
  return problems.length > 0 ? problems : (value as unknown as SentDocument)
}
