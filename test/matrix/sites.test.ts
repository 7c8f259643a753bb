import { test } from 'node:test'
import { startApp } from '../app.ts'
import { askAll } from './ask.ts'
import { ofSites } from './rules-sites.ts'
import { makeWorld, patient } from './world.ts'

const app = await startApp(patient)

test('sites: every caller gets what they have access to, and nothing else', { timeout: 300_000 }, async (t) => {
  await askAll(t, await makeWorld(app), ofSites)
})
