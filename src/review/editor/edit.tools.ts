import type { Entry } from '../../content/merge/entry.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { sizeInWords } from '../../size-in-words.ts'

/** A button above the text, and what it inserts. */
interface Tool {
  name: string
  label?: HtmlValue
  key?: string
  /**
   * Where it is inserted: around the selection; before each line of it; around it on lines of their own; or after it on
   * lines of their own.
   */
  where: 'around' | 'lines' | 'block' | 'behind'
  before: string
  /** Stands in for the selection if nothing is selected. */
  sample?: string
  after?: string
  /** The part of the inserted text that is selected next, to be overwritten. */
  next?: string
  /** Search words for a block, besides its name, in the menu of the visual editor. */
  also?: string
  /** Only shown in that menu. */
  isInMenu?: true
  /** Not a block, but part of the text of one. */
  isInline?: true
  /** What to ask the user for, instead of inserting a sample. */
  ask?: string
}

const isInMenu = true

const hint = (style: string) => ({
  before: `{% hint style="${style}" %}\n`,
  sample: 'Good to know.',
  after: '\n{% endhint %}',
})

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
  { name: 'Heading', where: 'lines', before: '## ', also: 'title h2 section' },
  { name: 'Smaller heading', where: 'lines', before: '### ', also: 'subheading title h3', isInMenu },
  { name: 'List', where: 'lines', before: '- ', also: 'bullets bulleted unordered points ul' },
  { name: 'Numbered list', where: 'lines', before: '1. ', also: 'ordered 1. ol' },
  { name: 'Tasks', where: 'lines', before: '- [ ] ', also: 'checklist todo to-do list checkbox', isInMenu },
  { name: 'Quote', where: 'lines', before: '> ', also: 'blockquote citation', isInMenu },
  { name: 'Code', where: 'around', before: '`', sample: 'code', after: '`' },
  {
    name: 'Formula in the text',
    label: 'Formula',
    also: 'inline math equation tex latex',
    isInline: true,
    where: 'around',
    before: '$$',
    sample: 'a^2 + b^2 = c^2',
    after: '$$',
  },
  { name: 'Code block', where: 'block', before: '```\n', sample: 'code', after: '\n```', also: 'snippet program' },
  {
    name: 'Diagram',
    also: 'mermaid flowchart chart graph drawing',
    where: 'block',
    before: '```mermaid\n',
    sample: 'graph LR\n  Start --> End',
    after: '\n```',
    isInMenu,
  },
  {
    name: 'Table',
    also: 'grid rows sheet',
    where: 'behind',
    before: '| ',
    sample: 'Name',
    after: ' | Meaning |\n| --- | --- |\n| One | The first |\n| Two | The second |',
  },
  { name: 'Hint', where: 'block', ...hint('info'), also: 'info note callout' },
  { name: 'Hint: success', where: 'block', ...hint('success'), also: 'tip check callout', isInMenu },
  { name: 'Hint: warning', where: 'block', ...hint('warning'), also: 'caution callout', isInMenu },
  { name: 'Hint: danger', where: 'block', ...hint('danger'), also: 'error callout', isInMenu },
  {
    name: 'Tabs',
    also: 'languages variants',
    where: 'block',
    before: '{% tabs %}\n{% tab title="First" %}\n',
    sample: 'What the first one says.',
    after: '\n{% endtab %}\n\n{% tab title="Second" %}\nWhat the second one says.\n{% endtab %}\n{% endtabs %}',
  },
  {
    name: 'Steps',
    also: 'stepper instructions procedure',
    where: 'block',
    before: '{% stepper %}\n{% step %}\n### First\n\n',
    sample: 'What to do.',
    after: '\n{% endstep %}\n\n{% step %}\n### Then\n\nWhat comes next.\n{% endstep %}\n{% endstepper %}',
  },
  {
    name: 'Expandable',
    also: 'details fold collapse toggle accordion',
    where: 'block',
    before: '<details>\n\n<summary>More about it</summary>\n\n',
    sample: 'The text shown once it is open.',
    after: '\n\n</details>',
    isInMenu,
  },
  {
    name: 'Columns',
    also: 'side by side layout',
    where: 'block',
    before: '{% columns %}\n{% column %}\n',
    sample: 'Text on the left.',
    after: '\n{% endcolumn %}\n\n{% column %}\nText on the right.\n{% endcolumn %}\n{% endcolumns %}',
    isInMenu,
  },
  {
    name: 'Cards',
    also: 'grid tiles gallery overview',
    where: 'behind',
    before:
      '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><strong>',
    sample: 'First',
    after:
      '</strong></td><td>What it is about.</td><td></td><td></td></tr><tr><td><strong>Second</strong></td><td>What it is about.</td><td></td><td></td></tr></tbody></table>',
    isInMenu,
  },
  { name: 'Divider', where: 'lines', before: '---', also: 'horizontal line rule separator hr', isInMenu },
  {
    name: 'Formula',
    also: 'math equation tex latex',
    where: 'behind',
    before: '$$\n',
    sample: 'a^2 + b^2 = c^2',
    after: '\n$$',
    ask: 'The formula, in TeX',
    isInMenu,
  },
  {
    name: 'Embed',
    also: 'video website youtube figma',
    where: 'behind',
    before: '{% embed url="',
    sample: 'https://',
    after: '" %}',
    ask: 'The address of a video, a document or anything else to show',
    isInMenu,
  },
]

