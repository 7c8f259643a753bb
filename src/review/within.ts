import { formToken } from '../account/forms.ts'
import type { App } from '../http/routes.ts'
import type { Said } from '../workspace/said.ts'
import type { Around } from './within.page.ts'
import { type Written, nameOf } from './write.ts'

export const aroundOf = (app: App, { opened: { session, path, access } }: Written, said: Said): Around => ({
  path,
  name: nameOf(access.changeRequest),
  form: formToken(app, { session }),
  ...(said.done !== undefined && { done: said.done }),
  ...(said.error !== undefined && { error: said.error }),
})
