import { newPage } from './editing.ts'

/** A picture of one pixel, in base64. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Many kinds of blocks, so that each of them is checked against the client's description. */
const everything = `# Everything

A paragraph with **bold**, *italic*, ~~struck~~, \`code\`, [a link](https://example.com), [the guide](./guide.md) and a
hard\\
break, :smile: and $$a + b$$.

## A heading

- one
  - nested
- two

1. first
2. second

- [ ] open
- [x] done

> A quote

\`\`\`js
const a = 1
\`\`\`

| Name | Size |
| ---- | ---: |
| a    |    1 |

---

![An image](./picture)

<figure><img src="./picture" alt="An image"><figcaption><p>A caption</p></figcaption></figure>

{% hint style="info" %}
A hint
{% endhint %}

{% tabs %}
{% tab title="One" %}
The first
{% endtab %}

{% tab title="Two" %}
The second
{% endtab %}
{% endtabs %}

<details>

<summary>More</summary>

Hidden text

</details>

{% stepper %}
{% step %}
### A step

Do it
{% endstep %}
{% endstepper %}

{% embed url="https://example.com/video" %}

{% file src="./picture" %}

{% content-ref url="./guide.md" %}
[guide.md](./guide.md)
{% endcontent-ref %}

{% include "./note" %}

$$
x^2
$$
`

/** One of everything that a revision can hold. */
export const content = [
  { operation: 'update_variables', variables: { version: '1.0' } },
  { operation: 'insert_files', files: [{ name: 'a.png', base64: png, contentType: 'image/png', ref: 'picture' }] },
  { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Mind the gap' }, ref: 'note' },
  { operation: 'insert_page', type: 'group', metadata: { title: 'Group', icon: 'bolt' }, ref: 'group' },
  newPage('Guide', { into: 'group', ref: 'guide' }),
  {
    operation: 'insert_page',
    ref: 'everything',
    document: { markdown: everything },
    metadata: {
      emoji: '1f600',
      description: 'All of it',
      hidden: true,
      layout: { width: 'wide', outline: false },
      cover: { ref: { kind: 'file', file: 'picture' }, yPos: 10 },
      variables: { name: 'value' },
    },
  },
  {
    operation: 'insert_page',
    type: 'link',
    metadata: { title: 'Link' },
    target: { kind: 'url', url: 'https://example.com/' },
  },
  {
    operation: 'insert_page',
    type: 'computed',
    metadata: { title: 'API' },
    computed: {
      type: 'builtin:openapi',
      props: { models: true },
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
    },
  },
  {
    operation: 'insert_page',
    type: 'computed',
    metadata: { title: 'Made elsewhere' },
    computed: { type: 'integration:maker:pages' },
  },
  { operation: 'insert_page', type: 'link', metadata: { title: 'In here' }, target: { kind: 'page', page: 'guide' } },
]
