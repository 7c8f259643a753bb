/** Offsets into the text that was parsed, in UTF-16 code units like every string index. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** `name="value"`; an attribute written without a value is `true`. */
export type Attributes = Readonly<Record<string, string | true>>

/** The fields of every block. A block made by code has neither, and is written in canonical Markdown. */
export interface BlockBase {
  readonly key?: string
  readonly range?: Range
}
