import { test } from 'node:test'
import { startApp } from '../app.ts'
import { askAll } from './ask.ts'
import { ofContent } from './rules-content.ts'
import { makeWorld, patient } from './world.ts'

const app = await startApp(patient)

test(
  'content and comments: every caller gets what they have access to, and nothing else',
  { timeout: 300_000 },
  async (t) => {
    await askAll(t, await makeWorld(app), ofContent)
  },
)
