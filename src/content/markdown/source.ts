import type * as mdast from 'mdast'
import { limits } from '../limits.ts'
import type { Range } from '../tree.ts'
import { disguise, type Disguised } from './disguise.ts'
import { isBlank } from './lines.ts'
import { toMdast } from './parser.ts'
import type { Tag } from './tag.ts'
import { findTextTags, pairedLines, readableLines, readTags, type TagsOfLine } from './text-tags.ts'

/** What the parser made of a text, and the way from its nodes back to the words of the author. */
export interface Source {
  readonly root: mdast.Root
  readonly length: number
  /**
   * Where a node stands. The parser's ends are now and then too late by a line break or the mark of the next list item
   * (where an HTML block ends an item), so they are cut at a limit, and blanks at the end do not count.
   */
  range(node: mdast.Nodes, limit?: number): Range
  text: (node: mdast.Nodes) => string
  /** A literal of the parser as the author wrote it. */
  words: (node: mdast.Nodes, value: string) => string
  /** The `{% tag %}` that a node stands for. */
  tag(node: mdast.Nodes): Tag | undefined
  definition(identifier: string): mdast.Definition | undefined
}

/** Parses a text from an offset on; what lies before it (front matter) is none of the parser's business. */
export function readSource(text: string, from: number): Source {
  // The parser takes a byte order mark away, wherever a text begins, and counts without it.
  let offset = from
  while (text.charCodeAt(offset) === 0xfeff) offset++
  return sourceOf(text, offset, readParsed(text.slice(offset)))
}

/** A native parser that gives up on a source must not take the page with it. */
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
 * Tags beside text are looked for in what the parser takes for text, and then it reads once more, with each on a line of
 * its own. A line of which that makes something else is left as the text that it was.
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
    // What it opened may have swallowed all that follows.
    lines = pairedLines(
      lines.filter((line) => line !== wrong),
      before.blocks,
    )
  }
  return plain
}

/** Nobody writes more lines of that kind into a page than a few. */
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
    let from = offset + disguised.toSource(startOf(node))
    let to = Math.min(offset + disguised.toSource(node.position?.end.offset ?? 0), limit)
    while (to > from && isBlank(text.charCodeAt(to - 1))) to--
    // HTML has its indentation in its range; that of code means something.
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

/** In the tree every line ends with `\n`; which break the source uses is a matter of writing. */
const withLineFeeds = (value: string): string => (value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value)

/** The first definition of a label counts, however deep it stands. */
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
