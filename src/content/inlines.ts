import type { Attributes, Range } from './tree.ts'

export interface Text {
  readonly type: 'text'
  readonly text: string
}

/** Marks that contain other inlines and have no further properties. */
export const markTypes = [
  'strong',
  'emphasis',
  'strikethrough',
  'underline',
  'keyboard',
  'superscript',
  'subscript',
] as const

export interface Mark {
  readonly type: (typeof markTypes)[number]
  readonly inlines: readonly Inline[]
}

export interface Color {
  readonly type: 'color'
  readonly color?: string
  readonly background?: string
  readonly inlines: readonly Inline[]
}

export interface InlineCode {
  readonly type: 'code'
  readonly text: string
}

export interface InlineMath {
  readonly type: 'math'
  readonly text: string
}

/** `<code class="expression">source</code>`, or `{{ source }}` if it refers to a visitor or a variable. */
export interface Expression {
  readonly type: 'expression'
  readonly source: string
}

export interface Break {
  readonly type: 'break'
}

export interface Link {
  readonly type: 'link'
  readonly href: string
  readonly title?: string
  /** The label of the definition that holds the address, in `[text][label]`. */
  readonly reference?: string
  readonly inlines: readonly Inline[]
  readonly range?: Range
}

/** A link that shows the title of its target: `[x](x.md "mention")` or `<a data-mention href="x.md">`. */
export interface Mention {
  readonly type: 'mention'
  readonly href: string
  readonly inlines: readonly Inline[]
  readonly range?: Range
}

export interface Button {
  readonly type: 'button'
  readonly href: string
  readonly kind: 'primary' | 'secondary'
  readonly icon?: string
  readonly inlines: readonly Inline[]
  readonly range?: Range
}

export interface InlineImage {
  readonly type: 'image'
  readonly src: string
  readonly alt: string
  readonly title?: string
  readonly srcDark?: string
  /** The sources of a `<picture>`, if it has any besides the one for dark mode: all of them, in their order. */
  readonly sources?: readonly Attributes[]
  /** `line`: as high as the text around it. */
  readonly size?: 'line' | 'original'
  readonly width?: string
  readonly height?: string
  /** Attributes of an `<img>` that only other programs use: not shown here, and written back unchanged. */
  readonly others?: Attributes
  readonly reference?: string
  readonly range?: Range
}

/** A shortcode that stands for an emoji: `:rocket:`. Emoji typed as characters are plain text. */
export interface Emoji {
  readonly type: 'emoji'
  readonly name: string
  readonly text: string
}

export interface Icon {
  readonly type: 'icon'
  readonly name: string
}

/** `[^label]`, or with the text that it annotates: `[text](#user-content-fn-label)[^label]`. */
export interface FootnoteReference {
  readonly type: 'footnote-reference'
  readonly label: string
  readonly inlines?: readonly Inline[]
}

/** A place to link to: `<a id="name"></a>`, `<a href="#name" id="name"></a>`. */
export interface Anchor {
  readonly type: 'anchor'
  readonly id: string
}

/** Any other HTML element in running text, with Markdown inside it. */
export interface InlineElement {
  readonly type: 'element'
  readonly name: string
  readonly attributes: Attributes
  readonly inlines: readonly Inline[]
  readonly range?: Range
}

/** HTML without a partner: a comment, a tag that is never closed. Kept, but not shown. */
export interface InlineHtml {
  readonly type: 'html'
  readonly html: string
}

export type Inline =
  | Text
  | Mark
  | Color
  | InlineCode
  | InlineMath
  | Expression
  | Break
  | Link
  | Mention
  | Button
  | InlineImage
  | Emoji
  | Icon
  | FootnoteReference
  | Anchor
  | InlineElement
  | InlineHtml
