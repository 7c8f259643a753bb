import type { Entry } from '../../content/merge/entry.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { sizeOf } from '../../published/blocks/references.ts'

/** A button above the text, and what it puts there. */
interface Tool {
  name: string
  label?: HtmlValue
  key?: string
  /** Around what is chosen; in front of each line of it; around it on lines of their own; or on lines of their own behind it. */
  where: 'around' | 'lines' | 'block' | 'behind'
  before: string
  /** Stands for what is chosen where nothing is. */
  sample?: string
  after?: string
  /** What is chosen next, to be written over. */
  next?: string
}

const tools: readonly Tool[] = [
  { name: 'Bold', label: html`<b>B</b>`, key: 'B', where: 'around', before: '**', sample: 'bold', after: '**' },
  { name: 'Italic', label: html`<i>I</i>`, key: 'I', where: 'around', before: '_', sample: 'italic', after: '_' },
  {
    name: 'Link',
    key: 'K',
    where: 'around',
    before: '[',
    sample: 'words',
    after: '](https://example.org)',
    next: 'https://example.org',
  },
  { name: 'Heading', where: 'lines', before: '## ' },
  { name: 'List', where: 'lines', before: '- ' },
  { name: 'Numbered list', where: 'lines', before: '1. ' },
  { name: 'Code', where: 'around', before: '`', sample: 'code', after: '`' },
  { name: 'Code block', where: 'block', before: '```\n', sample: 'code', after: '\n```' },
  {
    name: 'Table',
    where: 'behind',
    before: '| ',
    sample: 'Name',
    after: ' | Meaning |\n| --- | --- |\n| One | The first |\n| Two | The second |',
  },
  {
    name: 'Hint',
    where: 'block',
    before: '{% hint style="info" %}\n',
    sample: 'Good to know.',
    after: '\n{% endhint %}',
  },
  {
    name: 'Tabs',
    where: 'block',
    before: '{% tabs %}\n{% tab title="First" %}\n',
    sample: 'What the first one says.',
    after: '\n{% endtab %}\n\n{% tab title="Second" %}\nWhat the second one says.\n{% endtab %}\n{% endtabs %}',
  },
  {
    name: 'Steps',
    where: 'block',
    before: '{% stepper %}\n{% step %}\n### First\n\n',
    sample: 'What to do.',
    after: '\n{% endstep %}\n\n{% step %}\n### Then\n\nWhat comes next.\n{% endstep %}\n{% endstepper %}',
  },
]

/** Beside the link to any address. */
const linksAt = tools.findIndex(({ name }) => name === 'Link') + 1

const noContents = 'None yet. They are made under Reusable contents, below the text.'

interface Addresses {
  /** Where files are sent, where pages and reusable contents are listed, and where what was copied becomes Markdown. */
  files: string
  links: string
  contents: string
  pasted: string
}

/** Without script there is none: it would do nothing. Of files, each has at most so many bytes. */
export const toolbar = ({ files, links, contents, pasted }: Addresses, mostBytes: number): Html =>
  html`<div class="writing-tools js-only" role="toolbar" aria-label="Insert" data-pasted="${pasted}">
    ${tools.slice(0, linksAt).map(button)}
    <button
      type="button"
      data-inline
      data-list="${links}"
      data-none="There is no other page yet."
      title="Link to a page"
    >
      Page link
    </button>
    ${tools.slice(linksAt).map(button)}
    <button type="button" data-choose title="Choose a file or a picture, or drop or paste it into the text">
      File or picture
    </button>
    <button type="button" data-list="${contents}" data-none="${noContents}" title="Include a reusable content">
      Reusable content
    </button>
    <input
      type="file"
      multiple
      hidden
      data-address="${files}"
      data-most="${mostBytes}"
      data-most-said="${sizeOf(mostBytes)}"
    />
  </div>`

/** The line that puts a reusable content into a text. */
export const includeLine = ({ entry }: Pick<Entry, 'entry'>): string => `{% include "/reusable-contents/${entry}" %}`

function button({ name, label = name, key, where, before, sample = '', after = '', next = '' }: Tool): Html {
  return html`<button
    type="button"
    title="${name}${key && ` (Ctrl ${key}, ⌘ ${key})`}"
    aria-label="${name}"
    ${key && html` aria-keyshortcuts="Control+${key} Meta+${key}" data-key="${key.toLowerCase()}"`}
    data-where="${where}"
    data-before="${before}"
    data-sample="${sample}"
    data-after="${after}"
    data-next="${next}"
  >
    ${label}
  </button>`
}
