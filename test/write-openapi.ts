// npm run openapi: writes openapi.json from the routes. A test fails until this has been run after a change to the
// routes.
import { writeFile } from 'node:fs/promises'
import { describeRoutes, openApiFile } from './described.ts'

await writeFile(openApiFile, `${JSON.stringify(await describeRoutes(), null, 2)}\n`)
