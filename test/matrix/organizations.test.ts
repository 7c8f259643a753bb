import { test } from 'node:test'
import { startApp } from '../app.ts'
import { askAll } from './ask.ts'
import { ofOrganizations } from './rules-organizations.ts'
import { makeWorld, patient } from './world.ts'

const app = await startApp(patient)

test(
  'things of an organization: every caller gets what they have access to, and nothing else',
  { timeout: 300_000 },
  async (t) => {
    await askAll(t, await makeWorld(app), ofOrganizations)
  },
)
