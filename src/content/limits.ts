/** What the engine takes on. Callers refuse larger input with an error of their own; the engine merely stays calm. */
export const limits = {
  /** A longer source is not parsed: it becomes one block of raw text. */
  sourceBytes: 1024 * 1024,
  /** Blocks, and inlines, nested deeper are kept as their source text. */
  nesting: 64,
  /** Nodes of a document: a list and its items are two levels of it, and a cell or a note begins further down. */
  documentNesting: 256,
  /** A table with more cells is kept as its source text. */
  tableCells: 20_000,
  frontMatterBytes: 64 * 1024,
  /** Characters of a `{% tag %}` that goes over several lines. */
  longTag: 64 * 1024,
  /** Levels of pages in a space, those at the top counted in: what shows them goes down level by level. */
  pageLevels: 100,
  includeDepth: 10,
  /** Blocks of one evaluated page, what its includes bring along counted in. */
  evaluatedBlocks: 100_000,
  /** Characters that includes and expressions bring into it: a short page can name a long text again and again. */
  evaluatedCharacters: 4 * 1024 * 1024,
} as const
