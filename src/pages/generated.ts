import type { App } from '../http/routes.ts'
import { expandPages } from '../openapi/generate/expand.ts'
import type { Content } from './access.ts'

/** The same content with the pages in it that are made from specifications, unless those are not wanted. */
export async function withGenerated(
  app: App,
  content: Content,
  { computed = true }: { computed?: boolean },
): Promise<Content> {
  // What a visitor of a site sees has them already.
  if (!computed || content.shown || !(await app.openapi.mayExpand(content.at))) return content
  const expanded = await expandPages(app, content.at, await app.content.tree(content.at))
  return expanded.stamp === '' ? content : { ...content, expanded }
}
