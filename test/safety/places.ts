/** The places in the text of a page where something can be inserted. Each takes a payload and returns Markdown. */
export const places: Record<string, (payload: string) => string> = {
  'a block of its own': (payload) => payload,
  'the middle of a sentence': (payload) => `Before ${oneLine(payload)} after.`,
  heading: (payload) => `## ${oneLine(payload)}`,
  'list item': (payload) => `- ${oneLine(payload)}`,
  task: (payload) => `- [x] ${oneLine(payload)}`,
  'table cell': (payload) => `| a | b |\n|---|---|\n| ${cell(payload)} | x |`,
  'table head': (payload) => `| ${cell(payload)} |\n|---|\n| x |`,
  'cell of an HTML table': (payload) => `<table><tbody><tr><td>${oneLine(payload)}</td></tr></tbody></table>`,
  card: (payload) =>
    `<table data-view="cards"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>${oneLine(payload)}</td><td>${oneLine(payload)}</td></tr></tbody></table>`,
  'target of a card': (payload) =>
    `<table data-view="cards"><thead><tr><th></th><th data-card-target></th><th data-card-cover></th></tr></thead><tbody><tr><td>x</td><td><a href="${quoted(payload)}">x</a></td><td><a href="${quoted(payload)}">x</a></td></tr></tbody></table>`,
  'hint and its title': (payload) => `{% hint style="info" title="${argument(payload)}" %}\n${payload}\n{% endhint %}`,
  'tab and its title': (payload) =>
    `{% tabs %}\n{% tab title="${argument(payload)}" %}\n${payload}\n{% endtab %}\n{% endtabs %}`,
  step: (payload) => `{% stepper %}\n{% step %}\n${payload}\n{% endstep %}\n{% endstepper %}`,
  'details and summary': (payload) => `<details>\n\n<summary>${oneLine(payload)}</summary>\n\n${payload}\n\n</details>`,
  column: (payload) =>
    `{% columns %}\n{% column width="${argument(payload)}" %}\n${payload}\n{% endcolumn %}\n{% endcolumns %}`,
  'code and its title': (payload) =>
    `{% code title="${argument(payload)}" lineNumbers="true" %}\n\`\`\`\`\`html\n${payload}\n\`\`\`\`\`\n{% endcode %}`,
  'language of code': (payload) => `\`\`\`\`\`${oneLine(payload).replaceAll('`', '')}\nx\n\`\`\`\`\``,
  'code in a line': (payload) => `\`\`\` ${oneLine(payload)} \`\`\``,
  'text of a link': (payload) => `[${oneLine(payload)}](https://example.org)`,
  'address of a link': (payload) => `[x](<${oneLine(payload).replace(/[<>]/g, '')}>)`,
  'address of a link, bare': (payload) => `[x](${payload.replace(/\s/g, '')})`,
  'title of a link': (payload) => `[x](https://example.org "${quoted(payload)}")`,
  'definition of a link': (payload) => `[x]\n\n[x]: <${oneLine(payload).replace(/[<>]/g, '')}> "${quoted(payload)}"`,
  'address of an image': (payload) => `![x](<${oneLine(payload).replace(/[<>]/g, '')}>)`,
  'description of an image': (payload) => `![${oneLine(payload)}](https://example.org/x.png "${quoted(payload)}")`,
  caption: (payload) =>
    `<figure><img src="https://example.org/x.png" alt="${quoted(payload)}"><figcaption>${oneLine(payload)}</figcaption></figure>`,
  'attribute in double quotes': (payload) => `<p title="${payload}">x</p>`,
  'attribute in single quotes': (payload) => `<p title='${payload}'>x</p>`,
  'attribute without quotes': (payload) => `<p title=${payload}>x</p>`,
  'address in HTML': (payload) => `<a href="${quoted(payload)}">x</a> <img src="${quoted(payload)}">`,
  'id, class and role in HTML': (payload) =>
    `<div id="${quoted(payload)}" class="${quoted(payload)}" role="${quoted(payload)}">\n\nx\n\n</div>`,
  'inside of HTML': (payload) => `<div><p>${payload}</p></div>`,
  embed: (payload) => `{% embed url="${argument(payload)}" %}\n${payload}\n{% endembed %}`,
  reference: (payload) =>
    `{% content-ref url="${argument(payload)}" %}\n[${oneLine(payload)}](x.md)\n{% endcontent-ref %}`,
  'file and its caption': (payload) => `{% file src="${argument(payload)}" %}\n${payload}\n{% endfile %}`,
  button: (payload) =>
    `<a href="${quoted(payload)}" class="button primary" data-icon="${quoted(payload)}">${oneLine(payload)}</a>`,
  'date and tags of an update': (payload) =>
    `{% updates format="full" %}\n{% update date="${argument(payload)}" tags="${argument(payload)}" %}\n## ${oneLine(payload)}\n\n${payload}\n{% endupdate %}\n{% endupdates %}`,
  note: (payload) => `x[^${[...payload].length}]\n\n[^${[...payload].length}]: ${oneLine(payload)}`,
  formula: (payload) => `$$\n${payload.replaceAll('$$', '')}\n$$`,
  'formula in a line': (payload) => `a $$${oneLine(payload).replaceAll('$$', '')}$$ b`,
  operation: (payload) =>
    `{% openapi src="${argument(payload)}" path="${argument(payload)}" method="get" %}\n[x](${argument(payload)})\n{% endopenapi %}`,
  'icon and expression': (payload) =>
    `<i class="${quoted(payload)}">x</i> <code class="expression">${quoted(payload)}</code> <mark style="${quoted(payload)}">x</mark>`,
  prompt: (payload) => `{% prompt description="${argument(payload)}" %}\n${payload}\n{% endprompt %}`,
}

/** Drawn by a library in a frame of its own. This is slow, so it is not one of the places. */
export const diagram = (payload: string) =>
  sourcesOf(payload)
    .map((source) => `\`\`\`\`\`mermaid\n${source}\n\`\`\`\`\``)
    .join('\n\n')

/**
 * The source of a diagram as it is. Any other text becomes the label of a diagram, in quotes and again without them,
 * where few can be drawn.
 */
function sourcesOf(payload: string): string[] {
  const [, source] = /^```mermaid\n([^]*)\n```$/.exec(payload) ?? []
  if (source !== undefined) return [source]
  return [`graph LR\nA["${quoted(payload)}"] --> B`, `graph LR\nA --> B[${oneLine(payload)}]`]
}

const oneLine = (text: string) => text.replace(/\s*[\n\r]\s*/g, ' ')
const quoted = (text: string) => oneLine(text).replaceAll('"', '&quot;')
const argument = (text: string) => oneLine(text).replaceAll('"', '\\"')
const cell = (text: string) => oneLine(text).replaceAll('|', '\\|')

/** A word that must be readable, whatever comes before it: nothing may swallow what follows it. */
export const sentinel = (number: number) => `sentinel${number}end`

/** A payload in a place. */
export interface Placed {
  number: number
  text: string
  place: (payload: string) => string
}

/** Puts each payload in a quote, so that whatever it leaves open ends there. A word that must be visible follows it. */
export function pageOf(placed: readonly Placed[]): string {
  const parts = placed.map(({ number, text, place }) => {
    const lines = place(text).split(/\r\n|\n|\r/)
    return `${lines.map((line) => `> ${line}`).join('\n')}\n\n${sentinel(number)}\n`
  })
  return parts.join('\n')
}
