import type { Hint } from '../../content/blocks/hint.ts'
import { isKind, styleOfKind, styleOfSign } from '../signs.ts'
import type { BlockReader, Context } from './context.ts'
import { type Element, type Node, attribute, classesOf, elementsIn, isElement, wordsOf } from './elements.ts'
import { findFirst } from './selectors.ts'

/** Classes of notes. The kind of the note is part of the same class, or a class of its own. */
const frames = [
  'admonition', 'theme-admonition', 'custom-block', 'starlight-aside', 'markdown-alert', 'github-alert', 'callout', 'hint',
  'alert', 'confluence-information-macro', 'notice', 'note-box', 'sd-card-note',
] // prettier-ignore

const titles = [
  '.admonition-title', '.admonitionHeading*', '.custom-block-title', '.starlight-aside__title', '.markdown-alert-title',
  '.callout-title', '.alert-heading', '.hint-title', '.confluence-information-macro-title', '.title',
] // prettier-ignore

const bodies = [
  '.admonitionContent*', '.starlight-aside__content', '.callout-content', '.callout-body', '.hint-content',
  '.confluence-information-macro-body', '.ak-editor-panel__content', '[data-panel-content]',
  '[data-component-part=callout-content]',
] // prettier-ignore

/** Converts the notes, tips and warnings of all generators to hints. */
export const readCallout: BlockReader = (element, context) => {
  if (element.tagName === 'figure' && classesOf(element).includes('callout')) return [hintOfNotion(element, context)]
  if (!['div', 'aside', 'section', 'blockquote', 'p'].includes(element.tagName)) return undefined
  const kind = kindOf(element)
  if (kind === undefined) return undefined
  return [hintOf(element, kind, context)]
}

function kindOf(element: Element): string | undefined {
  const said =
    attribute(element, 'dataCalloutType') ?? attribute(element, 'dataCallout') ?? attribute(element, 'dataPanelType')
  if (said !== undefined) return said.toLowerCase()
  const classes = classesOf(element)
  const frame = frames.find((name) => classes.some((each) => each === name || each.startsWith(`${name}-`)))
  if (!frame) return undefined
  // Parts of a note, such as its title, have classes that begin in the same way.
  if (!classes.includes(frame) && !classes.some((each) => kindIn(each, frame) !== undefined)) return undefined
  const found = [
    ...(frame === 'hint' ? classes.flatMap(colourIn) : []),
    ...classes.flatMap((each) => kindIn(each, frame) ?? (isKind(each) ? [each] : [])),
  ]
  return (
    found[0] ??
    (frame === 'alert' || frame === 'callout' || frame === 'hint' || frame === 'notice' ? undefined : 'note')
  )
}

function kindIn(name: string, frame: string): string | undefined {
  if (!name.startsWith(`${frame}-`)) return undefined
  const rest = name.slice(frame.length).replace(/^-+/, '')
  return isKind(rest) ? rest : undefined
}

/** GitBook marks the kind only with colours: `bg-warning`, or `border-warning-solid` below a heading. */
const colourIn = (name: string) =>
  /^(?:bg|border)-(info|success|warning|danger)(?:-(?:subtle|solid))?$/.exec(name)?.[1] ?? []

function hintOf(element: Element, kind: string, context: Context): Hint {
  const title = findFirst(element, titles)
  const words = title ? wordsOf(title) : ''
  const body = findFirst(element, bodies)
  const nodes = body ? body.children : without(element, title)
  const saysMore = words !== '' && words.toLowerCase() !== kind && !isKind(words.toLowerCase())
  return {
    type: 'hint',
    style: styleOfKind(kind),
    ...(saysMore && { title: words }),
    blocks: context.blocks(nodes),
  }
}

/** Notion shows a sign beside the text, which determines the kind of the note. */
function hintOfNotion(element: Element, context: Context): Hint {
  const icon = findFirst(element, ['.icon'])
  const sign = elementsIn(element).find(
    (child) => icon && elementsIn(child).includes(icon) && wordsOf(child) === wordsOf(icon),
  )
  return {
    type: 'hint',
    style: styleOfSign(icon ? wordsOf(icon) : ''),
    blocks: context.blocks(element.children.filter((child) => child !== sign)),
  }
}

/** Returns the children without the title. The title is a child, or the only text of a child. */
function without(element: Element, title: Element | undefined): readonly Node[] {
  if (!title) return element.children
  return element.children.filter((child) => {
    if (!isElement(child)) return true
    return child !== title && !(elementsIn(child).includes(title) && wordsOf(child) === wordsOf(title))
  })
}
