import { hidden } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { frame } from '../frame.ts'
import type { Said } from '../said.ts'
import { saidOn } from '../top.ts'
import { longestTitle, shortestTitle } from './organization-title.ts'

/** Path of the page, for users who may create organizations. */
export const newOrganizationPath = '/account/new-organization'

interface NewOrganizationParts extends Said {
  form: string
  title: string
  withSite: boolean
}

export const newOrganizationPage = (place: Place, parts: NewOrganizationParts): Html =>
  frame(
    place,
    'New organization',
    html`<p class="review-space"><a href="${place.link('/account')}">Your account</a></p>
      <h1>New organization</h1>
      ${saidOn(parts)}
      <p class="aside">
        An organization has its own people, spaces and sites, separate from all others. You will be its administrator.
      </p>
      <form method="post" action="${place.link(newOrganizationPath)}" class="fields review-place">
        ${hidden({ form: parts.form })}
        <label class="field">
          <span>Title</span>
          <input
            name="title"
            value="${parts.title}"
            minlength="${shortestTitle}"
            maxlength="${longestTitle}"
            autocomplete="off"
            required
          />
        </label>
        <label class="choice">
          <input type="checkbox" name="site" value="on" ${parts.withSite && html`checked`} />
          <span class="row-main">
            <span>Create a first site</span>
            <span class="row-more">With a space and a sample page. Nobody can read it until you publish it.</span>
          </span>
        </label>
        <div class="review-buttons">
          <button class="btn primary">Create organization</button>
          <a class="btn" href="${place.link('/account')}">Back</a>
        </div>
      </form>`,
  )
