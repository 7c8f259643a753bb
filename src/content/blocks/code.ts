import type * as mdast from 'mdast'
import { attributes, html } from '../html/template.ts'
import { escapeWords } from '../markdown/destination.ts'
import { booleanValue, otherAttributes, textValue, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import { block as node, text } from '../document/shape.ts'
import type { BlockKind } from './kind.ts'
import {
  booleanField,
  otherFields,
  othersFrom,
  textField,
  type BlockFromDocument,
  type MarkdownReader,
  type TagContent,
} from './reading.ts'

/** Fenced or indented code, including `mermaid` diagrams, with the options of a `{% code %}` around it. */
export interface Code extends BlockBase, CodeOptions {
  readonly type: 'code'
  readonly language?: string
  /** Everything after the language in the opening line. */
  readonly meta?: string
  readonly text: string
}

interface CodeOptions {
  readonly title?: string
  readonly lineNumbers?: boolean
  readonly overflow?: 'scroll' | 'wrap'
  readonly expandable?: boolean
  readonly others?: Attributes
}

export function readCode(node: mdast.Code, read: MarkdownReader): Code {
  return {
    type: 'code',
    ...(node.lang ? { language: node.lang } : {}),
    ...(node.meta?.trim() ? { meta: node.meta.trim() } : {}),
    text: read.words(node, node.value),
  }
}

/** Reads a `{% code %}` around exactly one code block; with anything else inside, it is an unknown block. */
export function readCodeTag({ attributes, blocks }: TagContent): Code | undefined {
  const [code, ...more] = blocks
  if (code?.type !== 'code' || more.length > 0) return undefined
  const { title, lineNumbers, overflow, expandable } = attributes
  const { range: _, ...plain } = code
  return {
    ...plain,
    ...options(textValue(title), booleanValue(lineNumbers), textValue(overflow), booleanValue(expandable)),
    ...otherAttributes(attributes, ['title', 'lineNumbers', 'overflow', 'expandable']),
  }
}

function options(title?: string, lineNumbers?: boolean, overflow?: string, expandable?: boolean): CodeOptions {
  return {
    ...(title === undefined ? {} : { title }),
    ...(lineNumbers === undefined ? {} : { lineNumbers }),
    ...(overflow === 'wrap' || overflow === 'scroll' ? { overflow } : {}),
    ...(expandable === undefined ? {} : { expandable }),
  }
}

export const code: BlockKind<Code> = {
  toMarkdown(block) {
    const { title, lineNumbers, overflow, expandable, others } = block
    const flags = { lineNumbers: lineNumbers?.toString(), expandable: expandable?.toString() }
    const wrapper = { title, overflow, ...flags, ...others }
    const wrapped = Object.values(wrapper).some((value) => value !== undefined)
    return wrapped ? writeTagBlock('code', wrapper, fenced(block)) : fenced(block)
  },
  toHtml: (block) =>
    html`<pre${attributes({ title: block.title })}><code${attributes({
      class: block.language && `language-${block.language}`,
    })}>${block.text}${'\n'}</code></pre>`,
  toDocument(block) {
    const { language: syntax, title, overflow, lineNumbers, expandable, meta } = block
    const others = otherFields(block.others, ['fullWidth'])
    return node('code', {
      data: { syntax, title, overflow, lineNumbers, expandable, ...others.data },
      nodes: block.text.split('\n').map((line) => node('code-line', { nodes: [text(line)] })),
      extra: { meta, ...others.extra },
    })
  },
}

function fenced(block: Code): string {
  const info = [block.language ?? (block.meta === undefined ? '' : 'text'), block.meta ?? ''].join(' ').trim()
  const line = escapeWords(info.replace(/[\r\n]+/g, ' '))
  // The opening line of a backtick fence cannot contain a backtick, and a fence must be longer than any inside it.
  const character = line.includes('`') ? '~' : '`'
  const runs = block.text.match(character === '`' ? /`{3,}/g : /~{3,}/g) ?? []
  const fence = character.repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 3))
  return `${fence}${line}\n${block.text}${block.text === '' ? '' : '\n'}${fence}`
}

export const codeFromDocument: BlockFromDocument = (node, read) => {
  const lines = (node.nodes ?? []).map((line) =>
    'nodes' in line ? plainText(read, line.nodes) : plainText(read, [line]),
  )
  const language = textField(node, 'syntax')?.replace(/\s+/g, '-')
  const meta = textField(node, 'meta')
    ?.replace(/[\r\n]+/g, ' ')
    .trim()
  return {
    type: 'code',
    ...(language === undefined ? {} : { language }),
    ...(meta ? { meta } : {}),
    text: lines.join('\n'),
    ...options(
      textField(node, 'title'),
      booleanField(node, 'lineNumbers'),
      textField(node, 'overflow'),
      booleanField(node, 'expandable'),
    ),
    ...othersFrom(node, ['fullWidth']),
  }
}

const plainText = (read: Parameters<BlockFromDocument>[1], nodes: Parameters<typeof read.inlines>[0]): string =>
  read
    .inlines(nodes)
    .map((inline) => ('text' in inline ? inline.text : inline.type === 'break' ? '\n' : ''))
    .join('')
