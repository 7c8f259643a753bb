import { hidden, outcome } from '../../account/parts.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { fileData } from '../../pages/entry-data.ts'
import { sizeInWords } from '../../size-in-words.ts'
import { frame } from '../../workspace/frame.ts'

interface FilesParts {
  /** The path of the change request. */
  path: string
  name: string
  form: string
  /** `isNew`: it was just uploaded. */
  files: { entry: Entry; href: string; isNew: boolean }[]
  more: number
  most: { files: number; bytes: number }
  done?: string
  error?: string
}

/** Shows the files of a change request: the form for new ones, and how a page shows each file. */
export function filesPage(place: Place, parts: FilesParts): Html {
  const { path, name, form, files, more, most, done, error } = parts
  return frame(
    place,
    'Files',
    html`<p class="review-space"><a href="${place.link(path)}">${name}</a></p>
      <h1>Files</h1>
      ${error !== undefined && outcome('danger', error)} ${done !== undefined && outcome('success', done)}
      <form
        method="post"
        action="${place.link(`${path}/files`)}"
        enctype="multipart/form-data"
        class="fields review-place"
      >
        ${hidden({ form })}
        <label class="field">
          <span>Pictures and other files: up to ${most.files} at once, ${sizeInWords(most.bytes)} in all</span>
          <input type="file" name="files" multiple required />
        </label>
        <div class="review-buttons">
          <button class="btn primary">Upload</button> <a class="btn" href="${place.link(path)}">Back</a>
        </div>
      </form>
      <form method="post" action="${place.link(`${path}/files/fetch`)}" class="fields inline one review-place">
        ${hidden({ form })}
        <label class="field grow">
          <span>Or the address of a file on the web</span>
          <input name="address" type="url" required maxlength="2048" autocomplete="off" />
        </label>
        <button class="btn">Fetch</button>
      </form>
      <section aria-label="All files" class="review-files">
        <h2>All files</h2>
        ${
          files.length === 0
            ? html`<p class="none">None yet. Once uploaded, a file can be shown on every page of the space.</p>`
            : html`<p>To show a file, copy its line and paste it into the text of a page.</p>
                <ul role="list">
                  ${files.map((each) => html`<li ${each.isNew && html` data-new`}>${fileOf(place, parts, each)}</li>`)}
                </ul>`
        }
        ${more > 0 && html`<p class="none">And ${more} older ones. Use the API to list them.</p>`}
      </section>`,
    ['copy', 'check'],
  )
}

function fileOf(place: Place, { path, form }: FilesParts, { entry, href }: FilesParts['files'][number]): Html {
  const { name, size } = fileData(entry)
  const label = html`<span><a href="${href}">${name}</a> <span class="row-more">${sizeInWords(size)}</span></span>`
  return html`${codeBlock(label, html`${markdownFor(entry)}`)}
    <div class="review-does">
      <details>
        <summary class="btn" aria-label="Delete ${name}">Delete</summary>
        <form method="post" action="${place.link(`${path}/files/delete`)}" class="review-ask">
          ${hidden({ form, file: entry.entry })}
          <p>Delete this file? Pages that use it will show nothing in its place.</p>
          <button class="btn danger">Delete file</button>
        </form>
      </details>
    </div>`
}

function markdownFor(file: Entry): string {
  const { name, contentType } = fileData(file)
  const address = `/files/${file.entry}`
  if (!contentType.startsWith('image/')) return `{% file src="${address}" %}`
  return `![${wordsOf(name).replace(/[[\]\\`*_<&]/g, '\\$&')}](${address})`
}

/** Browsers call every picture from the clipboard `image.png`, which says nothing about it. */
const wordsOf = (name: string) => name.replace(/^image\.\w+$|\.\w+$/, '')
