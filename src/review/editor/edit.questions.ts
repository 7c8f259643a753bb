import { type Html, html } from '../../http/html.ts'
import type { TextKind } from './edit.texts.ts'
import { shownParts } from './settings.ts'

/**
 * The buttons of a dialog: confirm, cancel, and other actions. If an answer is refused, the reason is shown with them.
 */
const answers = (yes = 'OK', others: Record<string, string> = {}) =>
  html`<div class="writing-answers">
    <p class="say" data-tone="danger" role="alert" hidden></p>
    <p class="review-buttons">
      <button type="button" class="btn primary" value="yes">${yes}</button>
      ${Object.entries({ no: 'Cancel', ...others }).map(
        ([value, label]) => html`<button type="button" class="btn" value="${value}">${label}</button>`,
      )}
    </p>
  </div>`

/** A script fills it with the choices: pages to link to, or reusable contents. */
const choice = html`<dialog class="writing-choice" aria-labelledby="~choice">
  <h2 id="~choice"></h2>
  <label class="field">
    <span>Words of its title</span>
    <input type="search" maxlength="100" autocomplete="off" />
  </label>
  <p class="aside" role="status"></p>
  <ul role="list"></ul>
  <button type="button" class="btn">Close</button>
</dialog>`

/** A script uses it to ask for the address of a link, or for the Markdown of a block. */
const question = html`<dialog class="writing-question" aria-labelledby="~question">
  <div class="field">
    <span id="~question"></span>
    <input type="text" autocomplete="off" aria-labelledby="~question" />
    <textarea rows="12" aria-labelledby="~question"></textarea>
  </div>
  ${answers()}
</dialog>`

/** A script uses it to ask for the size of a new table. */
const tableSize = html`<dialog class="writing-question writing-size" aria-labelledby="~size">
  <h2 id="~size">New table</h2>
  <div class="fields">
    <label class="field"
      ><span>Columns</span><input type="number" min="1" max="20" value="3" inputmode="numeric"
    /></label>
    <label class="field"
      ><span>Rows below the header</span><input type="number" min="1" max="100" value="2" inputmode="numeric"
    /></label>
  </div>
  ${answers('Insert')}
</dialog>`

/** A script uses it to ask for the properties of a picture in the text. */
const picture = html`<dialog class="writing-question writing-picture" aria-labelledby="~picture">
  <h2 id="~picture">Picture</h2>
  <div class="fields">
    <div class="field">
      <label for="~alt">Alternative text</label>
      <input name="alt" id="~alt" autocomplete="off" aria-describedby="~alt-about" />
      <small class="aside" id="~alt-about">Describes the picture for those who cannot see it.</small>
    </div>
    <div class="field" data-caption>
      <span id="~caption">Caption</span>
      <div
        class="writing-line"
        contenteditable="true"
        role="textbox"
        aria-labelledby="~caption"
        aria-multiline="false"
      ></div>
    </div>
    <label class="field">
      <span>Width</span>
      <select name="width">
        <option value="">Original size</option>
        <option value="25%">A quarter of the text width</option>
        <option value="50%">Half of the text width</option>
        <option value="75%">Three quarters of the text width</option>
        <option value="100%">Full text width</option>
        <option value="pixels">In pixels</option>
      </select>
    </label>
    <label class="field" data-pixels>
      <span>Pixels</span>
      <input name="pixels" type="number" min="1" max="99999" inputmode="numeric" />
    </label>
    <label class="field" data-side>
      <span>Alignment</span>
      <select name="side">
        <option value="">Centre</option>
        <option value="left">Left</option>
        <option value="right">Right</option>
      </select>
    </label>
    <label class="field">
      <span>Address</span>
      <input name="address" autocomplete="off" spellcheck="false" />
    </label>
    <label class="field">
      <span>Replace the picture</span>
      <input name="file" type="file" accept="image/*" />
    </label>
    <label class="field">
      <span>On dark pages</span>
      <input name="dark" autocomplete="off" spellcheck="false" />
    </label>
    <label class="field">
      <span>Upload one for dark pages</span>
      <input name="darkFile" type="file" accept="image/*" />
    </label>
  </div>
  ${answers('OK', { remove: 'Remove the picture' })}
</dialog>`

/** The most frequent parts of formulas. `|` stands for what is selected. */
const formulaParts = [
  ['x²', 'Power', '^{|}'],
  ['x₁', 'Index', '_{|}'],
  ['a/b', 'Fraction', '\\frac{|}{b}'],
  ['√', 'Root', '\\sqrt{|}'],
  ['Σ', 'Sum', '\\sum_{i=1}^{n} |'],
  ['∫', 'Integral', '\\int_{a}^{b} |'],
  ['×', 'Times', '\\times |'],
  ['≤', 'At most', '\\le |'],
  ['≠', 'Not equal', '\\ne |'],
  ['π', 'Pi', '\\pi |'],
] as const

