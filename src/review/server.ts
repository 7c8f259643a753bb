import type { Routes } from '../http/routes.ts'
import { aboutPages } from './about.routes.ts'
import { besidePages } from './comments/beside.routes.ts'
import { conflictPages } from './conflicts/conflicts.routes.ts'
import { editPages } from './editor/edit.routes.ts'
import { filePages } from './editor/files.routes.ts'
import { historyPages } from './changes/history.routes.ts'
import { comparingPages } from './changes/compare.routes.ts'
import { pageHistoryPages } from './changes/page-history.routes.ts'
import { onSpacePages } from './comments/on-space.routes.ts'
import { linkPages } from './editor/links.routes.ts'
import { pastePages } from './editor/paste.routes.ts'
import { visualPages } from './editor/visual.routes.ts'
import { changePdfPages } from './pdf.routes.ts'
import { copyingPages } from './pages/copy.routes.ts'
import { placePages } from './pages/place.routes.ts'
import { undoPages } from './pages/undo.routes.ts'
import { reusableContentPages } from './reusable-contents/reusable-contents.routes.ts'
import { reviewerPages } from './reviewers.routes.ts'
import { reviewPages } from './routes.ts'
import { saidPages } from './comments/said.routes.ts'
import { spaceContentPages } from './space/space-content.routes.ts'
import { spacePages } from './space/space.routes.ts'
import { watchingPages } from './space/watching.routes.ts'
import { variablePages } from './variables/variables.routes.ts'

/** Pages about change requests in the browser. */
export const changePages: readonly Routes[] = [
  reviewPages,
  saidPages,
  onSpacePages,
  besidePages,
  reviewerPages,
  aboutPages,
  editPages,
  conflictPages,
  placePages,
  undoPages,
  copyingPages,
  filePages,
  linkPages,
  pastePages,
  visualPages,
  reusableContentPages,
  variablePages,
  changePdfPages,
  spacePages,
  spaceContentPages,
  watchingPages,
  historyPages,
  pageHistoryPages,
  comparingPages,
]
