import type { Code } from '../../content/blocks/code.ts'
import type { BlockReader } from './context.ts'
import {
  type Element,
  type Node,
  attribute,
  childrenOf,
  classesOf,
  everyElement,
  isElement,
  wordsOf,
} from './elements.ts'
import { findFirst, matcher } from './selectors.ts'

const isLineNumber = matcher([
  '.linenos',
  '.lineno',
  '.line-number',
  '.line-numbers',
  '.gutter',
  'button',
  '.copy',
  '.copybtn',
])
const isTitle = [
  '.codeBlockTitle*',
  '.filename',
  '.code-block-filename',
  'figcaption .title',
  '.code-block-caption',
  '.code-title',
  '.codeHeader',
]

/** Reads code, and the frames that generators put around it, which contain the language and the title. */
export const readCode: BlockReader = (element) => {
  if (element.tagName === 'pre') return codeOf(element, element)
  if (!isFrame(element)) return undefined
  const pres = [...everyElement(element)].filter(({ tagName }) => tagName === 'pre')
  // If line numbers are in a column of their own, the code is the last `pre`.
  const pre = pres.length === 1 || isNumbered(element) ? pres.at(-1) : codeAlone(element)
  return pre && codeOf(pre, element)
}

/** Finds the code in a frame of Confluence, which does not use `pre`. */
function codeAlone(element: Element): Element | undefined {
  if (!classesOf(element).includes('code-block')) return undefined
  const all = [...everyElement(element)]
  const codes = all.filter(({ tagName }) => tagName === 'code')
  return codes.length === 1 && all.every(({ tagName }) => ['div', 'span', 'code', 'br'].includes(tagName))
    ? codes[0]
    : undefined
}

/** Whether this is a frame around code. A frame contains one piece of code and no other text. */
function isFrame(element: Element): boolean {
  const { tagName } = element
  const classes = classesOf(element)
  const isOne =
    classes.some((name) =>
      /^(highlight|highlight-.*|language-.*|codeBlockContainer.*|expressive-code|code-block|code|highlighttable|sourceCode|code-toolbar)$/.test(
        name,
      ),
    ) ||
    (tagName === 'figure' && attribute(element, 'dataRehypePrettyCodeFigure') !== undefined)
  return isOne && (tagName === 'div' || tagName === 'figure' || tagName === 'table' || tagName === 'section')
}

const isNumbered = (element: Element) => [...everyElement(element)].some((each) => classesOf(each).includes('linenos'))

function codeOf(pre: Element, frame: Element): Code[] {
  const text = linesOf(pre)
    .replace(/\u00a0/g, ' ')
    .trimEnd()
    .replace(/^\n+/, '')
  if (text === '') return []
  const language = languageOf(pre, frame)
  const title = frame === pre ? undefined : findFirst(frame, isTitle)
  const words = title && wordsOf(title)
  return [{ type: 'code', ...(language && { language }), ...(words && { title: words }), text }]
}

/** Returns the text of the code. Some generators put each line into an element of its own, and omit the line breaks. */
function linesOf(pre: Element): string {
  const parts: string[] = []
  const endsLine = () => parts.length === 0 || parts.at(-1)!.endsWith('\n')
  const visit = (node: Node, depth: number): void => {
    if (node.type === 'text') parts.push(node.value)
    if (!isElement(node) || isLineNumber(node)) return
    if (node.tagName === 'br') return void parts.push('\n')
    const isLine = node.tagName === 'div' || node.tagName === 'li' || node.tagName === 'p' || node.tagName === 'tr'
    if (isLine && !endsLine()) parts.push('\n')
    const before = parts.length
    if (depth < 100) for (const child of childrenOf(node)) visit(child, depth + 1)
    if (isLine && (before === parts.length || !endsLine())) parts.push('\n')
  }
  for (const child of pre.children) visit(child, 0)
  return parts.filter((part) => part !== '').join('')
}

const noLanguages = new Set([
  'text',
  'plaintext',
  'plain',
  'txt',
  'none',
  'default',
  'no-highlight',
  'nohighlight',
  'auto',
  'fallback',
])

function languageOf(pre: Element, frame: Element): string | undefined {
  const code = [...everyElement(pre)].find(({ tagName }) => tagName === 'code')
  for (const element of [code, pre, ...within(frame, pre), frame]) {
    const found = element && namedBy(element)
    if (found) return noLanguages.has(found) ? undefined : found
  }
  return undefined
}

function within(frame: Element, pre: Element): Element[] {
  return frame === pre
    ? []
    : [...everyElement(frame)].filter((each) => each.tagName === 'div' || each.tagName === 'figure')
}

function namedBy(element: Element): string | undefined {
  const said = attribute(element, 'dataLanguage') ?? attribute(element, 'dataLang') ?? attribute(element, 'language')
  if (said && /^[\w+#.-]{1,30}$/.test(said)) return said.toLowerCase()
  // Confluence: `brush: java; gutter: false`.
  const brush = /\bbrush:\s*([\w+#.-]{1,30})/.exec(attribute(element, 'dataSyntaxhighlighterParams') ?? '')?.[1]
  if (brush) return brush.toLowerCase()
  const classes = classesOf(element)
  for (const name of classes) {
    const found = /^(?:language|lang|highlight|highlight-source|brush|sourceCode)[-:]([\w+#.-]{1,30})$/.exec(name)?.[1]
    if (found && !/^(copy|wrapper|line.*)$/.test(found)) return found.toLowerCase()
  }
  // Pandoc: `sourceCode python`.
  const after = classes.indexOf('sourceCode')
  const next = after === -1 ? undefined : classes[after + 1]
  return next && /^[a-z][\w+#.-]{0,29}$/.test(next) ? next : undefined
}
