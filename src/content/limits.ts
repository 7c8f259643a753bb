/**
 * The limits of the engine. Callers refuse larger input with an error of their own; the engine itself copes with it.
 */
export const limits = {
  /** A longer source is not parsed: it becomes one block of raw text. */
  sourceBytes: 1024 * 1024,
  /** Blocks and inlines that are nested deeper are kept as their source text. */
  nesting: 64,
  /**
   * Depth of the nodes of a document. A list and its items are two levels, and the content of a cell or a note starts
   * further down.
   */
  documentNesting: 256,
  /** A table with more cells is kept as its source text. */
  tableCells: 20_000,
  frontMatterBytes: 64 * 1024,
  /** Characters of a `{% tag %}` that spans several lines. */
  longTag: 64 * 1024,
  /** Levels of pages in a space, including the top level. Code that shows pages descends level by level. */
  pageLevels: 100,
  includeDepth: 10,
  /** Blocks of one evaluated page, including those of its includes. */
  evaluatedBlocks: 100_000,
  /** Characters that includes and expressions add to a page: a short page can refer to a long text many times. */
  evaluatedCharacters: 4 * 1024 * 1024,
} as const
