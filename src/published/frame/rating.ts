import { type Html, html } from '../../content/html/template.ts'
import { longestRemark } from '../../insights/texts.ts'
import type { Icons } from '../icons/icons.ts'
import { sent, thanks } from '../ratings/address.ts'
import type { PageView } from './view.ts'

/**
 * Asks whether the page helps. The markup is the same for every reader: what follows an answer is included from the
 * start. It is shown by the script, or by the address to which a reader without script is redirected after answering.
 */
export function drawRating({ site, rating }: PageView, icons: Icons): Html | undefined {
  if (!rating) return undefined
  const { words } = site
  const about = html`<input type="hidden" name="at" value="${rating.at}" />
    <input type="hidden" name="page" value="${rating.page}" />`
  return html`<div class="rate" data-failed="${words.notSent}">
    <form class="rate-ask" method="post" action="${rating.action}">
      ${about}<b id="~helpful">${words.helpful}</b>
      <button class="btn small" name="answer" value="yes" aria-describedby="~helpful">
        ${icons.draw('up')}${words.yes}
      </button>
      <button class="btn small" name="answer" value="no" aria-describedby="~helpful">
        ${icons.draw('dn')}${words.no}
      </button>
    </form>
    <form class="rate-more" id="${thanks}" method="post" action="${rating.action}">
      ${about}<b tabindex="-1">${icons.draw('success')}${words.thanks}</b>
      <label for="~better">${words.better}</label>
      <textarea
        id="~better"
        name="text"
        maxlength="${longestRemark}"
        required
        autocomplete="off"
        aria-describedby="~better-text"
      ></textarea>
      <small id="~better-text">${words.betterText}</small>
      <button class="btn small">${words.send}</button>
    </form>
    <p class="rate-sent" id="${sent}"><b tabindex="-1">${icons.draw('success')}${words.sent}</b></p>
  </div>`
}