/** The position after the link to any address. */
const linksAt = tools.findIndex(({ name }) => name === 'Link') + 1

const noContents = 'None yet. Create one under Reusable contents, below the text.'

interface Addresses {
  /**
   * Where files are sent, where pages and reusable contents are listed, and where copied content is turned into
   * Markdown.
   */
  files: string
  links: string
  contents: string
  pasted: string
}

/** Not shown without script, because it would do nothing. `mostBytes` is the limit for each file. */
export const toolbar = ({ files, links, contents, pasted }: Addresses, mostBytes: number): Html =>
  html`<div class="writing-tools js-only" role="toolbar" aria-label="Insert" data-pasted="${pasted}">
    <button type="button" data-add title="Add a block, or type / in an empty line">Add…</button>
    ${tools.slice(0, linksAt).map(button)}
    <button
      type="button"
      data-inline
      data-list="${links}"
      data-none="There is no other page yet."
      data-also="another"
      title="Link to a page"
    >
      Page link
    </button>
    <button
      type="button"
      data-choose
      data-also="image upload attachment download"
      title="Choose a file or a picture, or drop or paste it into the text"
    >
      File or picture
    </button>
    ${tools.slice(linksAt).map(button)}
    <button
      type="button"
      data-list="${contents}"
      data-none="${noContents}"
      data-also="include snippet"
      title="Include a reusable content"
    >
      Reusable content
    </button>
    <button type="button" data-more aria-expanded="false" aria-controls="~more">More…</button>
    <div class="writing-more" id="~more" hidden></div>
    <input
      type="file"
      multiple
      hidden
      data-address="${files}"
      data-most="${mostBytes}"
      data-most-said="${sizeInWords(mostBytes)}"
    />
  </div>`

/** Returns the line that includes a reusable content in a text. */
export const includeLine = ({ entry }: Pick<Entry, 'entry'>): string => `{% include "/reusable-contents/${entry}" %}`

function button(tool: Tool): Html {
  const {
    name,
    label = name,
    key,
    where,
    before,
    sample = '',
    after = '',
    next = '',
    also,
    ask,
    isInMenu = false,
    isInline = false,
  } = tool
  return html`<button
    type="button"
    title="${name}${key && ` (Ctrl ${key}, ⌘ ${key})`}"
    aria-label="${name}"
    ${key && html` aria-keyshortcuts="Control+${key} Meta+${key}" data-key="${key.toLowerCase()}"`}
    ${also && html`data-also="${also}"`}
    ${ask && html`data-ask="${ask}"`}
    ${isInMenu && html`hidden`}
    ${isInline && html`data-inline`}
    data-where="${where}"
    data-before="${before}"
    data-sample="${sample}"
    data-after="${after}"
    data-next="${next}"
  >
    ${label}
  </button>`
}
