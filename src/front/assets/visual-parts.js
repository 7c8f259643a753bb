// Titles, kinds, and parts of blocks in the visual editor. Each tool changes the Markdown of the block, as an author
// who sees it would.

const sample = (words) => signs[0] + words + signs[1]

const attributeValue = /\s*=\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s"'%]+))/.source

/**
 * Finds an attribute in a tag such as `{% tab title="…" %}`: its position and its value. As on the server, a value may
 * contain quotes.
 */
function findAttribute(source, name) {
  const each = new RegExp(`(?:^{%\\s*[\\w-]+)?\\s+([A-Za-z_][\\w:.-]*)(?:${attributeValue})?`, 'gy')
  for (let found = each.exec(source); found; found = each.exec(source)) {
    const [all, own, ...values] = found
    const said = values.find((value) => value !== undefined)
    if (own !== name || said === undefined) continue
    const value = said
      .replaceAll(/\\([\\"'])/g, '$1')
      .replaceAll('%&#125;', '%}')
      .replaceAll('&quot;', '"')
    return { from: found.index + all.lastIndexOf(own, all.indexOf('=')), to: each.lastIndex, value }
  }
  return undefined
}

const attributeOf = (source, name) => findAttribute(source, name)?.value

/** Replaces an attribute, or adds it after the name of the tag. */
function withAttribute(source, name, value) {
  const own = `${name}="${value.replaceAll(/[\\"]/g, '\\$&').replaceAll('%}', '%&#125;')}"`
  const { from, to } = findAttribute(source, name) ?? {}
  if (from === undefined) return source.replace(/^{%\s*[\w-]+/, (tag) => `${tag} ${own}`)
  return source.slice(0, from) + own + source.slice(to)
}

/** After the kind of a block has changed, the cursor is at the end of the block. */
function withCursor(source) {
  const end = source.search(/(?:\n[ \t>]*)?{% endhint %}$/)
  const at = end === -1 ? source.length : end
  return source.slice(0, at) + signs.join('') + source.slice(at)
}

const kinds = ['info', 'success', 'warning', 'danger']

/** Hints that are quotes in Markdown (`> [!NOTE]`) have other names for their kinds. */
function nextKind(source) {
  const named = /^> ?\[!(\w+)\]/.exec(source)
  if (named) {
    const names = ['NOTE', 'TIP', 'WARNING', 'CAUTION']
    return source.replace(named[1], names[(names.indexOf(named[1].toUpperCase()) + 1) % names.length])
  }
  const next = kinds[(kinds.indexOf(attributeOf(source, 'style') ?? 'info') + 1) % kinds.length]
  return withAttribute(source, 'style', next)
}

async function askLanguage(source) {
  const fence = /^(?:{% code[^\n]*\n)?[ \t>]*(`{3,}|~{3,})[ \t]*([^\s`]*)/.exec(source)
  if (!fence) return source
  const asked = await askFor('The language of the code, such as js, python or bash', fence[2], false)
  if (asked === undefined) return undefined
  const at = fence[0].length - fence[2].length
  return source.slice(0, at) + asked.trim().replaceAll(/[\s`]/g, '-') + source.slice(fence[0].length)
}

/** The title is in a tag around the code. The tag is removed with the title if it contains nothing else. */
async function askCodeTitle(source, lead) {
  const [tag = ''] = /^{%\s*code\b[^\n]*?%}/.exec(source) ?? []
  const before = attributeOf(tag, 'title') ?? ''
  const asked = (await askFor('Title of the code, such as the name of its file', before, false))?.trim()
  if (asked === undefined || asked === before) return undefined
  if (asked !== '') {
    if (tag !== '') return withAttribute(source, 'title', asked)
    return `${withAttribute('{% code %}', 'title', asked)}\n${lead}${source}\n${lead}{% endcode %}`
  }
  const { from, to } = findAttribute(source, 'title')
  const now = source.slice(0, from).trimEnd() + source.slice(to)
  return /^{%\s*code\s*%}\n[ \t>]*([^]*?)\n[ \t>]*{%\s*endcode\s*%}$/.exec(now)?.[1] ?? now
}

async function askTabTitle(source) {
  const asked = await askFor('Title of the tab', attributeOf(source, 'title') ?? '', false)
  return asked?.trim() ? withAttribute(source, 'title', asked.trim()) : undefined
}

async function askSummary(source) {
  const [, before, summary] = /^([^]*?<summary>)([^]*?)<\/summary>/.exec(source) ?? []
  if (summary === undefined) return source
  // HTML marks in a summary are kept.
  const isMarked = /<[a-z]/i.test(summary)
  const words = isMarked ? summary : new DOMParser().parseFromString(summary, 'text/html').body.textContent
  const asked = (await askFor('The text shown while it is closed', words.trim(), false))?.trim()
  if (!asked) return undefined
  const now = isMarked ? asked : asked.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return before + now + source.slice(before.length + summary.length)
}

/** Adds a part behind this one. In a list or quote, its lines get the same prefix as the others there. */
const another = (part) => (source, lead) =>
  source + ['', ...part.split('\n')].map((line) => `\n${(lead + line).trimEnd()}`).join('')

const newParts = {
  tab: `{% tab title="Another" %}\n${sample('What it says.')}\n{% endtab %}`,
  step: `{% step %}\n### ${sample('Next')}\n\nWhat to do.\n{% endstep %}`,
  column: `{% column %}\n${sample('What it says.')}\n{% endcolumn %}`,
}

/** Removing the last part removes the whole block. */
function removePart(part) {
  const siblings = part.parentElement.querySelectorAll(':scope > .frame')
  if (siblings.length === 1) return deleteFrame(outermost(part))
  const next = part.nextElementSibling ?? part.previousElementSibling
  part.remove()
  cursorIn(next.querySelector('[contenteditable=true]'))
  touch()
}

const rewriting = (how) => (frame) => void asSeen.rewrite(frame, how)
const add = (kind) => ['Add', `Add a ${kind} after this one`, rewriting(another(newParts[kind]))]
const remove = (kind) => ['Delete', `Delete this ${kind}`, removePart]

const kindOf = (frame) => `Kind: ${kinds.find((kind) => frame.querySelector(`:scope > .hint-${kind}`)) ?? 'info'}`

function languageOf(frame) {
  const language = /language-(\S+)/.exec(frame.querySelector('[data-text]').className)?.[1]
  return language ? `Language: ${language}` : 'Language'
}

/** The buttons by kind of block. Each has a label, a description, and an action. */
asSeen.toolsOf = {
  hint: {
    kind: [kindOf, `Another kind of hint: ${kinds.join(', ')}`, rewriting((source) => withCursor(nextKind(source)))],
  },
  code: {
    language: [languageOf, 'The language of the code', rewriting(askLanguage)],
    title: ['Title', 'What stands above the code', rewriting(askCodeTitle)],
  },
  details: { title: ['Title', 'The text shown while it is closed', rewriting(askSummary)] },
  tab: { title: ['Title', 'Title of the tab', rewriting(askTabTitle)], add: add('tab'), remove: remove('tab') },
  step: { add: add('step'), remove: remove('step') },
  column: { add: add('column'), remove: remove('column') },
}