/** A script uses it to ask for a formula, and shows how it looks. */
const formula = html`<dialog class="writing-question writing-formula" aria-labelledby="~formula">
  <h2 id="~formula">Formula</h2>
  <p class="writing-parts" role="group" aria-label="Parts of formulas">
    ${formulaParts.map(
      ([sign, name, tex]) =>
        html`<button type="button" class="btn" data-tex="${tex}" title="${name}" aria-label="${name}: ${sign}">
          ${sign}
        </button>`,
    )}
  </p>
  <div class="field">
    <span id="~tex">The formula, in TeX</span>
    <textarea rows="3" aria-labelledby="~tex" autocapitalize="off" autocomplete="off" spellcheck="false"></textarea>
  </div>
  <div class="writing-look work-text" role="status" aria-label="How it looks"></div>
  ${answers('OK', { remove: 'Remove the formula' })}
</dialog>`

/** A script uses it to ask for the texts of a card, and where it leads. It has a field for each text. */
const card = html`<dialog class="writing-question writing-card" aria-labelledby="~card">
  <h2 id="~card">Card</h2>
  <div class="fields">
    <div class="fields" data-texts></div>
    <div class="field">
      <label for="~target">Leads to</label>
      <input name="target" id="~target" list="~targets" autocomplete="off" aria-describedby="~target-about" />
      <small class="aside" id="~target-about">Search for a page by its title, or enter an address.</small>
      <datalist id="~targets"></datalist>
    </div>
    <label class="field">
      <span>Picture address</span>
      <input name="cover" autocomplete="off" spellcheck="false" />
    </label>
    <label class="field">
      <span>Upload picture</span>
      <input name="file" type="file" accept="image/*" />
    </label>
  </div>
  ${answers('OK', { add: 'Add a card', back: 'Move back', on: 'Move on', remove: 'Remove the card' })}
</dialog>`

const check = (name: string, words: string, value = 'on'): Html =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="${value}" /><span>${words}</span></label>`

/** What can be shown beside the text, in the words of authors. */
const partNames = {
  title: 'Title',
  description: 'Description',
  tableOfContents: 'Menu with all pages',
  outline: 'Headings of the page',
  pagination: 'Links to the previous and next page',
  metadata: 'Date of the last change',
} satisfies Record<(typeof shownParts)[number], string>

/** A script uses it to ask for the settings above the text of a page. */
const pageSettings = html`<dialog class="writing-question writing-settings" aria-labelledby="~settings">
  <h2 id="~settings">Page settings</h2>
  <div class="fields">
    <label class="field"><span>Title</span><input name="title" autocomplete="off" /></label>
    <div class="field">
      <label for="~description">Description</label>
      <textarea name="description" id="~description" rows="2" aria-describedby="~description-about"></textarea>
      <small class="aside" id="~description-about">Shown below the title, and by search engines.</small>
    </div>
    <label class="field">
      <span>Cover picture (address)</span>
      <input name="cover" autocomplete="off" spellcheck="false" placeholder="https://" />
    </label>
    <label class="field"> <span>Upload cover</span><input name="coverFile" type="file" accept="image/*" /> </label>
    <label class="field">
      <span>Cover on dark pages</span>
      <input name="coverDark" autocomplete="off" spellcheck="false" placeholder="https://" />
    </label>
    <label class="field">
      <span>Upload one for dark pages</span><input name="coverDarkFile" type="file" accept="image/*" />
    </label>
    <label class="field">
      <span>Icon</span><input name="icon" autocomplete="off" autocapitalize="off" placeholder="rocket" />
    </label>
    <label class="field"><span>Emoji</span><input name="emoji" autocomplete="off" /></label>
    <fieldset class="work-choices">
      <legend>Where it is found</legend>
      ${check('hidden', 'Hide it from the menu')} ${check('noIndex', 'Keep it out of the search of the site')}
      ${check('noRobotsIndex', 'Keep it out of search engines')}
    </fieldset>
    <fieldset class="work-choices">
      <legend>What readers see of it</legend>
      ${shownParts.map((part) => check('shown', partNames[part], part))}
      ${check('isWide', 'Full width, for wide tables')} ${check('isCoverWide', 'The cover as wide as the window')}
    </fieldset>
  </div>
  ${answers()}
</dialog>`

/** All dialogs of the editor's scripts. A reusable content has no settings. */
export const questionsOf = ({ noun }: TextKind): Html =>
  html`${choice} ${question} ${tableSize} ${picture} ${formula} ${card} ${noun === 'page' && pageSettings}`
