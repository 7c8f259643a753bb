import type { Routes } from '../http/routes.ts'
import { aboutPages } from './about.routes.ts'
import { besidePages } from './beside.routes.ts'
import { conflictPages } from './conflicts.routes.ts'
import { editPages } from './edit.routes.ts'
import { filePages } from './files.routes.ts'
import { historyPages } from './history.routes.ts'
import { linkPages } from './links.routes.ts'
import { pastePages } from './paste.routes.ts'
import { changePdfPages } from './pdf.routes.ts'
import { placePages } from './place.routes.ts'
import { reusableContentPages } from './reusable-contents/reusable-contents.routes.ts'
import { reviewerPages } from './reviewers.routes.ts'
import { reviewPages } from './routes.ts'
import { saidPages } from './said.routes.ts'
import { spaceContentPages } from './space-content.routes.ts'
import { spacePages } from './space.routes.ts'
import { variablePages } from './variables/variables.routes.ts'

/** Change requests for people with a browser. */
export const changePages: readonly Routes[] = [
  reviewPages,
  saidPages,
  besidePages,
  reviewerPages,
  aboutPages,
  editPages,
  conflictPages,
  placePages,
  filePages,
  linkPages,
  pastePages,
  reusableContentPages,
  variablePages,
  changePdfPages,
  spacePages,
  spaceContentPages,
  historyPages,
]
