import type * as mdast from 'mdast'
import { plainText } from '../inlines/text.ts'
import { escapeText } from '../markdown/escape.ts'
import { afterBreak, lineEndAt } from '../markdown/lines.ts'
import { readInlines } from '../markdown/read-inlines.ts'
import { readSource, type Source } from '../markdown/source.ts'

/** Longer headings are not searched for pictures. */
const longestHeading = 4_000

interface ReadHeading {
  readonly text: string
  readonly source: Source
  readonly nodes: readonly mdast.PhrasingContent[]
}

/** Reads a heading in Markdown. References in it are resolved by the definitions of `text`, in which it is. */
function readHeading(heading: string, text: string): ReadHeading | undefined {
  if (heading.length > longestHeading) return undefined
  const source = readSource(`${heading}\n\n${definitionsFor(heading, text)}`, 0)
  const [node] = source.root.children
  return node?.type === 'heading' ? { text: heading, source, nodes: node.children } : undefined
}

function definitionsFor(heading: string, text: string): string {
  const labels = new Set([...heading.matchAll(/\[([^[\]]+)\]/g)].map(([, label]) => label!.toLowerCase()))
  if (labels.size === 0) return ''
  return [...text.matchAll(/^ {0,3}\[([^[\]\r\n]+)\]:[^\r\n]*/gm)]
    .filter(([, label]) => labels.has(label!.toLowerCase()))
    .map(([definition]) => definition)
    .join('\n')
}

/**
 * Returns where the pictures at the end of a heading begin: `# Title [![Build](badge.svg)](build)`. A title is plain
 * text, so they are the beginning of the body. That is possible without changing a byte if the next line is blank, as
 * the pictures would otherwise become part of the block that begins there.
 */
export function picturesBehind(source: string, start: number, end: number): number | undefined {
  const heading = source.slice(start, end)
  if (!/!\[|<img/i.test(heading) || !isBlankAt(source, afterBreak(source, end))) return undefined
  const read = readHeading(heading, source)
  if (!read) return undefined
  const { nodes } = read
  const first = nodes.findLastIndex((node) => !isPicture(node) && !isBlank(node) && !isTag(node)) + 1
  const behind = nodes.slice(first)
  const [begin] = behind.filter((node) => !isBlank(node))
  if (!begin || !behind.some((node) => isPicture(node)) || !isPaired(behind)) return undefined
  const [from, to] = [read.source.range(begin).start, read.source.range(behind.at(-1)!).end]
  return /[ \t]/.test(heading[from - 1] ?? '') && heading.slice(to).trim() === '' ? start + from : undefined
}

const isBlankAt = (source: string, at: number) => source.slice(at, lineEndAt(source, at)).trim() === ''

const isBlank = (node: mdast.PhrasingContent) => node.type === 'text' && node.value.trim() === ''

/** Whether a node is a picture, or a link around pictures only. */
function isPicture(node: mdast.PhrasingContent): boolean {
  if (node.type === 'image' || node.type === 'imageReference') return true
  if (node.type === 'html') return /^<img\s/i.test(node.value)
  if (node.type !== 'link' && node.type !== 'linkReference') return false
  return node.children.some(isPicture) && node.children.every((child) => isPicture(child) || isBlank(child))
}

const tag = /^<(\/?)(a|picture|source)(?:\s[^<>]*)?>$/i

/** Whether a node is a tag that surrounds pictures. */
const isTag = (node: mdast.PhrasingContent) => node.type === 'html' && tag.test(node.value)

function isPaired(nodes: readonly mdast.PhrasingContent[]): boolean {
  const open: string[] = []
  for (const node of nodes) {
    const [, slash, name = ''] = (node.type === 'html' && tag.exec(node.value)) || []
    if (slash === '/' && open.pop() !== name.toLowerCase()) return false
    if (slash === '' && name.toLowerCase() !== 'source') open.push(name.toLowerCase())
  }
  return open.length === 0
}

export interface TakenApart {
  /** The heading, with nothing but words in it. */
  title: string
  /** Its pictures and its links, as they are written. Links to places on the same page are left out. */
  kept: string[]
}

/** Takes a heading apart. References in it are resolved by the definitions of `text`, in which it is. */
export function takeApart(heading: string, text: string): TakenApart {
  const read = /\]|<(?:img|a|picture)\b/i.test(heading) ? readHeading(heading, text) : undefined
  if (!read) return { title: heading, kept: [] }
  const kept: string[] = []
  const words = wordsOf(read.nodes, read, kept).replace(/\s+/g, ' ').trim()
  if (kept.length === 0) return { title: heading, kept }
  return { title: `# ${words || escapeText(plainText(readInlines(read.nodes, read.source)), true)}`, kept }
}

function wordsOf(nodes: readonly mdast.PhrasingContent[], read: ReadHeading, kept: string[]): string {
  let words = ''
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!
    const end = endOfElement(nodes, at)
    const inner = end > at ? nodes.slice(at + 1, end) : 'children' in node ? node.children : []
    if (isPicture(node) || isKept(node, read.source)) {
      kept.push(textBetween(node, nodes[end]!, read))
      words += wordsOf(inner, read, [])
    } else if (node.type === 'html' && tag.test(node.value)) words += wordsOf(inner, read, kept)
    else words += inner.length > 0 ? wordsOf(inner, read, kept) : textUntil(nodes[at + 1], node, read)
    at = end
  }
  return words
}

function isKept(node: mdast.PhrasingContent, source: Source): boolean {
  if (node.type === 'html') return /^<(?:picture\b|a\s(?:[^<>]*\s)?href\s*=\s*["']?[^"'#\s>])/i.test(node.value)
  if (node.type === 'linkReference') return true
  // The words of a bare address are the address.
  return node.type === 'link' && !node.url.startsWith('#') && source.text(node).startsWith('[')
}

/** Returns where the element ends that a tag opens. A node that opens none ends where it begins. */
function endOfElement(nodes: readonly mdast.PhrasingContent[], at: number): number {
  const node = nodes[at]!
  const [, slash, name] = (node.type === 'html' && tag.exec(node.value)) || []
  if (slash !== '' || name === undefined) return at
  const end = nodes.findIndex(
    (other, index) => index > at && other.type === 'html' && other.value.toLowerCase() === `</${name.toLowerCase()}>`,
  )
  return Math.max(end, at)
}

/** Returns the text of a node, with the blanks behind it. */
const textUntil = (next: mdast.Nodes | undefined, node: mdast.Nodes, { text, source }: ReadHeading): string =>
  text.slice(source.range(node).start, next ? source.range(next).start : source.range(node).end)

const textBetween = (first: mdast.Nodes, last: mdast.Nodes, { text, source }: ReadHeading): string =>
  text.slice(source.range(first).start, source.range(last).end)
