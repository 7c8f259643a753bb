/** The first page of a site that is created with sample content. */
export const sampleSpace = {
  title: 'Welcome',
  slug: 'welcome',
  markdown: `This is a page to start from. Change it in a change request, or make the space live and edit it directly.

{% hint style="info" %}
Pages are written in Markdown. Blocks such as this one add what Markdown does not have.
{% endhint %}

## What to do next

1. Write down what your readers ask most.
2. Give each answer a page of its own.
3. Publish the site.
`,
}
