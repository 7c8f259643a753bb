import type * as mdast from 'mdast'
import { limits } from '../limits.ts'
import type { Range } from '../tree.ts'
import { disguise, type Disguised } from './disguise.ts'
import { isBlank } from './lines.ts'
import { toMdast } from './parser.ts'
import type { Tag } from './tag.ts'
import { findTextTags, pairedLines, readableLines, readTags, type TagsOfLine } from './text-tags.ts'

/** What the parser made of a text, and the way from its nodes back to the author's words. */
export interface Source {
  readonly root: mdast.Root
  readonly length: number
  /**
   * Returns where a node is in the text. The parser's ends are sometimes too late by a line break or the mark of the
   * next list item (where an HTML block ends an item), so they are cut at `limit`, and blanks at the end are left out.
   */
  range(node: mdast.Nodes, limit?: number): Range
  text: (node: mdast.Nodes) => string
  /** Returns a literal of the parser as the author wrote it. */
  words: (node: mdast.Nodes, value: string) => string
  /** Returns the `{% tag %}` that a node stands for. */
  tag(node: mdast.Nodes): Tag | undefined
  definition(identifier: string): mdast.Definition | undefined
}

/** Parses a text from an offset on. The parser does not see what is before it (front matter). */
export function readSource(text: string, from: number): Source {
  // The parser removes a byte order mark at the start of any text it is given, and does not count it.
  let offset = from
  while (text.charCodeAt(offset) === 0xfeff) offset++
  return sourceOf(text, offset, readParsed(text.slice(offset)))
}

/** Returns undefined if the native parser fails on a source, so that the page does not fail with it. */
export function tryRead(text: string, from: number): Source | undefined {
  try {
    return readSource(text, from)
  } catch {
    return undefined
  }
}

interface Parsed {
  readonly disguised: Disguised
  readonly root: mdast.Root
}

/**
 * Looks for tags beside text in everything that the parser takes for text, then parses again with each of them on a
 * line of its own. A line that does not become blocks this way is left as text.
 */
function readParsed(text: string): Parsed {
  const plain = parseWith(text, [])
  const candidates = findTextTags(text)
  if (candidates.length === 0) return plain
  const before = readTags(plain.root, plain.disguised)
  let lines = pairedLines(readableLines(candidates, before), before.blocks)
  for (let turn = 0; turn < maxTurns && lines.length > 0; turn++) {
    const parsed = parseWith(text, lines)
    const after = readTags(parsed.root, parsed.disguised)
    const wrong = lines.find(({ tags }) => !tags.every((tag) => after.isBlock(tag)))
    if (!wrong) return before.blocks.every((tag) => after.isBlock(tag)) ? parsed : plain
    // Only one line is dropped per turn: what it opened may have swallowed everything after it.
    lines = pairedLines(
      lines.filter((line) => line !== wrong),
      before.blocks,
    )
  }
  return plain
}

/** At most this many turns: people write only a few such lines into a page. */
const maxTurns = 4

function parseWith(text: string, lines: readonly TagsOfLine[]): Parsed {
  const disguised = disguise(
    text,
    lines.flatMap(({ tags }) => tags),
  )
  return { disguised, root: toMdast(disguised.text) }
}

const startOf = (node: mdast.Nodes): number => node.position?.start.offset ?? 0

function sourceOf(text: string, offset: number, { disguised, root }: Parsed): Source {
  let definitions: Map<string, mdast.Definition> | undefined
  const range = (node: mdast.Nodes, limit = text.length): Range => {
    let from = offset + disguised.toSource(startOf(node), true)
    let to = Math.min(offset + disguised.toSource(node.position?.end.offset ?? 0), limit)
    while (to > from && isBlank(text.charCodeAt(to - 1))) to--
    // The range of an HTML node includes its indentation, which is cut off here. That of code has a meaning and stays.
    while (node.type === 'html' && from < to && isBlank(text.charCodeAt(from))) from++
    return { start: from, end: to }
  }
  return {
    root,
    length: text.length,
    range,
    text(node) {
      const place = range(node)
      return text.slice(place.start, place.end)
    },
    words: (node, value) => withLineFeeds(disguised.restore(value, startOf(node))),
    tag: (node) => disguised.tagOf(node),
    definition(identifier) {
      definitions ??= collectDefinitions(root)
      return definitions.get(identifier)
    },
  }
}

/** Lines in the tree always end with `\n`. Which line break the source uses only matters for writing. */
const withLineFeeds = (value: string): string => (value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value)

/** Collects the definitions. The first definition of a label counts, however deep it is nested. */
function collectDefinitions(root: mdast.Root): Map<string, mdast.Definition> {
  const found = new Map<string, mdast.Definition>()
  const visit = (nodes: readonly mdast.RootContent[], depth: number): void => {
    for (const node of nodes) {
      if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node)
      const holds = ['blockquote', 'list', 'listItem', 'footnoteDefinition'].includes(node.type)
      if (holds && 'children' in node && depth < limits.nesting * 2) visit(node.children, depth + 1)
    }
  }
  visit(root.children, 0)
  return found
}
