/** Offsets into the text that was parsed, in UTF-16 code units like every string index. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** `name="value"`; an attribute written without a value is `true`. */
export type Attributes = Readonly<Record<string, string | true>>

/** What every block has. A block made by code has neither, and is written out in canonical Markdown. */
export interface BlockBase {
  readonly key?: string
  readonly range?: Range
}
