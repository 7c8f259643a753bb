import { escapeText } from '../../content/markdown/escape.ts'
import { readFrontMatter } from '../../content/page/front-matter.ts'
import { asObject } from '../../objects.ts'

/**
 * The first page of a VitePress site has its content in its front matter: what the project is about, where to begin,
 * and its features. This becomes the text of the page.
 */
export function withHome(text: string): string {
  const found = readFrontMatter(text)
  if (found?.values['layout'] !== 'home') return text
  const hero = asObject(found.values['hero'])
  const [name, about, tagline] = [wordsOf(hero['name']), wordsOf(hero['text']), wordsOf(hero['tagline'])]
  const actions = listOf(hero['actions']).map(({ text: words, link }) => linkTo(wordsOf(words), link))
  const features = listOf(found.values['features']).map(featureOf)
  const parts = [name && `# ${name}`, about && `**${about}**`, tagline, actions.join(' '), features.join('\n')]
  const said = parts.filter((part) => part !== '').map((part) => `${part}\n\n`)
  const { end } = found.range
  return `${text.slice(0, end)}\n${said.join('')}${text.slice(end).trimStart()}`
}

function featureOf({ title, details, link }: Record<string, unknown>): string {
  const head = `- **${linkTo(wordsOf(title), link)}**`
  return wordsOf(details) === '' ? head : `${head}\n\n  ${wordsOf(details)}`
}

const linkTo = (words: string, link: unknown) =>
  typeof link === 'string' && link !== '' ? `[${words}](<${link.replace(/[<>\s]/g, encodeURIComponent)}>)` : words

const listOf = (value: unknown) => (Array.isArray(value) ? value.slice(0, 100).map(asObject) : [])

function wordsOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  const words = value.replace(/<[^<>]*>/g, '').replace(/\s+/g, ' ')
  return escapeText(words.trim())
}
