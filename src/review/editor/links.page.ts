import type { Entry } from '../../content/merge/entry.ts'
import { writeInlines } from '../../content/markdown/write-inlines.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { frame } from '../../workspace/frame.ts'
import type { SoughtPages } from '../pages/first-pages.ts'
import { pageFinder } from '../pages/tree.page.ts'

interface LinksParts {
  /** The path of the change request. */
  path: string
  name: string
  tree: PageTree
  pages: SoughtPages
}

/**
 * Shows the link to each page of a change request, for use in texts. The script of the editor takes its choices from
 * here, too.
 */
export function linksPage(place: Place, { path, name, tree, pages }: LinksParts): Html {
  const shown = pages.shown.filter(({ page }) => pageData(page).type !== 'group' && pageData(page).type !== 'link')
  return frame(
    place,
    'Links to pages',
    html`<p class="review-space"><a href="${place.link(path)}">${name}</a></p>
      <h1>Links to pages</h1>
      <p>To link to a page, copy its line and paste it into the text of another page.</p>
      <section aria-label="Pages" class="review-files" id="pages">
        ${pageFinder(place, `${path}/~/links`, pages)}
        ${
          shown.length === 0
            ? html`<p class="none">${pages.sought === '' ? 'None yet.' : 'None.'}</p>`
            : html`<ul role="list">
                ${shown.map(({ page }) => lineOf(tree, page))}
              </ul>`
        }
        ${pages.more > 0 && html`<p class="none">And ${pages.more} more: search by title.</p>`}
      </section>`,
    ['copy', 'check'],
  )
}

function lineOf(tree: PageTree, page: Entry): Html {
  const { title } = pageData(page)
  // From the root, so that it works on every page that it is pasted into.
  const href = `/${encodeURI(tree.pathOf(page)).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))}.md`
  const line = writeInlines([{ type: 'link', href, inlines: [{ type: 'text', text: title }] }], 'line')
  return html`<li data-id="${page.entry}" data-title="${title}" data-about="${decodeURI(href)}" data-href="${href}">
    ${codeBlock(html`<span>${title}</span>`, html`${line}`)}
  </li>`
}
