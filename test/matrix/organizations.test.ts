import { test } from 'node:test'
import { startApp } from '../app.ts'
import { askAll } from './ask.ts'
import { ofOrganizations } from './rules-organizations.ts'
import { makeWorld, patient } from './world.ts'

const app = await startApp(patient)

test(
  'what belongs to an organization: everybody gets what is theirs, and nobody anything else',
  { timeout: 300_000 },
  async (t) => {
    await askAll(t, await makeWorld(app), ofOrganizations)
  },
)
