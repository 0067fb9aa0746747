/** `npm run screens FILE`: every screen of the application — path, permission, title — as JSON. Without FILE: to the terminal. */
import { writeFileSync } from 'node:fs'
import { screensOf } from '#kit/contract/index.ts'
import { AREAS } from '../../areas.contract.ts'

const screens = AREAS.flatMap((a) =>
  screensOf(a).map(({ path, permission, title }) => ({
    path,
    permission,
    title: { en: title[0], ar: title[1] },
    area: a.name,
  })),
).toSorted((a, b) => (a.path < b.path ? -1 : 1))
const text = `${JSON.stringify(screens, null, 2)}\n`
const file = process.argv[2]
if (file) writeFileSync(file, text)
else process.stdout.write(text)
